"""Faults of casting face down (708.4, 702.37, 702.168, 601.3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from counterexamples.faults.fault import Rule, fault
from model.families import CAST_DOWN, CAUSE, LAND_PLAYED, MANA, ZONE
from model.rules import casting, casting_zones, resolving, spell_rules, stack
from model.rules.priority import require_priority
from model.setup import Obj, Player
from model.state import State
from model.system import Candidate, Label
from model.terms import TRUE, Term, add, and_, not_, number
from model.vocabulary import Cause, Colour, ManaKind, Type, Zone

_CAST = casting._cast_face_down
_LETTERS = dict(zip(Colour, (ManaKind.WHITE, ManaKind.BLUE, ManaKind.BLACK, ManaKind.RED, ManaKind.GREEN), strict=True))


# -- public reports ----------------------------------------


@fault(
    "BR-29",
    "CAST",
    "magefree/mage issues 7160 and 7136",
    "A land card with morph can be cast face down only while its player may still play a land.",
    breaks=_CAST,
    rules=("708.4", "702.37c", "305.1", "601.3a"),
    caught_by=("face-down-spell-may-be-cast",),
    on=("land_with_morph",),
)
def land_drop_is_needed(right: Rule, game: State, *, player: Player, o: Obj, **kwargs: Any) -> None:
    if Type.LAND in o.card.front.types:
        game.require(not_(game[LAND_PLAYED, player]), "a land may be played", "305.2")
    right(game, player=player, o=o, **kwargs)


@fault(
    "BR-30",
    "CAST",
    "magefree/mage issue 1041",
    "A land card with morph can be cast face down whenever an instant could be.",
    breaks=spell_rules.require_castable_spell,
    rules=("302.1", "117.1a", "702.37c"),
    caught_by=("face-down-spell-needs-its-time",),
    on=("land_with_morph",),
)
def land_cards_are_instants(right: Rule, game: State, player: Player, spell: Obj, *args: Any, **kwargs: Any) -> None:
    if Type.LAND in spell.card.front.types:
        kwargs["timely"] = TRUE
    right(game, player, spell, *args, **kwargs)


@fault(
    "BR-31",
    "CAST",
    "magefree/mage issue 7138",
    "A card with morph is offered for {3} only to a player who could pay its printed mana cost.",
    breaks=_CAST,
    rules=("702.37a", "601.2f", "118.9"),
    caught_by=("face-down-spell-may-be-cast",),
    on=("colours",),
)
def printed_cost_must_be_payable(right: Rule, game: State, *, player: Player, o: Obj, **kwargs: Any) -> None:
    cost = o.card.front.cost
    if cost is not None:
        total = add(*(game[MANA, player, kind] for kind in ManaKind))
        game.require(total >= number(cost.mana_value), "the printed cost could be paid", "702.37a")
    right(game, player=player, o=o, **kwargs)


@fault(
    "BR-32",
    "CAST",
    "phase-rs/phase issue 7770",
    "A card with morph is not offered to a player whose lands make other colours, though casting it would be accepted.",
    breaks=_CAST,
    rules=("702.37c", "601.3"),
    caught_by=("face-down-spell-may-be-cast",),
    on=("colours",),
)
def colours_must_fit(right: Rule, game: State, *, player: Player, o: Obj, **kwargs: Any) -> None:
    for colour in o.card.front.colours:
        able = add(game[MANA, player, _LETTERS[colour]], game[MANA, player, ManaKind.ANY])
        game.require(able >= 1, f"{player} has {colour} mana", "601.3")
    right(game, player=player, o=o, **kwargs)


@fault(
    "BR-33",
    "CAST",
    "phase-rs/phase issue 7769",
    "Costs of face-down spells are never reduced, and face-down spells are not counted.",
    breaks=(spell_rules._changes, stack.push),
    rules=("708.4", "601.2f", "702.37c"),
    caught_by=("reduction-reaches-face-down-spells", "face-down-spells-are-counted"),
    on=("reduced/1",),
)
def face_down_spells_are_no_quality(right: Rule, game: State, *args: Any, **kwargs: Any) -> Any:
    if right.__name__ != "_changes":
        for player in game.setup.players:
            game[CAST_DOWN, player] = False
        return right(game, *args, **kwargs)
    spell = args[1]
    return and_(right(game, *args, **kwargs), game[CAUSE, spell].is_(Cause.NONE))


@fault(
    "BR-34",
    "CAST",
    "magefree/mage issue 11923",
    "What reduces the cost of face-down spells knows morph, and misses disguise.",
    breaks=spell_rules._changes,
    rules=("708.4", "601.3e", "702.168b", "601.2f"),
    caught_by=("reduction-reaches-face-down-spells",),
    on=("reduced/2",),
)
def disguise_is_not_reduced(right: Rule, game: State, player: Player, spell: Obj, *args: Any) -> Term:
    return and_(right(game, player, spell, *args), game[CAUSE, spell].isnt(Cause.DISGUISE))


@fault(
    "BR-35",
    "CAST",
    "magefree/mage issue 10168",
    "A permission to cast colourless spells as though they had flash is judged "
    "on the printed card, and so denied to a coloured card with morph.",
    breaks=spell_rules._permissions,
    rules=("601.3b", "708.4"),
    caught_by=("flash-is-judged-on-the-face-down-spell",),
    on=("flash",),
)
def flash_looks_at_the_card(right: Rule, game: State, player: Player, spell: Obj) -> list[Term]:
    return [] if spell.card.front.colours else list(right(game, player, spell))


@fault(
    "BR-36",
    "CAST",
    "PennyDreadfulMTG/modo-bugs issue 768",
    "A permission to cast colourless spells from the top of the "
    "library does not let a land card with morph be cast face down.",
    breaks=casting_zones.origin_permissions,
    rules=("601.3e", "708.4"),
    caught_by=("permission-is-judged-on-the-face-down-spell",),
    on=("library_top",),
)
def lands_are_not_cast_from_there(right: Rule, game: State, player: Player, o: Obj) -> list[Any]:
    return [] if Type.LAND in o.card.front.types else list(right(game, player, o))


@fault(
    "BR-37",
    "CAST",
    "PennyDreadfulMTG/modo-bugs issue 769",
    "Casting a land card face down counts as playing a land.",
    breaks=_CAST,
    rules=("305.1", "702.37c"),
    caught_by=("casting-face-down-plays-no-land",),
    on=("land_with_morph",),
)
def casting_a_land_plays_it(right: Rule, game: State, *, player: Player, o: Obj, **kwargs: Any) -> None:
    right(game, player=player, o=o, **kwargs)
    if Type.LAND in o.card.front.types:
        game[LAND_PLAYED, player] = True


@fault(
    "BR-39",
    "CAST",
    "phase-rs/phase pull 5171",
    "A player who begins to cast a card face down and cancels is left with a face-down card in hand.",
    breaks=casting.actions,
    rules=("733.1", "702.37c", "708.4", "110.5"),
    caught_by=("unfinished-cast-leaves-no-trace", "face-down-only-on-battlefield-or-stack"),
    on=("S2",),
)
def cancelling_leaves_it_masked(right: Rule, peek: Any) -> Iterator[Candidate]:
    yield from right(peek)
    for o in peek.setup.cards():
        if o.card.front.face_down_costs and peek.may_be_in(o, Zone.HAND):
            label = Label("cancel", o.owner.name, f"begin to cast {o} face down, and cancel", (("card", o.name),))
            yield Candidate(label, partial(_cancel, o=o))


def _cancel(game: State, *, o: Obj) -> None:
    require_priority(game, o.owner)
    game.require(game[ZONE, o].is_(Zone.HAND), f"{o} is in hand", "601.3")
    game.require(game[CAUSE, o].is_(Cause.NONE), f"{o} is as it was", "601.3")
    game[CAUSE, o] = Cause.MORPH


# -- our own ----------------------------------------


@fault(
    "F-printed-type-is-banned",
    "CAST",
    "own",
    "A ban on creature spells looks at the printed card, and so does not stop a land card with morph.",
    breaks=spell_rules._bans,
    rules=("708.4", "601.3a"),
    caught_by=("bans-are-judged-on-the-face-down-spell",),
    on=("banned",),
)
def bans_look_at_the_card(right: Rule, game: State, player: Player, spell: Obj) -> list[Term]:
    down = game[CAUSE, spell].isnt(Cause.NONE)
    noncreature = Type.CREATURE not in spell.card.front.types
    return [and_(ban, not_(down)) if noncreature else ban for ban in right(game, player, spell)]


@fault(
    "F-all-spells-are-morphs",
    "CAST",
    "own",
    "A face-down spell becomes a permanent that counts as manifested.",
    breaks=resolving._resolve_face_down,
    rules=("708.4", "608.3a"),
    caught_by=("face-down-spell-enters-as-cast",),
    on=("S23/1",),
)
def enters_as_manifested(right: Rule, game: State, *, o: Obj, **kwargs: Any) -> None:
    right(game, o=o, **kwargs)
    with game.when(game[ZONE, o].is_(Zone.BATTLEFIELD)):
        game[CAUSE, o] = Cause.MANIFEST


@fault(
    "F-disguise-is-morph",
    "CAST",
    "own",
    "A card cast with disguise is recorded, and listed, as cast with morph.",
    breaks=_CAST,
    rules=("708.6", "702.168b"),
    caught_by=("cause-is-what-turned-it-down", "cast-face-down-is-hidden"),
    on=("S23/1",),
)
def disguise_is_morph(right: Rule, game: State, *, kind: str, **kwargs: Any) -> None:
    right(game, kind="morph", **kwargs)
