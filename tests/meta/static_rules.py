"""Meta test: the C++ headers assert the rules of the verifier from its table.

  static_rules.py [--build DIR] [--update]

ptog/spec/static_rules.def has the rules of src/spec/rules.def that refuse an instruction and that the types of a C++ call decide: those
whose predicate is in include/pto/ptog/rule_predicates.hpp. pto/ptog/rule_words.hpp has the words of the rules that a header asserts by
itself, and the ids of the faults that it reports. Both are generated; --update writes them anew. Checked: they are up to date, a predicate
that is in no header is listed below with the reason, and no header of include/pto has the id of a rule or fault in it.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks  # noqa: E402

SPEC = ROOT / "include/ptog/spec"
TABLE = SPEC / "static_rules.def"
WORDS = ROOT / "include/pto/ptog/rule_words.hpp"
HEADER = ROOT / "include/pto/ptog/rule_predicates.hpp"
FIELDS = ("table_layouts", "dst_orders", "index_orders", "row_index")

# Why a predicate is left to the run.
RUN = {
    "an address": "apart padded_in_place",
    "extents that the run gives": "run_has_extents run_keeps_extents",
    "an attribute, which is an argument of the call": "coalesce_known oob_known scatter_oob_known atomic_accepted conflict_accepted conflict_is_free "
        "form_known pattern_known axis_known axis_for_8_bytes mask_has_room cmp_is_gt_or_eq i32_is_compared_equal conversion_known flag_is_known "
        "order_is_known atomic_is_accepted histogram_byte_known histogram_filter_fits histogram_has_bins scatter_form_known scatter_mask_fits "
        "scatter_rows_copy",
    "a number, which is an argument of the call": "window_is_inside window_is_aligned element_is_inside scalar_fits_dst start_fits_dst "
        "value_is_of_tile one_is_scalar merge_block_fits merge_is_whole merge_repeats_fit merge_has_room",
    "scratch memory, which depends on how a library of a target computes": "tmp_is_given tmp_has_room tmp_dtype_fits tmp_valid_fits "
        "transposing_tmp_fits reduction_has_tmp reduction_tmp_has_room broadcast_tmp_fits broadcast_tmp_is_used sort_tail_has_tmp "
        "sort_tmp_has_room merge_tmp_has_room",
    "which operand of a broadcast is the small one, in the libraries of a target": "one_has_dst_region pitches_match rows_fit_repeats",
    "limits of a library of a target, which a private table has": "i64_fits_step sort_keeps_groups",
    "an instruction that a target lacks, whatever the types are": "is_nowhere",
    "not asserted yet: gathers into L1": "indices_are_in_memory index_view_type_fits has_all_indices l1_is_nz table_is_nd elem_has_scratch row_has_no_scratch "
        "scratch_has_room",
    "not asserted yet: instructions of the cube core": "acc_converts acc_goes_there acc_splits padded_l1_fits sent_order_fits "
        "stays_on_its_core acc_window_is_aligned acc_window_is_inside has_whole_boxes is_in_its_memory "
        "is_in_its_order is_scale l0_dtype_fits scales_fit l0_window_is_aligned l0_window_is_inside product_shapes_fit product_types_fit sum_is_dst view_has_tile_size view_pairs_with_l1",
    "true of every type that compiles": "has_dtype has_size has_valid pad_known view_layout_known shape_not_negative strides_positive",
    "a size of memory that overflows 63 bits": "table_fits",
    "a rule of host and cpu, where nothing is asserted": "reduced_valid_fits mask_is_row_major valid_covers_dst",
    "judged with the extents and types of all operands at once, when it runs": "combined_types_fit combined_valid_fits combined_has_room columns_are_even sum_has_tmp "
        "offset_is_for_unsigned scales_are_columns is_a_scalar",
    "not asserted yet: NZ tables, TGATHER by comparison, TCI, loads and stores, lists of TMRGSORT, indices of TSCATTER": "merge_list_fits scatter_index_fits "
        "scatter_long_fits nz_width_covers_dst nz_row_fits_dst k_is_src_dtype "
        "k_is_one_or_list cdst_is_list dst_has_src_rows has_one_row view_is_tile_dtype view_fits_tile view_is_valid_region view_pairs",
}


def code_of(path):
    return re.sub(r"/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.S)


def arguments(text, at):
    """The arguments of the call whose bracket opens at `at`, with brackets and strings inside them left whole."""
    found, depth, start, i = [], 0, at + 1, at
    while True:
        c = text[i]
        if c == '"':
            i = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, i).end() - 1
        elif c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                return [*found, text[start:i].strip()]
        elif c == "," and depth == 1:
            found.append(text[start:i].strip())
            start = i + 1
        i += 1


def calls(path, macro):
    text = code_of(path)
    return [arguments(text, found.end() - 1) for found in re.finditer(rf"^{macro}\(", text, re.M)]


def names(path, macro):
    return [row[0] for row in calls(path, macro)]


def literal(text):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))


def words_of_columns():
    """What the words of the columns forms, targets and operands stand for, as numbers: see src/verify/rules.c."""
    forms = names(SPEC / "forms.def", "FORM")
    targets = names(SPEC / "targets.def", "TARGET")
    operands = names(SPEC / "forms.def", "OPERAND")
    known = {name: 1 << i for i, name in enumerate(forms)}
    masks = {"forms": known, "targets": {name: 1 << i for i, name in enumerate(targets)},
             "operands": {name: 1 << i for i, name in enumerate(operands)}}
    known["ANY_FORM"] = (1 << len(forms)) - 1
    source = code_of(ROOT / "src/verify/rules.c")
    for name, value in re.findall(r"^\s+([A-Z0-9_]+) =\s*([A-Z0-9_ |&~()\n]+?),", source.split("PTOG_FORM_##NAME")[1].split("};")[0], re.M):
        known[name] = eval(" ".join(value.split()), {}, known)  # sets of forms, of the same words
    masks["targets"].update(ANY=(1 << len(targets)) - 1, EXACT=1 << 30)
    own = masks["operands"]
    own["SELF"] = 1 << len(operands)
    own.update(TILES=(1 << len(operands)) - 1 & ~(own["TABLE"] | own["VIEW"] | own["INDICES"] | own["SCRATCH"]), SOURCES=own["SRC"] | own["SRC0"] | own["SRC1"],
               SCALARS=own["VALUE"] | own["SRC0"] | own["SRC1"], LIST_TILES=own["SRC0"] | own["SRC1"] | own["SRC2"] | own["SRC3"])
    return masks


def predicates():
    """Those of the header."""
    return set(re.findall(r"constexpr bool (\w+)\(const rule_check &c?, operand", HEADER.read_text(encoding="utf-8")))


def rules():
    """The rows that refuse: id, level, forms, targets, operands, predicate, words."""
    rows = [[literal(row[0]), *row[1:6], literal(row[6])] for row in calls(ROOT / "src/spec/rules.def", "RULE")]
    return [row for row in rows if row[1].startswith("REFUSE")]


def row_text(row, masks):
    rule, level, forms, targets, operands, predicate, words = row
    only = re.fullmatch(r"ONLY\((\w+)\)", forms)
    forms_mask = 0 if only else eval(forms, {}, masks["forms"])
    targets_mask = eval(targets, {}, masks["targets"])
    if level.startswith("REFUSE_EXCEPT"):
        targets_mask &= ~eval(level[len("REFUSE_EXCEPT"):], {}, masks["targets"])
    exact = "true" if targets_mask >> 30 & 1 else "false"
    return (f'PTOG_STATIC_RULE("{rule}", {"PTOG_" + only[1] if only else 0}, {forms_mask:#x}ull, {targets_mask & 0x3fffffff:#x}u, {exact}, '
            f'{eval(operands, {}, masks["operands"]):#x}u, {predicate},\n                 "{words}")\n')


def target_rows():
    text = code_of(SPEC / "targets.def").replace("\\\n", " ")
    like = dict(re.findall(r"#define (PTOG_LIKE_\w+)([^\n]*)", text))
    rows = []
    for name, _, _, _, fields, *more in calls(SPEC / "targets.def", "TARGET"):
        own = like.get(fields, "") + "," + ",".join(more)
        values = [re.findall(rf"\.{field} = ([^,]+)", own)[-1].strip() for field in FIELDS]
        values = [re.sub(r"PTOG_L\((\w+)\)", r"1u << PTOG_\1", re.sub(r"PTOG_O\((\w+)\)", r"1u << PTOG_ORDER_\1", value)) for value in values]
        rows.append(f"PTOG_STATIC_TARGET(PTOG_TARGET_{name}, {', '.join(values)})\n")
    return "".join(rows)


def table_text():
    masks, known = words_of_columns(), predicates()
    return ("/* The rules that the types of a C++ call decide. Generated from src/spec/rules.def, forms.def and targets.def by\n"
            " * tests/meta/static_rules.py --update.\n *\n"
            " *   PTOG_STATIC_TARGET(number, table_layouts, dst_orders, index_orders, row_index)\n"
            " *   PTOG_STATIC_RULE(id, only, forms, targets, exact, operands, predicate, words)\n"
            " *     only      an opcode, or 0: all of the forms;  forms, targets, operands   bits, in the order of their tables\n"
            " *     exact     targets that are like those do not count\n"
            " *     predicate a function of pto/ptog/rule_predicates.hpp */\n"
            + target_rows() + "\n" + "".join(row_text(row, masks) for row in rules() if row[5] in known)
            + "\n#undef PTOG_STATIC_RULE\n#undef PTOG_STATIC_TARGET\n")


def headers():
    """The text of each header of include/pto that is written by hand."""
    return {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "include/pto").rglob("*.hpp")) if path != WORDS}


def used_names(prefix):
    return sorted({name for text in headers().values() for name in re.findall(rf"\b{prefix}(\w+)", text)})


def all_words():
    """By id: what each rule says."""
    found = {literal(row[0]): literal(row[6]) for row in calls(ROOT / "src/spec/rules.def", "RULE")}
    found.update({literal(row[0]): literal(row[2]) for row in calls(ROOT / "src/spec/text_rules.def", "TEXT_RULE")})
    return found


def fault_ids():
    """By enumerator: the ids of what a run reports beyond lanes."""
    text = code_of(ROOT / "src/spec/machine_faults.def")
    return dict(re.findall(r'^(?:MACHINE_FAULT|SIMT_FAULT|LAUNCH_FAULT|MACHINE_LIMIT)\((\w+), "([^"]+)"', text, re.M))


def words_text():
    known = {rule.replace("-", "_"): (rule, words) for rule, words in all_words().items()}
    lines = [f'#define PTOG_RULE_WORDS_{name} \\\n    "{known[name][1]} [{known[name][0]}]"\n' for name in used_names("PTOG_RULE_WORDS_")]
    lines += [f'#define PTOG_FAULT_ID_{name} "{fault_ids()[name]}"\n' for name in used_names("PTOG_FAULT_ID_")]
    return ("/* pto: the words of rules that headers assert by themselves, and the ids of faults that they report. Generated from\n"
            " * rules.def, text_rules.def and machine_faults.def of src/spec by tests/meta/static_rules.py --update. */\n#ifndef PTO_PTOG_RULE_WORDS_HPP\n#define PTO_PTOG_RULE_WORDS_HPP\n\n"
            "/* clang-format off */\n" + "".join(lines) + "\n#endif\n")


def typed_ids():
    """Ids of rules and faults in the headers, which have them from the tables."""
    ids = {*all_words(), *fault_ids().values()}
    return [f"{path.relative_to(ROOT)}: {rule}" for path, text in headers().items()
            for rule in re.findall(r"[\[\"]([a-z0-9]+(?:-[a-z0-9]+)+)[\]\"]", text) if rule in ids]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build")
    parser.add_argument("--update", action="store_true")
    if parser.parse_args().update:
        TABLE.write_text(table_text(), encoding="utf-8")
        WORDS.write_text(words_text(), encoding="utf-8")
    checks = Checks("static rules")
    for path, text in ((TABLE, table_text()), (WORDS, words_text())):
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        checks.check(f"{path.name} is up to date", [] if kept == text else "run tests/meta/static_rules.py --update")
    used, known = {row[5] for row in rules()}, predicates()
    left = {name for names_ in RUN.values() for name in names_.split()}
    checks.check("a rule that refuses is asserted, or it is said why not", sorted(used - known - left))
    checks.check("what is left to the run is not asserted", sorted(left & known))
    checks.check("no header has the id of a rule or fault", typed_ids())
    checks.finish()


if __name__ == "__main__":
    main()
