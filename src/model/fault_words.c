/* model: what happened to single lanes, as a sentence with the user's names and numbers. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include "model/fault.h"

#include <inttypes.h>

#include "base/text.h"
#include "model/dtype.h"
#include "model/insn.h"
#include "model/mgather.h"
#include "model/mscatter.h"

/* What a message is made of. */
struct lane_words {
    struct ptog_text *text;
    const struct ptog_fault *fault;
    const struct ptog_fault_entry *entry;
    const struct ptog_target *target; /* NULL: not known */
    const struct ptog_insn *insn;     /* NULL: not known */
};

static bool is_gather(const struct lane_words *w)
{
    return w->insn && (w->insn->opcode == PTOG_MGATHER || w->insn->opcode == PTOG_MSCATTER);
}

/* The element type of the indices of an instruction; PTOG_DTYPE_NONE: it has none. */
static enum ptog_dtype index_dtype(const struct lane_words *w)
{
    if (w->insn && ptog_mgather_is_l1(w->insn))
        return ptog_mgather_index_dtype(w->insn);
    int at = w->insn ? ptog_insn_find(w->insn, PTOG_AT_IDX) : -1;
    if (at < 0 || w->insn->of[at].kind != PTOG_IS_TILE)
        return PTOG_DTYPE_NONE;
    return w->insn->of[at].tile.dtype;
}

bool ptog_fault_is_unwritten(uint64_t index, enum ptog_dtype dtype)
{
    size_t size = ptog_dtype_size(dtype);
    return size > 0 && index == (UINT64_C(0xAAAAAAAAAAAAAAAA) >> (64 - 8 * size));
}

/* What an operand is called: by its name in the source, or by its role. */
static const char *operand_words(const struct lane_words *w, enum ptog_operand_name name)
{
    return ptog_insn_operand_words(w->insn, name);
}

/* The index of a signed type as the kernel's author sees it; *negative: the target reads another number. */
static int64_t signed_index(const struct lane_words *w, bool *negative)
{
    enum ptog_dtype dtype = index_dtype(w);
    uint64_t index = w->entry->index, sign = ptog_dtype_size(dtype) > 0 ? ptog_dtype_sign_bit(dtype) : 0;
    *negative = !w->fault->index_signed && ptog_dtype_is_signed(dtype) && (index & sign);
    return (int64_t)((index ^ sign) - sign);
}

/* "index 99", "index -1 (read as unsigned 4294967295)", "index 2863311530 (0xAAAAAAAA: %idx was not written)" */
static void add_index(const struct lane_words *w)
{
    char number[PTOG_FAULT_INDEX_TEXT];
    bool negative;
    int64_t as_signed = signed_index(w, &negative);
    ptog_fault_index_text(w->fault, w->entry->index, number);
    if (ptog_fault_is_unwritten(w->entry->index, index_dtype(w)))
        ptog_text_addf(w->text, "index 0x%" PRIX64 ", as in memory that was never written,", w->entry->index);
    else if (negative)
        ptog_text_addf(w->text, "index %" PRId64 " (read as unsigned %s)", as_signed, number);
    else
        ptog_text_addf(w->text, "index %s", number);
}

/* ", which has 64 rows" */
static void add_capacity(const struct lane_words *w)
{
    char number[PTOG_GROUPED];
    bool rows = is_gather(w) && w->target && ptog_mgather_is_row(w->target, w->insn);
    if (w->fault->capacity > 0 && !w->insn)
        ptog_text_addf(w->text, ": the capacity is %s", ptog_grouped(w->fault->capacity, number));
    else if (w->fault->capacity > 0)
        ptog_text_addf(w->text, ", which has %s %s%s", ptog_grouped(w->fault->capacity, number),
                       rows ? "row" : "element", w->fault->capacity == 1 ? "" : "s");
}

static void add_outside(const struct lane_words *w, enum ptog_operand_name of, const char *more)
{
    add_index(w);
    ptog_text_addf(w->text, " is outside %.80s", operand_words(w, of));
    add_capacity(w);
    ptog_text_add(w->text, more);
}

