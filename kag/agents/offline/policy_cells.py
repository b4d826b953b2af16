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
print(len(plan["nodes"]), "nodes planned in", len(plan["sections"]), "sections")
print("next: write")
"""

WRITE = """\
refused = []

def must(result):
    if not result["ok"]:
        refused.append(result["error"] + " | " + result["hint"])
    return result

for name, reason in plan["skipped"].items():
    must(op_skip_block(name, reason))
must(op_assert_type("ex:document", "doco:Document"))
sections, path = {}, []
for key, row in plan["sections"].items():
    section = "ex:s_front" if key == "front" else "ex:s_" + key[2:]
    must(op_assert_type(section, "doco:Section"))
    title = "ex:" + key
    if row.get("printed", True):
        must(op_create_node(key, "doco:SectionTitle"))
    else:
        title = section + "_title"
        must(op_assert_type(title, "doco:SectionTitle"))
        must(op_set_single_literal(title, "kag:mainText", row["title"]))
        must(op_set_single_literal(title, "kag:isSynthetic", True))
        if row["title"] == "Front matter":
            must(op_assert_type(section, "doco:FrontMatter"))
    must(op_add_iri_link(section, "kag:containsAsHeader", title))
    path = path[:row["depth"] - 1]
    must(op_add_iri_link(path[-1] if path else "ex:document", "kag:contains", section))
    path.append(section)
    sections[key] = section
links = []
section = sections.get("front", "")
rows = {}
for name, row in plan["nodes"].items():
    rows.setdefault(name.split("-")[0], []).append(row)
for block in blocks:
    if plan["sections"].get(block["id"], {}).get("printed", True):
        section = sections.get(block["id"], section)
    for row in rows.get(block["id"], []):
        made = must(op_create_node(block["id"], row["class"], row.get("start"), row.get("end"), row.get("more")))
        if made["ok"]:
            must(op_add_iri_link(sections[row["in"]] if "in" in row else section, "kag:contains", made["node"]))
            for link in ["describes", "continues"]:
                if row.get(link):
                    links.append((made["node"], "kag:" + link, "ex:" + row[link]))
for subject, predicate, value in links:
    must(op_add_iri_link(subject, predicate, value))
print(len(refused), "refused", refused[:5])
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
SUBMIT(str(len(plan["nodes"])) + " nodes in " + str(len(plan["sections"])) + " sections, as the rules plan them")
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
