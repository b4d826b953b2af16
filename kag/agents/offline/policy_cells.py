"""The code of the policy's steps: what it looks at, writes through the tools, repairs and submits.

Each cell is sent into the sandbox as one step. Its last printed line tells the policy, which sees nothing but the
prompt, how to go on. It decides nothing: the draft is written as it stands, call by call, through the tools that any
agent has, so that the loop, the sandbox and the gate do all they do for a model.
"""

EXPLORE = """\
labels = {}
for block in blocks.values():
    labels[block["label"]] = labels.get(block["label"], 0) + 1
print(len(blocks), "blocks;", labels)
print(len(draft["nodes"]), "nodes drafted in", len(draft["sections"]), "sections")
print("next: write")
"""

WRITE = """\
refused = []

def must(result):
    if not result["ok"]:
        refused.append(result["error"] + " | " + result["hint"])
    return result

for name in draft["skipped"]:
    must(op_skip_block(name, draft["skipped"][name]))
must(op_assert_type("ex:document", "doco:Document"))
must(op_assert_type("ex:document", "fabio:ResearchPaper"))
must(op_set_single_literal("ex:document", "dcterms:identifier", paper_id))
order = {name: place for place, name in enumerate(blocks)}
path = []
headed = []
filled = {}
for key, row in draft["sections"].items():
    printed = row.get("printed", True)
    section = "ex:s_front" if key == "front" else "ex:s_" + key[2:]
    if printed:
        title = "ex:" + key
        must(op_create_node(key, "doco:SectionTitle"))
        headed.append(key)
    else:
        title = section + "_title"
        must(op_assert_type(title, "doco:SectionTitle"))
        for field in ["kag:fullText", "kag:mainText"]:
            must(op_set_single_literal(title, field, row["title"]))
        must(op_set_single_literal(title, "kag:isSynthetic", True))
    must(op_assert_type(section, "doco:Section"))
    if row["title"] == "Front matter" and not printed:
        must(op_assert_type(section, "doco:FrontMatter"))
    must(op_add_iri_link(section, "kag:containsAsHeader", title))
    must(op_set_single_literal(section, "kag:depth", row["depth"]))
    if row.get("number"):
        must(op_set_single_literal(section, "kag:sectionNumber", row["number"]))
    path = path[:row["depth"] - 1]
    parent = path[-1] if path else "ex:document"
    must(op_add_iri_link(parent, "kag:contains", section))
    filled[parent] = True
    path.append(section)
links = []
pages = {}
for name, row in draft["nodes"].items():
    first = name.split("-")[0]
    under = row.get("in")
    if not under:
        before = [key for key in headed if order[key] < order[first]]
        under = before[-1] if before else "front"
    section = "ex:s_front" if under == "front" else "ex:s_" + under[2:]
    made = must(op_create_node(first, row["class"], row.get("start"), row.get("end"), row.get("more")))
    if made["ok"]:
        must(op_add_iri_link(section, "kag:contains", made["node"]))
        filled[section] = True
        pages.setdefault(section, blocks[first]["page"])
        if row.get("number"):
            must(op_set_single_literal(made["node"], "kag:floatNumber", row["number"]))
            must(op_set_single_literal(made["node"], "kag:floatLabel", row["label"]))
        for link in ["describes", "continues"]:
            if row.get(link):
                links.append((made["node"], "kag:" + link, "ex:" + row[link]))
for key, row in draft["sections"].items():
    section = "ex:s_front" if key == "front" else "ex:s_" + key[2:]
    page = blocks[key]["page"] if key in blocks else pages.get(section, 1)
    must(op_set_single_literal(section, "kag:pageNumber", page))
    if section not in filled:
        must(op_add_iri_link(section, "kag:contains", "ex:" + key))
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
SUBMIT(str(len(draft["nodes"])) + " nodes in " + str(len(draft["sections"])) + " sections, as drafted")
"""

DOUBTS = """\
for name, answers in doubts.items():
    print(name, decide(name, answers[0]))
SUBMIT("the program's answer was kept in each of " + str(len(doubts)) + " doubts")
"""

WRITE_LAYERS = """\
refused = []

def must(result):
    if not result["ok"]:
        refused.append(result["error"] + " | " + result["hint"])
    return result

for row in draft:
    if "claim" in row:
        made = must(op_create_node(row["claim"][0], "kag:Claim", row["claim"][1], row["claim"][2], "claim"))
        if made["ok"]:
            must(op_assert_type(made["node"], row["class"], "claim"))
            for name in ["role", "polarity", "certainty"]:
                must(op_set_single_literal(made["node"], "kag:" + name, row[name], "claim"))
        continue
    must(op_assert_type(row["node"], "kag:Entity"))
    must(op_assert_type(row["node"], row["class"]))
    must(op_set_single_literal(row["node"], "skos:prefLabel", row["name"]))
    must(op_set_single_literal(row["node"], "kag:kind", row["kind"]))
    for iri in row["same"]:
        must(op_add_iri_link(row["node"], "skos:exactMatch", iri))
    for place in row["at"]:
        made = must(op_create_node(place[0], "kag:Mention", place[1], place[2]))
        if made["ok"]:
            must(op_add_iri_link(made["node"], "sio:SIO_000628", row["node"]))
print(len(draft), "rows,", len(refused), "refused", refused[:3])
"""

LAYERS = """\
done = finalize_graph("as the program says")
print(done)
if done["ok"]:
    SUBMIT("as the program says")
"""