/* "index 99 is outside %src, which has 64 elements"; a scatter writes there, and blocks are counted in bytes */
static void add_outside_tile(const struct lane_words *w)
{
    char offset[PTOG_GROUPED], room[PTOG_GROUPED];
    if (w->insn && w->insn->opcode == PTOG_TGATHERB)
        ptog_text_addf(w->text, "the block at byte %s is outside %.80s, which has %s bytes",
                       ptog_grouped(w->entry->index, offset), operand_words(w, PTOG_AT_SRC),
                       ptog_grouped(w->fault->capacity, room));
    else
        add_outside(w, w->insn && w->insn->opcode == PTOG_TSCATTER ? PTOG_AT_DST : PTOG_AT_SRC, "");
}

/* The table has the row, but its buffer ends before: "row 9 of %table is past the end of its buffer" */
static void add_short_table(const struct lane_words *w)
{
    bool rows = w->target && ptog_mgather_is_row(w->target, w->insn);
    ptog_text_addf(w->text, "%s %" PRIu64 " of %.80s is past the end of its buffer", rows ? "row" : "element",
                   w->entry->index, operand_words(w, PTOG_AT_TABLE));
}

bool ptog_fault_is_past_row(const struct ptog_fault *fault, size_t kind, const struct ptog_target *target,
                            const struct ptog_insn *insn)
{
    bool zero;
    const struct ptog_fault_entry *entry = &fault->of[kind];
    if ((kind != PTOG_FAULT_GM_OUT_OF_BOUNDS && kind != PTOG_FAULT_GM_OUTSIDE_VIEW) || !target || !insn ||
        insn->opcode != PTOG_MGATHER || entry->col < ptog_mgather_row_width(target, insn))
        return false;
    return ptog_mgather_map(target, insn, entry->index, fault->capacity, &zero) < fault->capacity;
}

/* "%dst has 8 columns, but a row of %table has 5: the others are read from the next row" */
static void add_past_row(const struct lane_words *w, const char *where)
{
    char wanted[PTOG_GROUPED], width[PTOG_GROUPED];
    ptog_grouped((uint64_t)ptog_mgather_cols(w->target, w->insn), wanted);
    ptog_grouped((uint64_t)ptog_mgather_row_width(w->target, w->insn), width);
    ptog_text_addf(w->text, "%.80s has %s columns, but a row of %.80s has %s: the others are %s",
                   operand_words(w, PTOG_AT_DST), wanted, operand_words(w, PTOG_AT_TABLE), width, where);
}

/* A load or store, of a tile or of a single number. */
static void add_transfer(const struct lane_words *w)
{
    char number[PTOG_FAULT_INDEX_TEXT];
    bool stores = w->insn && w->insn->opcode == PTOG_TSTORE;
    ptog_fault_index_text(w->fault, w->entry->index, number);
    if (w->insn)
        ptog_text_addf(w->text, "%s %s element %s of the buffer of %.80s, which is outside it",
                       ptog_opcode_name(w->insn->opcode), stores ? "writes" : "reads", number,
                       operand_words(w, PTOG_AT_VIEW));
    else
        ptog_text_addf(w->text, "index %s is out of bounds", number);
    add_capacity(w);
}

/* "index -1 was read as unsigned 4294967295 and clamped to row 63" */
static void add_negative(const struct lane_words *w)
{
    bool negative, zero;
    char number[PTOG_FAULT_INDEX_TEXT];
    int64_t as_signed = signed_index(w, &negative);
    ptog_fault_index_text(w->fault, w->entry->index, number);
    if (!is_gather(w) || !w->target) {
        ptog_text_addf(w->text, "a negative index (%s%s) was clamped or wrapped", number,
                       w->fault->index_signed ? "" : " as unsigned");
        return;
    }
    if (ptog_fault_is_unwritten(w->entry->index, index_dtype(w)))
        add_index(w);
    else if (negative)
        ptog_text_addf(w->text, "index %" PRId64, as_signed);
    else
        ptog_text_addf(w->text, "index %s", number);
    bool clamps = ptog_mgather_policy(w->target, w->insn) == PTOG_OOB_CLAMP;
    uint64_t mapped = ptog_mgather_map(w->target, w->insn, w->entry->index, w->fault->capacity, &zero);
    ptog_text_add(w->text, " was ");
    if (negative && !ptog_fault_is_unwritten(w->entry->index, index_dtype(w)) && (!clamps || mapped > 0))
        ptog_text_addf(w->text, "read as unsigned %s and ", number);
    ptog_text_addf(w->text, "%s to %s %" PRIu64, clamps ? "clamped" : "wrapped",
                   ptog_mgather_is_row(w->target, w->insn) ? "row" : "element", mapped);
}

