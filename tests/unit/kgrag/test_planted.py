"""Contradictions planted in clean graphs: each kind is found 40 times of 40, and clean graphs have none."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from kag.kgrag.science import ScienceGraph
from kag.kgrag.story.facade import StoryGraph
from kag.kgrag.workflow.facade import WorkflowGraph

COUNT = 40


def story(random: Random) -> StoryGraph:
    """Four characters with a thing each, and eight events in order, each a cause and a hint of the next."""
    world = StoryGraph()
    for number in range(4):
        world.add_character(f"Person{number}", id=f"person{number}")
        world.add_artifact(f"thing{number}", owner_id=f"person{number}", id=f"thing{number}")
        world.add_location(f"Place{number}", id=f"place{number}")
    for number in range(8):
        who = random.randrange(4)
        world.add_event(f"Event{number}", chronology=number, id=f"event{number}")
        world.link_participation(f"person{who}", f"event{number}")
        world.link_use(f"event{number}", f"thing{who}")
        world.set_event_location(f"event{number}", f"place{random.randrange(4)}")
        if number:
            world.link_causality(f"event{number - 1}", f"event{number}")
            world.link_foreshadowing(f"event{random.randrange(number)}", f"event{number}")
    return world


def tale(random: Random) -> StoryGraph:
    """A told story: somebody takes a thing, carries it to a place and puts it down; somebody else is elsewhere."""
    world = StoryGraph()
    first, second = random.sample(["Anna", "Bert", "Clara", "Otto"], 2)
    here, there = random.sample(["hall", "wood", "garden", "mill"], 2)
    world.tell(f"{first} went to the {here}. {first} took the lamp. {first} dropped the lamp. ")
    world.tell(f"{second} went to the {there}.")
    return world


def papers(random: Random) -> ScienceGraph:
    """Ten papers, each citing earlier ones."""
    world = ScienceGraph()
    for number in range(10):
        world.add_paper(f"Paper {number}", id=f"paper{number}")
        for earlier in random.sample(range(number), min(number, 2)):
            world.link_citation(f"paper{number}", f"paper{earlier}")
    return world


def flow(random: Random) -> WorkflowGraph:
    """Eight tasks, each after an earlier one, whose data it reads."""
    world = WorkflowGraph()
    for number in range(8):
        world.add_task(f"task{number}", id=f"task{number}")
        world.add_data_asset(f"data{number}", id=f"data{number}")
        world.add_produced_data(f"task{number}", f"data{number}")
        if number:
            earlier = random.randrange(number)
            world.add_dependency(f"task{number}", f"task{earlier}")
            world.add_consumed_data(f"task{number}", f"data{earlier}")
    return world


def other(random: Random, number: int, count: int = 4) -> int:
    return (number + random.randrange(1, count)) % count


def owned_by_another(world: StoryGraph, random: Random) -> None:
    number = random.randrange(4)
    world.link_use(f"person{other(random, number)}", f"thing{number}")


def used_in_the_owners_absence(world: StoryGraph, random: Random) -> None:
    number = random.randrange(4)
    world.add_event("Theft", chronology=random.randrange(9) + 0.5, id="theft")
    world.link_participation(f"person{other(random, number)}", "theft")
    world.link_use("theft", f"thing{number}")


def given_by_another(world: StoryGraph, random: Random) -> None:
    number = random.randrange(4)
    world.add_event("Gift", chronology=random.randrange(9) + 0.5, kind=random.choice(["give", "drop"]), id="gift")
    world.link_participation(f"person{other(random, number)}", "gift")
    world.link_use("gift", f"thing{number}")


def owner_of_no_kind(world: StoryGraph, random: Random) -> None:
    world.add_artifact("crown", owner_id=random.choice(["place1", "event2", "nobody"]))


def effect_before_cause(world: StoryGraph, random: Random) -> None:
    number = random.randrange(7)
    world.graph.update_node(f"event{number}", {"chronology": random.choice([20, 50])})


def two_places_at_once(world: StoryGraph, random: Random) -> None:
    who = random.choice(["Dora", "Emil"])
    world.tell(f"This morning {who} went to the barn. This morning {who} went to the pond.")


def two_settings(world: StoryGraph, random: Random) -> None:
    event = f"event{random.randrange(8)}"
    (place,) = world.graph.neighbors(event, direction="out", edge_labels=["occurs_at"])
    world.link("occurs_at", event, f"place{other(random, int(place[-1]))}")


def taken_elsewhere(world: StoryGraph, random: Random) -> None:
    taker = world.state().happenings[-1].actor
    world.tell(f"{world.graph.node(taker).props['name']} {random.choice(['took', 'grabbed', 'stole'])} the lamp.")


def hint_after_the_event(world: StoryGraph, random: Random) -> None:
    first, second = sorted(random.sample(range(8), 2))
    world.link_foreshadowing(f"event{second}", f"event{first}")


def hint_told_after_the_event(world: StoryGraph, random: Random) -> None:
    first, second = sorted(random.sample(range(8), 2))
    edge = world.link_foreshadowing(f"event{first}", f"event{second}")
    link = world.graph.edge(edge)
    world.graph.update_node(link.source, {"told": 9})
    world.graph.update_node(link.target, {"told": random.randrange(9)})


def circle_of_causes(world: StoryGraph, random: Random) -> None:
    for number in range(8):
        world.graph.update_node(f"event{number}", {"chronology": None})
    first, second = sorted(random.sample(range(8), 2))
    world.link_causality(f"event{second}", f"event{first}")


def circle_of_citations(world: ScienceGraph, random: Random) -> None:
    edge = world.graph.edge(random.choice([one.id for one in world.graph.edges]))
    world.link_citation(edge.target, edge.source)


def circle_of_dependencies(world: WorkflowGraph, random: Random) -> None:
    edge = world.graph.edge(random.choice(world.graph.find_edges("depends_on")))
    world.add_dependency(edge.target, edge.source)


def data_of_nobody(world: WorkflowGraph, random: Random) -> None:
    read = random.choice(world.graph.find_edges("consumes"))
    (written,) = world.graph.find_edges("produces", target=world.graph.edge(read).target)
    world.graph.delete_edge(written)


def data_of_two(world: WorkflowGraph, random: Random) -> None:
    number = random.randrange(8)
    world.add_produced_data(f"task{other(random, number, 8)}", f"data{number}")


KINDS = [
    (story, owned_by_another, {"used_without_holding"}),
    (story, used_in_the_owners_absence, {"used_without_holding"}),
    (story, given_by_another, {"give_without_holding", "drop_without_holding"}),
    (story, owner_of_no_kind, {"unknown_owner"}),
    (story, effect_before_cause, {"effect_before_cause", "foreshadowed_too_late"}),
    (story, two_places_at_once, {"two_places_at_once"}),
    (story, two_settings, {"two_settings"}),
    (tale, taken_elsewhere, {"taken_elsewhere"}),
    (story, hint_after_the_event, {"foreshadowed_too_late"}),
    (story, hint_told_after_the_event, {"foreshadowed_too_late"}),
    (story, circle_of_causes, {"causal_circle"}),
    (papers, circle_of_citations, {"circular_citation"}),
    (flow, circle_of_dependencies, {"cycle"}),
    (flow, data_of_nobody, {"missing_producer"}),
    (flow, data_of_two, {"two_producers"}),
]


@pytest.mark.parametrize(("build", "plant", "rules"), KINDS, ids=[plant.__name__ for _, plant, _ in KINDS])
def test_planted_contradictions_are_found_and_clean_graphs_have_none(
    build: Callable[[Random], StoryGraph], plant: Callable[[StoryGraph, Random], None], rules: set[str]
) -> None:
    found = 0
    for seed in range(COUNT):
        random = Random(seed)
        world = build(random)
        assert world.validate().issues == (), seed
        plant(world, random)
        errors = {issue.rule for issue in world.validate().errors}
        assert errors <= rules, seed
        found += bool(errors)
    assert found == COUNT
