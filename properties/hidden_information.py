"""Properties of who may look, who has learned what, and what is public (708.5, 708.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.cards.abilities import LookPermission
from model.families import CAUSE, CONTROLLER, KNOWN, OVER, PRIORITY, ZONE
from model.setup import Obj, Player
from model.terms import FALSE, TRUE, Term, and_, not_, or_
from model.vocabulary import Cause, EventKind, Zone
from properties.kinds import Clause, Invariant, Possible, Property, StepRule, StepView, View
from properties.support import PERMANENT_OR_SPELL, down, shown_face

__all__ = ["PROPERTIES"]


def _pairs(view: View) -> Iterator[tuple[Player, Obj]]:
    return ((p, o) for p in view.setup.players for o in view.setup.objects)


def _hidden(view: View, o: Obj) -> Term:
    return and_(not_(view[OVER,]), down(view, o), view[ZONE, o].among(PERMANENT_OR_SPELL))


def _granted(view: View, p: Player) -> Term:
    """Whether a face-up permanent of the player has a printed permission to look."""
    lenses = [s for s in view.setup.objects if any(isinstance(a, LookPermission) for a in s.card.front.abilities)]
    return or_(*(and_(shown_face(view, s), view[CONTROLLER, s].is_(p)) for s in lenses))


def _own(view: View) -> Iterable[Clause]:
    if view.setup.looking:
        for p, o in _pairs(view):
            yield Clause(
                f"{o}: {p} controls it and may look at it",
                and_(_hidden(view, o), view[CONTROLLER, o].is_(p)),
                view.offered("look", p.name, object=o.name),
            )


def _not_others(view: View) -> Iterable[Clause]:
    if view.setup.looking:
        for p, o in _pairs(view):
            foreign = and_(_hidden(view, o), not_(view[CONTROLLER, o].is_(p)), not_(_granted(view, p)))
            yield Clause(
                f"{o}: {p} does not control it and may not look at it",
                foreign,
                not_(view.offered("look", p.name, object=o.name)),
            )


def _looking_changes_nothing(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule == "look":
        same = [not_(step.changed(family, o)) for family in (ZONE, CAUSE, CONTROLLER) for o in step.setup.objects]
        others = [
            not_(step.changed(KNOWN, p, o))
            for p in step.setup.players
            for o in step.setup.objects
            if p.name != step.action.label.actor
        ]
        yield Clause("looking changes nothing but what that player knows", TRUE, and_(*same, *others))


def _nothing_forgotten(step: StepView) -> Iterable[Clause]:
    for p in step.setup.players:
        for o in step.setup.objects:
            moved = or_(step.happens(EventKind.ENTERS, o), step.happens(EventKind.LEAVES, o), step.changed(ZONE, o))
            known = and_(step.before[KNOWN, p, o], not_(moved), not_(step.before[ZONE, o].is_(Zone.LIBRARY)))
            yield Clause(f"{o}: {p} still knows which card it is", known, step.after[KNOWN, p, o])


def _learned_only_by(step: StepView) -> Iterable[Clause]:
    """What a player learns about a face-down permanent: by looking, by reveal, or because it is face up."""
    for p in step.setup.players:
        for o in step.setup.objects:
            learned = and_(not_(step.before[KNOWN, p, o]), step.after[KNOWN, p, o])
            open_zone = step.after[ZONE, o].among((Zone.GRAVEYARD, Zone.EXILE))
            face_up = and_(step.after[ZONE, o].among(PERMANENT_OR_SPELL), not_(down(step.after, o)))
            own_hand = step.after[ZONE, o].is_(Zone.HAND) if p is o.owner else FALSE
            told = or_(step.happens(EventKind.REVEALED, o), step.happens(EventKind.LOOKED, o, p))
            yield Clause(
                f"{o}: {p} learned which card it is, and was allowed to",
                learned,
                or_(open_zone, face_up, own_hand, told),
            )


def _cause_matches(step: StepView) -> Iterable[Clause]:
    for o in step.setup.objects:
        for kind, cause in (
            (EventKind.MANIFESTED, Cause.MANIFEST),
            (EventKind.CLOAKED, Cause.CLOAK),
            (EventKind.TURNED_DOWN, Cause.TURNED_DOWN),
        ):
            there = and_(step.happens(kind, o), down(step.after, o), step.after[ZONE, o].is_(Zone.BATTLEFIELD))
            yield Clause(f"{o}: face down because it was {kind}", there, step.after[CAUSE, o].is_(cause))
    if step.action.label.rule == "cast face down":
        o = next(o for o in step.setup.objects if o.name == step.argument("card"))
        wanted = Cause.DISGUISE if step.argument("as") == "disguise" else Cause.MORPH
        yield Clause(f"{o}: face down because it was cast with {wanted}", TRUE, step.after[CAUSE, o].is_(wanted))


def _look_without_priority(step: StepView) -> Iterable[Clause]:
    label = step.action.label
    if label.rule == "look":
        actor = next(p for p in step.setup.players if p.name == label.actor)
        o = next(o for o in step.setup.objects if o.name == step.argument("object"))
        yield Clause(
            f"{o}: {actor} looks at it without priority",
            not_(step.before[PRIORITY,].is_(actor)),
            step.after[KNOWN, actor, o],
        )


def _look_at_spell(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule == "look":
        o = next(o for o in step.setup.objects if o.name == step.argument("object"))
        yield Clause(f"{o}: looked at on the stack", step.before[ZONE, o].is_(Zone.STACK), down(step.before, o))


def _look_by_permission(step: StepView) -> Iterable[Clause]:
    label = step.action.label
    if label.rule == "look":
        actor = next(p for p in step.setup.players if p.name == label.actor)
        o = next(o for o in step.setup.objects if o.name == step.argument("object"))
        yield Clause(f"{o}: {actor} looks at it by a permission", not_(step.before[CONTROLLER, o].is_(actor)), TRUE)


def _different_causes(view: View) -> Iterable[Clause]:
    objects = view.setup.objects
    for i, a in enumerate(objects):
        for b in objects[i + 1 :]:
            both = and_(_hidden(view, a), _hidden(view, b))
            yield Clause(f"{a} and {b}: face down for different causes", both, not_(view[CAUSE, a].is_(view[CAUSE, b])))


PROPERTIES: tuple[Property, ...] = (
    Invariant(
        "controller-may-look",
        "A player may look at any time at the face-down spells and permanents that the player controls.",
        ("708.5",),
        ("S13",),
        formula=_own,
    ),
    Invariant(
        "nobody-else-may-look",
        "A player may not look at a face-down spell or permanent of another player unless an effect allows it.",
        ("708.5",),
        ("S13",),
        formula=_not_others,
    ),
    StepRule(
        "looking-changes-nothing-else",
        "Looking changes nothing but what that player knows.",
        ("708.5",),
        ("S13",),
        formula=_looking_changes_nothing,
    ),
    StepRule(
        "nothing-is-forgotten",
        "What a player has learned about an object stays learned while it is that object and in no library.",
        ("708.6",),
        ("S22",),
        formula=_nothing_forgotten,
    ),
    StepRule(
        "learned-only-by-right",
        "A player learns which card an object is only by looking, by a reveal, or because it is to be seen.",
        ("708.5", "701.20a", "400.2"),
        ("S13",),
        formula=_learned_only_by,
    ),
    StepRule(
        "cause-is-what-turned-it-down",
        "The recorded cause of a face-down object is what made it face down.",
        ("708.6", "708.2"),
        ("S23",),
        formula=_cause_matches,
    ),
    Possible(
        "looked-without-priority",
        "A player looks at a face-down object without having priority.",
        ("708.5",),
        ("S13",),
        on_step=_look_without_priority,
    ),
    Possible("looked-at-a-spell", "A player looks at a face-down spell.", ("708.5",), ("S13",), on_step=_look_at_spell),
    Possible(
        "looked-by-permission",
        "A player looks at another player's face-down permanent by a permission.",
        ("708.5",),
        ("S13",),
        on_step=_look_by_permission,
    ),
    Possible(
        "face-down-for-different-causes",
        "Two objects are face down for different causes.",
        ("708.6",),
        ("S22", "S23"),
        on_state=_different_causes,
    ),
)