/* Where a scatter writes: a tile, or a table in memory. */
static enum ptog_operand_name written_to(const struct lane_words *w)
{
    return w->insn && w->insn->opcode == PTOG_TSCATTER ? PTOG_AT_DST : PTOG_AT_TABLE;
}

/* An element of the source as a number: 1, -2.5 */
static void add_value(const struct lane_words *w, uint64_t bits)
{
    char number[48] = "?";
    if (w->insn)
        ptog_dtype_format(number, sizeof number, w->insn->of[ptog_insn_find(w->insn, PTOG_AT_SRC)].tile.dtype, &bits);
    ptog_text_add(w->text, number);
}

/* "(0, 0) and (1, 0) of %src both go to row 2 of %table, in any order, with the values 1 and 2" */
static void add_conflict(const struct lane_words *w)
{
    const char *src = w->insn ? operand_words(w, PTOG_AT_SRC) : "the source";
    bool is_row = is_gather(w) && w->target && ptog_mgather_is_row(w->target, w->insn);
    ptog_text_addf(w->text,
                   "(%" PRId64 ", %" PRId64 ") and (%" PRId64 ", %" PRId64 ") of %.80s both go to %s %" PRIu64
                   " of %.80s, in any order, with ",
                   w->entry->row, w->entry->col, w->fault->other_row, w->fault->other_col, src,
                   is_row ? "row" : "element", w->entry->index, operand_words(w, written_to(w)));
    if (w->fault->values_agree)
        ptog_text_add(w->text, "the same value ");
    else
        ptog_text_add(w->text, "the values ");
    add_value(w, w->fault->values[0]);
    if (w->fault->values_agree)
        return;
    ptog_text_add(w->text, " and ");
    add_value(w, w->fault->values[1]);
}

/* The tile whose lanes are counted. */
static enum ptog_operand_name lanes_of(const struct lane_words *w)
{
    static const enum ptog_operand_name lists[] = {PTOG_AT_SRC0, PTOG_AT_SRC1, PTOG_AT_SRC2, PTOG_AT_SRC3};
    if (w->insn->opcode == PTOG_MSCATTER || w->insn->opcode == PTOG_TSCATTER)
        return PTOG_AT_SRC;
    if (w->insn->opcode == PTOG_TMRGSORT)
        return w->insn->of[1].kind == PTOG_IS_TILE ? PTOG_AT_SRC : lists[w->entry->index & 3];
    return ptog_insn_find(w->insn, PTOG_AT_DST) >= 0 ? PTOG_AT_DST : PTOG_AT_TILE;
}

