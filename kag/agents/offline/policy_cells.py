"""The code of the policy's steps: it asks for the rules' plan, writes it through the tools, repairs and submits.

Each cell is one step in the sandbox. Its last printed line says which cell comes next; the policy sees nothing but the
prompt. It decides nothing itself, so that the loop, the sandbox and the gate do all they do for a model.
"""

EXPLORE = """\
labels = {}
for block in blocks:
    labels[block["label"]] = labels.get(block["label"], 0) + 1
print(len(blocks), "blocks;", labels)
plan = baseline_plan()
print(len(plan), "rows planned,", len([row for row in plan.values() if "depth" in row]), "sections")
print("next: write")
"""

FINISH = """\
result = finalize_graph("built by rules")
for row in result.get("violations", [])[:8]:
    print(row["count"], row["message"][:160], row["nodes"][:3])
print("next: submit" if result["ok"] else "next: repair")
"""

REPAIR = """\
open_blocks = recall(0)[0]["next_unplaced"]
while open_blocks:
    for name in open_blocks:
        made = op_create_node(name, "doco:Paragraph")
        if not made["ok"]:
            op_skip_block(name, "cannot be placed: " + made["error"])
        else:
            op_set_single_iri_link(made["node"], "^kag:contains", section)
    now = recall(0)[0]["next_unplaced"]
    open_blocks = now if now != open_blocks else []
for row in result.get("violations", []):
    for name in row["nodes"]:
        if "in no section" in row["message"] or "more than one parent" in row["message"]:
            op_set_single_iri_link(name, "^kag:contains", section)
        elif "section is empty" in row["message"]:
            op_add_iri_link(name, "kag:contains", "ex:b_" + name[5:])
        elif "more than one describes" in row["message"] or "comes from no block" in row["message"]:
            op_remove_node(name)
"""

SUBMIT = """\
SUBMIT(str(len(plan)) + " rows, as the rules plan them")
"""

REVIEW = """\
SUBMIT({})
"""

LAYERS = """\
done = finalize_graph("as the rules have it")
print(done)
if done["ok"]:
    SUBMIT("as the rules have it")
"""
