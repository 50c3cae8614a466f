"""Properties of manifesting, cloaking and manifesting dread: procedures that nothing interrupts (701.40, 701.62)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from model.cards.abilities import EntryBan
from model.cards.phrases import Who
from model.effects.board import Attach, Counters
from model.effects.face_down import Cloak, Manifest, ManifestDread
from model.families import (
    ATTACHED,
    CAUSE,
    CONTROLLER,
    COUNTERS,
    KNOWN,
    LEFT,
    PRIORITY,
    SETTLED,
    ZONE,
)
from model.setup import Item, Obj, Player
from model.terms import FALSE, TRUE, Term, and_, count, not_, number, or_
from model.vocabulary import Cause, CounterKind, EventKind, Marker, Zone
from properties.kinds import Clause, Possible, Property, StepRule, StepView, View
from properties.support import (
    controller_of,
    down,
    in_library,
    instructions,
    is_instant_or_sorcery,
    item_of,
    on_battlefield,
    place_of,
    resolves,
)

__all__ = ["PROPERTIES", "dread", "enters"]


def dread(step: StepView) -> Iterator[tuple[Player, Term, int]]:
    """Each player who is told to manifest dread in the step, with when, and how often.

    Read off the printed instruction of what resolves; it is carried out unless every target is illegal.
    """
    effect = resolves(step, ManifestDread)
    if not isinstance(effect, ManifestDread):
        return
    x = int(step.argument("x") or 0)
    times = 1 if effect.times is None else effect.times.fixed + effect.times.per_x * x
    item = item_of(step.setup, step.action)
    assert item is not None
    yield from ((p, condition, times) for p, condition in _told(step, item, effect))


def _told(step: StepView, item: Item, effect: ManifestDread) -> Iterator[tuple[Player, Term]]:
    """Who is told, where that can be read off the card: the controller, or the controller of the one target."""
    if effect.manifest_dread.who is Who.YOU:
        if not getattr(item.ability or item.spell, "targets", ()) and not getattr(item.ability, "may", False):
            yield controller_of(step.setup, step.action), TRUE
    elif effect.manifest_dread.who is Who.CONTROLLER:
        name = step.argument("target")
        target = next((o for o in step.setup.objects if o.name == name), None)
        if target is not None:
            still = and_(on_battlefield(step.before, target), not_(on_battlefield(step.after, target)))
            for p in step.setup.players:
                yield p, and_(step.before[CONTROLLER, target].is_(p), still)


def enters(step: StepView, o: Obj) -> Term:
    return and_(not_(on_battlefield(step.before, o)), on_battlefield(step.after, o))


def _manifested(step: StepView, o: Obj, p: Player) -> Term:
    """Whether the card comes from its library onto the battlefield face down under the player's control."""
    return and_(
        step.before[ZONE, o].is_(Zone.LIBRARY),
        on_battlefield(step.after, o),
        step.after[CAUSE, o].is_(Cause.MANIFEST),
        step.after[CONTROLLER, o].is_(p),
    )


def _library(step: StepView, p: Player) -> list[Obj]:
    return [o for o in step.setup.cards() if o.owner is p]


def _bars_entering(step: StepView) -> bool:
    """Whether anything in the scenario can keep a card from being manifested (701.40f)."""
    return any(isinstance(a, EntryBan) for o in step.setup.objects for a in step.setup.abilities_of(o))


def _one_of_two(step: StepView) -> Iterable[Clause]:
    for p, told, times in dread(step):
        if times != 1 or _bars_entering(step):
            continue
        enough = and_(told, in_library(step.before, p) >= 2)
        cards = _library(step, p)
        one = count(_manifested(step, o, p) for o in cards).is_(1)
        for o in cards:
            here = step.before[ZONE, o].is_(Zone.LIBRARY)
            place = place_of(step.before, o)
            looked = and_(here, place <= 1)
            fate = or_(_manifested(step, o, p), step.after[ZONE, o].is_(Zone.GRAVEYARD))
            yield Clause(
                f"{o}: one of two looked at, manifested or put into the graveyard",
                and_(enough, looked),
                and_(one, fate),
            )
            yield Clause(
                f"{o}: below the top two, not moved",
                and_(enough, here, place > 1),
                step.after[ZONE, o].is_(Zone.LIBRARY),
            )


def _looked_at(step: StepView) -> Iterable[Clause]:
    for p, told, times in dread(step):
        for o in _library(step, p):
            looked = and_(told, step.before[ZONE, o].is_(Zone.LIBRARY), place_of(step.before, o) < 2 * max(times, 1))
            if times == 1:
                yield Clause(f"{o}: {p} has seen it", looked, step.after[KNOWN, p, o])


def _only_card(step: StepView) -> Iterable[Clause]:
    for p, told, times in dread(step):
        if times == 1 and not _bars_entering(step):
            for o in _library(step, p):
                yield Clause(
                    f"{o}: the only card of the library, manifested",
                    and_(told, in_library(step.before, p).is_(1), step.before[ZONE, o].is_(Zone.LIBRARY)),
                    _manifested(step, o, p),
                )