/* Appends what went wrong with the lanes of a kind of fault, in one sentence; `insn` may be NULL. */
void ptog_fault_words(struct ptog_text *text, const struct ptog_fault *fault, size_t kind,
                      const struct ptog_target *target, const struct ptog_insn *insn)
{
    const struct ptog_fault_entry *entry = &fault->of[kind];
    const struct lane_words w = {text, fault, entry, target, insn};
    const char *name = insn ? ptog_opcode_name(insn->opcode) : "the instruction";
    char number[PTOG_FAULT_INDEX_TEXT];
    ptog_fault_index_text(fault, entry->index, number);
    switch ((enum ptog_fault_kind)kind) {
    case PTOG_FAULT_GM_OUT_OF_BOUNDS:
        if (!is_gather(&w))
            add_transfer(&w);
        else if (ptog_fault_is_past_row(fault, kind, target, insn))
            add_past_row(&w, "past the end of its buffer");
        else if (entry->index < fault->capacity)
            add_short_table(&w);
        else
            add_outside(&w, PTOG_AT_TABLE, ", and outside its buffer");
        break;
    case PTOG_FAULT_GM_OUTSIDE_VIEW:
        if (ptog_fault_is_past_row(fault, kind, target, insn))
            add_past_row(&w, "read from the next row");
        else
            add_outside(&w, PTOG_AT_TABLE, "");
        break;
    case PTOG_FAULT_UB_OUTSIDE_TILE: add_outside_tile(&w); break;
    case PTOG_FAULT_TILE_OVERRUN:
        ptog_text_addf(text, "%s goes past the end of its tile", name);
        if (entry->index > 0)
            ptog_text_addf(text, ", to element %s", number);
        break;
    case PTOG_FAULT_PITCH_MISMATCH:
        ptog_text_addf(text, "%.80s has strides that %s does not use: it reads other elements",
                       operand_words(&w, PTOG_AT_TABLE), target ? target->name : "the target");
        break;
    case PTOG_FAULT_PRODUCT_OVERFLOW:
        if (insn && insn->opcode == PTOG_TSCATTER) {
            ptog_text_addf(
                text, "row %s of %.80s goes to another row of %.80s: the library computes its first element in 16 bits",
                number, operand_words(&w, PTOG_AT_SRC), operand_words(&w, PTOG_AT_DST));
            break;
        }
        add_index(&w);
        ptog_text_add(text,
                      " times the row pitch does not fit in 32 bits, in which libraries up to August 2026 compute it");
        break;
    case PTOG_FAULT_INDEX_NEGATIVE: add_negative(&w); break;
    case PTOG_FAULT_SHORT_BUFFER: ptog_text_add(text, "a buffer of the run ends before its tile does"); break;
    case PTOG_FAULT_DIV_BY_ZERO: ptog_text_addf(text, "%s divides an integer by zero; the result is 0", name); break;
    case PTOG_FAULT_SHIFT_RANGE:
        ptog_text_addf(text, "%s shifts by %s, which is negative or not less than the width of the element", name,
                       number);
        break;
    case PTOG_FAULT_COUNT_ZERO: ptog_text_addf(text, "%s copies 0 columns; the row is left unchanged", name); break;
    case PTOG_FAULT_NAN_ORDER:
        ptog_text_addf(text, "%s compares a NaN, at position %s; it wins here, but may not on a device", name, number);
        break;
    case PTOG_FAULT_SORT_NAN:
        ptog_text_addf(text, "%s sorts a NaN, at column %s; positive ones come first here, and negative ones last",
                       name, number);
        break;
    case PTOG_FAULT_GATHERB_MISALIGNED:
        ptog_text_addf(text, "offset %s of %.80s is not a multiple of 32 bytes", number,
                       operand_words(&w, PTOG_AT_OFFSET));
        break;
    case PTOG_FAULT_SORT_UNSORTED:
        ptog_text_addf(text, "%s merges a list that is not in descending order", name);
        break;
    case PTOG_FAULT_SCATTER_CONFLICT: add_conflict(&w); return;
    case PTOG_FAULT_SCATTER_DROPPED:
        add_outside(&w, PTOG_AT_TABLE, "; with scatterConflict last such a lane writes nothing");
        break;
    case PTOG_FAULT_EXPAND_BLOCK:
        ptog_text_addf(text, "%s has a 32-byte row whose elements differ; column j uses element j modulo their number",
                       name);
        break;
    }
    if (insn)
        ptog_text_addf(text, "; first at (%" PRId64 ", %" PRId64 ") of %.80s", entry->row, entry->col,
                       operand_words(&w, lanes_of(&w)));
    else
        ptog_text_addf(text, "; first at (%" PRId64 ", %" PRId64 ")", entry->row, entry->col);
}
