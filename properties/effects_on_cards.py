"""Properties of instructions that move cards (608.2c): what is sacrificed, discarded, found, hidden, and put down."""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import EntryBan
from model.cards.fields import Amount
from model.cards.phrases import Filter, Who
from model.effects.face_down import PutFaceDown
from model.effects.libraries import Hideaway, Search
from model.effects.zones import Discard, Exile, PutOntoBattlefield, Sacrifice
from model.families import CONTROLLER, HIDDEN, KNOWN, LINKED, TAPPED, ZONE
from model.setup import Obj
from model.terms import FALSE, TRUE, and_, count, eq, not_, or_
from model.vocabulary import EventKind, Zone
from properties.kinds import Clause, Property, StepRule, StepView
from properties.support import (
    controller_of,
    controls,
    down,
    in_library,
    is_instant_or_sorcery,
    item_of,
    lost_abilities,
    on_battlefield,
    place_of,
    printed_triggers,
    shown_face,
    waiting_for,
)
from properties.told import carried_out, does_only, meant_objects, meant_players, surely_meets

__all__ = ["PROPERTIES"]

# -- sacrificing ----------------------------------------------------------------------------------------------------


def _sacrificed(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        for p in step.setup.players:
            yield Clause(
                f"{o}: sacrificed by {p}, who controls it",
                step.happens(EventKind.SACRIFICED, o, p),
                and_(
                    on_battlefield(step.before, o),
                    controls(step.before, o, p),
                    step.happens(EventKind.DIES, o),
                    step.after[ZONE, o].is_(Zone.GRAVEYARD),
                ),
            )
    effect = does_only(step, Sacrifice)
    if effect is None:
        return
    you = controller_of(step.setup, step.action)
    for o in meant_objects(step, effect.sacrifice):
        meant = and_(carried_out(step), on_battlefield(step.before, o))
        mine = controls(step.before, o, you)
        yield Clause(f"{o}: {you} has to sacrifice it", and_(meant, mine), step.happens(EventKind.SACRIFICED, o, you))
        yield Clause(f"{o}: not {you}'s to sacrifice", and_(meant, not_(mine)), on_battlefield(step.after, o))
    wanted = effect.sacrifice.filter
    if effect.sacrifice.who is Who.CHOSEN and wanted is not None:
        item = item_of(step.setup, step.action)
        assert item is not None
        fitting = {o: surely_meets(step.before, o, wanted, you, item.source) for o in step.setup.objects}
        gone = [and_(fits, step.happens(EventKind.SACRIFICED, o, you)) for o, fits in fitting.items()]
        yield Clause(
            f"{you}: sacrifices one of what was asked for, having one",
            and_(carried_out(step), or_(*fitting.values())),
            and_(count(gone).is_(1), count(step.times(EventKind.SACRIFICED)).is_(1)),
        )


def _seen_sacrificed(step: StepView) -> Iterable[Clause]:
    for w, ability in printed_triggers(step.setup, EventKind.SACRIFICED):
        wanted = ability.when.subject
        if wanted is None or not wanted.face_down or ability.when.batch or ability.condition is not None:
            continue
        for p in step.setup.players:
            stands = and_(shown_face(step.before, w), not_(lost_abilities(step.before, w)), controls(step.before, w, p))
            seen = count(
                and_(step.happens(EventKind.SACRIFICED, o), surely_meets(step.before, o, wanted, p, w))
                for o in step.setup.objects
            )
            more = waiting_for(step.after, w, ability) - waiting_for(step.before, w, ability)
            yield Clause(f"{w}: sees what was sacrificed as it was", and_(stands, seen >= 1), eq(more, seen))


# -- hands and libraries --------------------------------------------------------------------------------------------


def _discarded(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        for p in step.setup.players:
            held = or_(step.before[ZONE, o].is_(Zone.HAND), step.happens(EventKind.DRAWN, o, p))
            from_hand = held if o.owner is p else FALSE
            yield Clause(
                f"{o}: discarded by {p} from the hand",
                step.happens(EventKind.DISCARDED, o, p),
                and_(from_hand, step.after[ZONE, o].is_(Zone.GRAVEYARD)),
            )
    effect = does_only(step, Discard)
    if effect is None or (effect.discard != "hand" and effect.discard != Amount(effect.discard.fixed)):
        return
    for p in meant_players(step, effect.player):
        cards = [o for o in step.setup.cards() if o.owner is p]
        held = count(step.before[ZONE, o].is_(Zone.HAND) for o in cards)
        gone = count(
            and_(step.before[ZONE, o].is_(Zone.HAND), step.after[ZONE, o].is_(Zone.GRAVEYARD)) for o in cards
        )
        told, events = carried_out(step), count(step.times(EventKind.DISCARDED, p))
        yield Clause(f"{p}: every card discarded leaves the hand, and no other", told, eq(gone, events))
        if effect.discard == "hand":
            yield Clause(f"{p}: discards the whole hand", told, eq(gone, held))
            continue
        wanted = effect.discard.fixed
        yield Clause(f"{p}: discards {wanted}", and_(told, held >= wanted), gone.is_(wanted))
        yield Clause(f"{p}: discards all there are", and_(told, not_(held >= wanted)), eq(gone, held))


def _asks_print_only(wanted: Filter) -> bool:
    """Whether what is searched for is told by printed types, supertypes and subtypes."""
    plain = Filter(
        types=wanted.types, all_types=wanted.all_types, subtypes=wanted.subtypes, supertypes=wanted.supertypes,
        zone=wanted.zone, phrase=wanted.phrase,
    )
    return wanted == plain


def _is_asked_for(o: Obj, wanted: Filter) -> bool:
    front = o.card.front
    return (
        wanted.all_types <= front.types
        and wanted.supertypes <= front.supertypes
        and (not wanted.types or bool(wanted.types & front.types))
        and (not wanted.subtypes or bool(wanted.subtypes & front.subtypes))
    )


def _found(step: StepView) -> Iterable[Clause]:
    effect = does_only(step, Search)
    if effect is None or not _asks_print_only(effect.search):
        return
    you, choice = controller_of(step.setup, step.action), step.argument("choice") or ""
    for o in step.setup.cards():
        held = step.before[ZONE, o].is_(Zone.LIBRARY)
        if choice != f"finding {o}":
            yield Clause(f"{o}: not found, and left in its library", held, step.after[ZONE, o].is_(Zone.LIBRARY))
            continue
        there = [step.after[ZONE, o].is_(Zone(effect.to))]
        if effect.to == "battlefield":
            there += [step.after[CONTROLLER, o].is_(you), not_(down(step.after, o))]
            there.append(step.after[TAPPED, o] if effect.tapped else not_(step.after[TAPPED, o]))
        right = TRUE if o.owner is you and _is_asked_for(o, effect.search) else FALSE
        yield Clause(f"{o}: found by {you}, who searched for {effect.search.phrase}", TRUE, and_(held, right, *there))


def _shuffled(step: StepView) -> Iterable[Clause]:
    if does_only(step, Search) is None:
        return
    you = controller_of(step.setup, step.action)
    for o in step.setup.cards():
        if o.owner is you:
            stays = and_(step.before[ZONE, o].is_(Zone.LIBRARY), step.after[ZONE, o].is_(Zone.LIBRARY))
            unknown = and_(*(not_(step.after[KNOWN, p, o]) for p in step.setup.players))
            yield Clause(f"{o}: somewhere in a shuffled library", stays, unknown)


def _hidden_away(step: StepView) -> Iterable[Clause]:
    effect, item = does_only(step, Hideaway), item_of(step.setup, step.action)
    if effect is None or item is None:
        return
    you, choice = controller_of(step.setup, step.action), step.argument("choice") or ""
    cards, others = [o for o in step.setup.cards() if o.owner is you], step.setup.others(you)
    for o in cards:
        held = step.before[ZONE, o].is_(Zone.LIBRARY)
        looked = and_(held, place_of(step.before, o) < effect.hideaway)
        if choice == f"hiding {o}":
            hidden = [
                step.after[ZONE, o].is_(Zone.EXILE),
                step.after[HIDDEN, o],
                step.after[LINKED, o].is_(item.source),
                step.after[KNOWN, you, o],
                *(or_(step.before[KNOWN, p, o], not_(step.after[KNOWN, p, o])) for p in others),
            ]
            top = f"one of the top {effect.hideaway}"
            yield Clause(f"{o}: {top}, exiled face down for {you} alone to know", TRUE, and_(looked, *hidden))
            continue
        yield Clause(f"{o}: not the one that is exiled", held, step.after[ZONE, o].is_(Zone.LIBRARY))
        for below in cards:
            if below is not o and choice != f"hiding {below}":
                deep = place_of(step.before, below) >= effect.hideaway
                under = and_(step.before[ZONE, below].is_(Zone.LIBRARY), deep)
                yield Clause(
                    f"{o}: looked at, and on the bottom below {below}",
                    and_(looked, under),
                    place_of(step.after, below) < place_of(step.after, o),
                )
    exiled = [step.after[ZONE, o].is_(Zone.EXILE) for o in cards if choice == f"hiding {o}"]
    yield Clause(f"{you}: exiles one of them, having any", in_library(step.before, you) >= 1, or_(*exiled))


def _exiled_with(step: StepView) -> Iterable[Clause]:
    effect, item = does_only(step, Exile), item_of(step.setup, step.action)
    if effect is None or item is None or not effect.linked:
        return
    for o in meant_objects(step, effect.exile):
        if not o.token:
            hidden = step.after[HIDDEN, o]
            yield Clause(
                f"{o}: exiled with {item.source}, as its other abilities can tell",
                carried_out(step),
                and_(
                    step.after[ZONE, o].is_(Zone.EXILE),
                    step.after[LINKED, o].is_(item.source),
                    hidden if effect.face_down else not_(hidden),
                ),
            )


# -- onto the battlefield -------------------------------------------------------------------------------------------


def _only_the_types(step: StepView) -> Iterable[Clause]:
    hidden, shown = does_only(step, PutFaceDown), does_only(step, PutOntoBattlefield)
    effect = hidden or shown
    if effect is None or not effect.only or effect.under is not None:
        return
    if any(isinstance(a, EntryBan) for o in step.setup.objects for a in step.setup.abilities_of(o)):
        return
    meant = hidden.put_face_down if hidden is not None else shown.put_onto_battlefield if shown is not None else None
    assert meant is not None
    words = " or ".join(str(kind) for kind in effect.only)
    for o in meant_objects(step, meant):
        there = and_(carried_out(step), not_(on_battlefield(step.before, o)))
        if not set(effect.only) & o.card.front.types:
            yield Clause(f"{o}: no {words} card, and left where it is", there, not_(step.changed(ZONE, o)))
        elif hidden is not None or not is_instant_or_sorcery(o):
            is_down = down(step.after, o)
            status = is_down if hidden is not None else not_(is_down)
            yield Clause(f"{o}: a {words} card, and put down", there, and_(on_battlefield(step.after, o), status))


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "who-sacrifices-controls-it",
        "A player who is told to sacrifice a permanent does so if it is under that player's control, and only then; "
        "one who is told to sacrifice one of a kind, and has one, sacrifices one.",
        ("701.21a", "608.2d"),
        formula=_sacrificed,
    ),
    StepRule(
        "sacrifices-are-seen-as-they-were",
        "An ability that triggers when a face-down permanent is sacrificed looks at it as it was on the battlefield.",
        ("603.10a", "701.21a"),
        formula=_seen_sacrificed,
    ),
    StepRule(
        "discards-as-many-as-told",
        "A player who is told to discard cards discards that many cards of the own hand, or all if there are fewer.",
        ("701.9a", "608.2d"),
        formula=_discarded,
    ),
    StepRule(
        "finds-what-is-searched-for",
        "A player who searches a library finds there what was asked for, or nothing, and puts it where it is to go.",
        ("701.23a",),
        formula=_found,
    ),
    StepRule(
        "nobody-knows-a-searched-library",
        "After a search the library is shuffled, and nobody knows which of its cards is which.",
        ("701.23a",),
        formula=_shuffled,
    ),
    StepRule(
        "hides-one-of-the-top-cards",
        "Hideaway exiles one of the top cards face down, known to its controller, and puts the others on the bottom.",
        ("702.75a", "406.3"),
        formula=_hidden_away,
    ),
    StepRule(
        "exiled-with-is-remembered",
        "What an ability exiles for another ability of the same object to speak of is exiled with that object.",
        ("607.2a", "701.13a"),
        formula=_exiled_with,
    ),
    StepRule(
        "only-cards-of-the-types-are-put-down",
        "Where only cards of some types are put onto the battlefield, the printed types of the card decide.",
        ("608.2c", "400.4a"),
        formula=_only_the_types,
    ),
)