def _empty_library(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    for p, told, _ in dread(step):
        unmoved = [
            not_(step.changed(ZONE, o))
            for o in _library(step, p)
            if item is None or (o is not item.source and o.name != step.argument("target"))
        ]
        yield Clause(
            f"{p}: nothing happens, and the game is not lost",
            and_(told, in_library(step.before, p).is_(0)),
            and_(*unmoved, not_(step.after[LEFT, p])),
        )


def _one_at_a_time(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    effects = [] if item is None else [e for e in instructions(item) if isinstance(e, Manifest | Cloak | ManifestDread)]
    if len(effects) == 1 and effects[0].times is not None:
        x = int(step.argument("x") or 0)
        times = effects[0].times.fixed + effects[0].times.per_x * x
        if times < 2 or not any(w.who is Who.YOU for w in (getattr(effects[0], effects[0].verb),)):
            return
        p = controller_of(step.setup, step.action)
        entering = count(enters(step, o) for o in _library(step, p))
        events = count(step.times(EventKind.ENTERS))
        yield Clause(
            f"{p}: {times} cards are put down one after another, each an event of its own",
            in_library(step.before, p) >= number(2 * times),
            and_(entering.is_(times), events.is_(times)),
        )


def _nothing_between(step: StepView) -> Iterable[Clause]:
    for p, told, times in dread(step):
        yield Clause(
            f"{p}: nobody had priority while dread was manifested",
            and_(told, TRUE if times else FALSE),
            step.before[PRIORITY,].is_(Marker.NONE),
        )


def _counters_first(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    if item is None:
        return
    effects = instructions(item)
    puts = [e for e in effects if isinstance(e, Counters) and e.on.who is Who.RESULTS]
    if not puts or resolves(step, ManifestDread) is None:
        return
    x = int(step.argument("x") or 0)
    wanted = puts[0].counters.fixed + puts[0].counters.per_x * x
    for o in step.setup.cards():
        arrives = and_(enters(step, o), step.before[ZONE, o].is_(Zone.LIBRARY))
        yield Clause(
            f"{o}: has its {wanted} counters before anything else can happen",
            arrives,
            step.after[COUNTERS, o, CounterKind.PLUS].is_(wanted),
        )


def _controller_manifests(step: StepView) -> Iterable[Clause]:
    effect = resolves(step, ManifestDread) or resolves(step, Manifest)
    if effect is None:
        return
    who = getattr(effect, effect.verb)
    if who.who is not Who.CONTROLLER:
        return
    name = step.argument("target")
    target = next((o for o in step.setup.objects if o.name == name), None)
    if target is None:
        return
    for p in step.setup.players:
        theirs = and_(
            on_battlefield(step.before, target),
            step.before[CONTROLLER, target].is_(p),
            not_(on_battlefield(step.after, target)),
        )
        for o in step.setup.cards():
            arrives = and_(theirs, enters(step, o))
            yield Clause(
                f"{o}: from the library of {p}, who controlled {target}, and under {p}'s control",
                arrives,
                and_(TRUE if o.owner is p else FALSE, step.after[CONTROLLER, o].is_(p)),
            )
        has = and_(theirs, in_library(step.before, p) >= 1)
        mine = or_(*(and_(enters(step, o), step.after[CONTROLLER, o].is_(p)) for o in _library(step, p)))
        yield Clause(f"{p}: controlled {target}, and manifests", has, mine)


def _library_of(size: int) -> Callable[[StepView], Iterable[Clause]]:
    def formula(step: StepView) -> Iterable[Clause]:
        for p, told, _ in dread(step):
            yield Clause(
                f"{p}: manifests dread with a library of {size}", and_(told, in_library(step.before, p).is_(size)), TRUE
            )

    return formula


def _either_card(place: int) -> Callable[[StepView], Iterable[Clause]]:
    def formula(step: StepView) -> Iterable[Clause]:
        for p, told, times in dread(step):
            for o in _library(step, p):
                if times == 1:
                    at = and_(
                        told,
                        in_library(step.before, p) >= 2,
                        step.before[ZONE, o].is_(Zone.LIBRARY),
                        place_of(step.before, o).is_(place),
                    )
                    yield Clause(f"{o}: card {place + 1} from the top, manifested", at, _manifested(step, o, p))

    return formula


def _any_card_enters(step: StepView) -> Iterable[Clause]:
    for o in step.setup.cards():
        if is_instant_or_sorcery(o):
            yield Clause(f"{o}: an instant or sorcery card, manifested", enters(step, o), down(step.after, o))


def _equipment_gone(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    if item is None or item.ability is None or resolves(step, ManifestDread) is None:
        return
    gone = not_(on_battlefield(step.before, item.source))
    for p, told, _ in dread(step):
        for o in _library(step, p):
            yield Clause(
                f"{o}: manifested though {item.source} has left the battlefield",
                and_(told, gone),
                and_(_manifested(step, o, p), not_(step.after[ATTACHED, item.source].is_(o))),
            )


def _source_may_be_gone(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    if item is None or item.ability is None:
        return
    gone = not_(on_battlefield(step.before, item.source))
    for p, told, _ in dread(step):
        made = or_(*(_manifested(step, o, p) for o in _library(step, p)))
        unattached = step.after[ATTACHED, item.source].is_(Marker.NONE)
        yield Clause(
            f"{item.source}: has left, and dread is manifested all the same",
            and_(told, gone, in_library(step.before, p) >= 1),
            and_(made, unattached),
        )


def _attaches(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    if item is None or item.ability is None:
        return
    if not any(isinstance(e, Attach) and e.attach.who is Who.THIS for e in instructions(item)):
        return
    there = on_battlefield(step.before, item.source)
    for p, told, _ in dread(step):
        for o in _library(step, p):
            yield Clause(
                f"{item.source}: attached to {o}, which was manifested",
                and_(told, there, _manifested(step, o, p)),
                step.after[ATTACHED, item.source].is_(o),
            )


def _survives(view: View) -> Iterable[Clause]:
    for o in view.setup.cards():
        yield Clause(
            f"{o}: alive, face down, with a +1/+1 counter",
            and_(on_battlefield(view, o), down(view, o)),
            and_(view[SETTLED,], view[COUNTERS, o, CounterKind.PLUS] >= 1),
        )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "manifest-dread-manifests-one-of-two",
        "To manifest dread, a player manifests one of the top two cards and puts the other into the graveyard.",
        ("701.62a", "701.40a"),
        ("S1",),
        formula=_one_of_two,
    ),
    StepRule(
        "manifest-dread-looks-at-both",
        "The player who manifests dread has seen both cards.",
        ("701.62a",),
        ("S1",),
        formula=_looked_at,
    ),
    StepRule(
        "manifest-dread-with-one-card",
        "With one card in the library, that card is manifested.",
        ("701.62a",),
        ("S10",),
        formula=_only_card,
    ),
    StepRule(
        "manifest-dread-with-empty-library",
        "With an empty library, manifesting dread does nothing, and nobody loses for it.",
        ("701.62a", "101.3"),
        ("S11",),
        formula=_empty_library,
    ),
    StepRule(
        "manifested-one-at-a-time",
        "Several cards are manifested one at a time, each an entering of its own.",
        ("701.40e", "701.58e"),
        ("S27",),
        formula=_one_at_a_time,
    ),
    StepRule(
        "nobody-acts-while-manifesting",
        "Nobody has priority while dread is manifested, however often.",
        ("701.62a", "117.2e"),
        ("S27", "S29"),
        formula=_nothing_between,
    ),
    StepRule(
        "counters-before-anything-else",
        "Between manifesting and the counters that the same instructions put on, nothing happens.",
        ("608.2c", "704.3", "704.4"),
        ("S29",),
        formula=_counters_first,
    ),
    StepRule(
        "its-controller-manifests",
        "When its controller manifests, that player's library, choice and control it is.",
        ("608.2c", "608.2h", "110.2a"),
        ("S30",),
        formula=_controller_manifests,
    ),
    StepRule(
        "manifests-though-the-source-is-gone",
        "The trigger of an Equipment that has left still manifests dread, and attaches nothing.",
        ("608.2c", "101.3", "113.7a"),
        ("S26",),
        formula=_source_may_be_gone,
    ),
    StepRule(
        "equipment-attaches-to-the-manifested",
        "The Equipment is attached to the creature that its trigger manifested.",
        ("701.3a", "608.2c", "400.7j"),
        ("S26",),
        formula=_attaches,
    ),
    Possible(
        "manifest-dread-first-card",
        "The first of two cards is manifested.",
        ("701.62a",),
        ("S1",),
        on_step=_either_card(0),
    ),
    Possible(
        "manifest-dread-second-card",
        "The second of two cards is manifested.",
        ("701.62a",),
        ("S1",),
        on_step=_either_card(1),
    ),
    Possible(
        "manifest-dread-library-of-one",
        "Dread is manifested with one card in the library.",
        ("701.62a",),
        ("S10",),
        on_step=_library_of(1),
    ),
    Possible(
        "manifest-dread-library-of-none",
        "Dread is manifested with no card in the library.",
        ("701.62a",),
        ("S11",),
        on_step=_library_of(0),
    ),
    Possible(
        "instant-or-sorcery-manifested",
        "An instant or sorcery card is put onto the battlefield face down.",
        ("701.40a",),
        ("S24",),
        on_step=_any_card_enters,
    ),
    Possible(
        "equipment-gone-when-its-trigger-resolves",
        "An Equipment has left when its trigger manifests dread.",
        ("113.7a",),
        ("S26",),
        on_step=_equipment_gone,
    ),
    Possible(
        "counters-save-the-manifested",
        "A face-down creature is alive with its +1/+1 counters under an effect that would kill it without them.",
        ("704.3", "704.4"),
        ("S29",),
        on_state=_survives,
    ),
)
