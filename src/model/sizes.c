/* model: the bytes of public structs by name, for callers who lay them out without the headers. */
#include <string.h>

#include <ptog/ptog.h>

static const struct {
    const char *name;
    size_t bytes;
} sizes[] = {
#define SIZE_OF(name)                                                                                                  \
    {                                                                                                                  \
#name, sizeof(struct name)                                                                                     \
    }
    SIZE_OF(ptog_access_seen),
    SIZE_OF(ptog_bag),
    SIZE_OF(ptog_bag_fault),
    SIZE_OF(ptog_bag_run),
    SIZE_OF(ptog_binding),
    SIZE_OF(ptog_buf),
    SIZE_OF(ptog_cbuf),
    SIZE_OF(ptog_checked),
    SIZE_OF(ptog_cost),
    SIZE_OF(ptog_cost_override),
    SIZE_OF(ptog_device_options),
    SIZE_OF(ptog_diag),
    SIZE_OF(ptog_document),
    SIZE_OF(ptog_draw_choice),
    SIZE_OF(ptog_draw_example),
    SIZE_OF(ptog_drawing),
    SIZE_OF(ptog_drawn_arrow),
    SIZE_OF(ptog_drawn_cell),
    SIZE_OF(ptog_drawn_grid),
    SIZE_OF(ptog_erratum),
    SIZE_OF(ptog_execution),
    SIZE_OF(ptog_fault),
    SIZE_OF(ptog_fault_entry),
    SIZE_OF(ptog_fault_info),
    SIZE_OF(ptog_fifo_options),
    SIZE_OF(ptog_figure),
    SIZE_OF(ptog_fix),
    SIZE_OF(ptog_fixed_source),
    SIZE_OF(ptog_flow_seen),
    SIZE_OF(ptog_gather_seen),
    SIZE_OF(ptog_gather_watch),
    SIZE_OF(ptog_input),
    SIZE_OF(ptog_inputs_options),
    SIZE_OF(ptog_insn),
    SIZE_OF(ptog_kernel_set),
    SIZE_OF(ptog_latency),
    SIZE_OF(ptog_lexeme),
    SIZE_OF(ptog_operation),
    SIZE_OF(ptog_machine_fault),
    SIZE_OF(ptog_mgather),
    SIZE_OF(ptog_op_seen),
    SIZE_OF(ptog_operand),
    SIZE_OF(ptog_output),
    SIZE_OF(ptog_page),
    SIZE_OF(ptog_picture),
    SIZE_OF(ptog_placed),
    SIZE_OF(ptog_progress),
    SIZE_OF(ptog_covered),
    SIZE_OF(ptog_proof_case),
    SIZE_OF(ptog_proof_summary),
    SIZE_OF(ptog_prove_options),
    SIZE_OF(ptog_recipe),
    SIZE_OF(ptog_reduce_options),
    SIZE_OF(ptog_reduced_summary),
    SIZE_OF(ptog_related_place),
    SIZE_OF(ptog_result_tile),
    SIZE_OF(ptog_rule),
    SIZE_OF(ptog_run),
    SIZE_OF(ptog_sink),
    SIZE_OF(ptog_slot),
    SIZE_OF(ptog_source_call),
    SIZE_OF(ptog_stats),
    SIZE_OF(ptog_target),
    SIZE_OF(ptog_target_alias),
    SIZE_OF(ptog_tensor),
    SIZE_OF(ptog_text_rule),
    SIZE_OF(ptog_tgather),
    SIZE_OF(ptog_tile),
    SIZE_OF(ptog_transfer),
    SIZE_OF(ptog_ub_entry),
    SIZE_OF(ptog_ub_layout),
    SIZE_OF(ptog_where),
};

size_t ptog_size_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof sizes / sizeof sizes[0]; i++)
        if (strcmp(sizes[i].name, name) == 0)
            return sizes[i].bytes;
    return 0;
}
