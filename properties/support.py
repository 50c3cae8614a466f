"""What properties share: facts read from raw state and printed cards, stated apart from the rules that decide.

Nothing here calls what a rule uses to decide.  Who lost abilities, for example, is read off the effects that are in
force and the printed cards they stand on, not off the layers.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.cards.abilities import Ability, Changes, CostChange, Costs, FaceDownCost, StaticAbility, TriggeredAbility
from model.cards.card import Face
from model.cards.phrases import Filter, Who
from model.effects.base import Effect
from model.effects.continuous import BecomeCopy
from model.families import (
    ABOVE,
    ATTACHED,
    BY,
    CAUSE,
    CONTROLLER,
    COPIED,
    EFFECT,
    ITEM,
    KNOWN,
    LIFE,
    MANA,
    OVER,
    PENDING,
    PRIORITY,
    SETTLED,
    TAKER,
    ZONE,
)
from model.parts import parts_of
from model.setup import Item, Obj, Player, Setup
from model.system import Action
from model.terms import FALSE, TRUE, Term, add, and_, count, eq, not_, number, or_
from model.vocabulary import Cause, EventKind, ManaKind, Marker, Type, Zone
from properties.kinds import StepView, View

__all__ = [
    "PERMANENT_OR_SPELL",
    "can_surely_pay",
    "cannot_turn_up",
    "controls",
    "down",
    "everybody_knows",
    "has_printed",
    "holder_acts",
    "in_library",
    "instructions",
    "is_instant_or_sorcery",
    "item_of",
    "lost_abilities",
    "on_battlefield",
    "place_of",
    "pure_mana",
    "resolves",
    "shown_face",
    "unmodified",
    "waiting_for",
]

PERMANENT_OR_SPELL = (Zone.BATTLEFIELD, Zone.STACK)


def on_battlefield(view: View, o: Obj) -> Term:
    """Whether the object is on the battlefield."""
    return view[ZONE, o].is_(Zone.BATTLEFIELD)


def down(view: View, o: Obj) -> Term:
    """Whether the object has a cause for being face down."""
    return view[CAUSE, o].isnt(Cause.NONE)


def is_instant_or_sorcery(o: Obj) -> bool:
    """Whether the card's front face is an instant or sorcery."""
    return not o.token and bool(o.card.front.types & {Type.INSTANT, Type.SORCERY})


def everybody_knows(view: View, o: Obj) -> Term:
    """Whether every player has learned which card the object is."""
    return and_(*(view[KNOWN, p, o] for p in view.setup.players))


def holder_acts(view: View, player: Player) -> Term:
    """Whether the player has priority in a settled game that is not over."""
    return and_(not_(view[OVER,]), view[SETTLED,], view[PRIORITY,].is_(player))


def pure_mana(costs: Costs) -> bool:
    """Whether a cost is mana and nothing else."""
    return costs.mana is not None and costs == Costs(mana=costs.mana)


def can_surely_pay(view: View, player: Player, costs: Costs) -> Term:
    """Whether mana that pays anything covers a pure mana cost, X being 0; enough, though not necessary, to pay."""
    if not pure_mana(costs) or costs.mana is None:
        return FALSE
    return view[MANA, player, ManaKind.ANY] >= number(costs.mana.mana_value)


def cannot_surely_pay(view: View, player: Player, costs: Costs) -> Term:
    """Whether all the player's mana together is less than the cost."""
    if costs.mana is None:
        return FALSE
    return add(*(view[MANA, player, kind] for kind in ManaKind)) < number(costs.mana.mana_value)


# -- which face shows, and what effects are in force -----------------------------------------------


def unmodified(view: View, o: Obj) -> Term:
    """Whether no copy effect applies to the object."""
    return view[COPIED, o].is_(Marker.NONE)


def shown_face(view: View, o: Obj) -> Term:
    """Whether the object is a face-up permanent that shows its own front face, uncopied."""
    return and_(on_battlefield(view, o), not_(down(view, o)), unmodified(view, o))


def has_printed(o: Obj, kind: type[Ability]) -> bool:
    """Whether the front face has an ability of a class."""
    return any(isinstance(a, kind) for a in o.card.front.abilities)


def _statics(setup: Setup) -> Iterator[tuple[Obj, StaticAbility]]:
    return ((o, a) for o in setup.objects for a in o.card.front.abilities if isinstance(a, StaticAbility))


def lost_abilities(view: View, o: Obj) -> Term:
    """Whether an effect in force takes all abilities from the object as it would be face up.

    Reads effects that resolutions started, and printed static abilities of face-up permanents; whether one of the
    latter reaches the object is judged on the object's printed front face.
    """
    setup = view.setup
    found = [view[EFFECT, shot, o] > 0 for shot in setup.shots if shot.changes.lose_abilities]
    for source, ability in _statics(setup):
        if ability.lose_abilities:
            found.append(and_(shown_face(view, source), _reaches(view, source, ability, o)))
    return or_(*found)


def cannot_turn_up(view: View, o: Obj) -> Term:
    """Whether an effect in force says that the object cannot be turned face up."""
    setup = view.setup
    found = [view[EFFECT, shot, o] > 0 for shot in setup.shots if shot.changes.cant_turn_up]
    for source, ability in _statics(setup):
        if ability.cant_turn_up:
            found.append(and_(shown_face(view, source), _reaches(view, source, ability, o)))
    return or_(*found)


def controls(view: View, o: Obj, player: Player) -> Term:
    """Whether a player controls the object (110.2, 613.1b).

    Reads who controls it before layer 2, effects that resolutions started, and printed static abilities; of several
    effects that give control at once, each counts.
    """
    setup = view.setup
    shots = (shot for shot in setup.shots if shot.changes.control is not None)
    taken = [(view[EFFECT, shot, o] > 0, view[TAKER, shot].is_(player)) for shot in shots]
    for source, ability in _statics(setup):
        if ability.control is not None and source is not o:
            here = and_(shown_face(view, source), _reaches(view, source, ability, o))
            taken.append((here, view[CONTROLLER, source].is_(player)))
    own = and_(view[CONTROLLER, o].is_(player), *(not_(here) for here, _ in taken))
    return or_(own, *(and_(here, theirs) for here, theirs in taken))


def _reaches(view: View, source: Obj, ability: StaticAbility, o: Obj) -> Term:
    selector = ability.static
    match selector.who:
        case Who.HOST:
            return view[ATTACHED, source].is_(o)
        case Who.EACH if selector.filter is not None:
            return _front_matches(view, source, selector.filter, o)
    return TRUE if o is source else FALSE


def _front_matches(view: View, source: Obj, wanted: Filter, o: Obj) -> Term:
    """Whether the printed front face meets a filter on types, controller and status."""
    types = o.card.front.types
    printed = wanted.all_types <= types and (not wanted.types or wanted.types & types) and not wanted.not_types & types
    if not printed or (wanted.other and o is source):
        return FALSE
    tests = []
    if wanted.controller is not None:
        mine = eq(view[CONTROLLER, source], view[CONTROLLER, o])
        tests.append(mine if wanted.controller == "you" else not_(mine))
    if wanted.face_down is not None:
        tests.append(FALSE if wanted.face_down else TRUE)
    return and_(on_battlefield(view, o), *tests)


def changes_of(setup: Setup) -> Iterator[Changes]:
    """Every set of changes that any ability of the scenario can make."""
    for _, _, part in setup.parts:
        if isinstance(part, Changes):
            yield part


def sets_types(setup: Setup) -> bool:
    """Whether anything in the scenario changes card types or land types, so that printed faces are no evidence."""
    basic = {"Plains", "Island", "Swamp", "Mountain", "Forest"}
    return any(c.types is not None or c.add_types or basic.intersection(c.subtypes or ()) for c in changes_of(setup))


def changes_costs(setup: Setup) -> bool:
    """Whether anything in the scenario changes what turning face up costs, so that the printed cost is no evidence."""
    return any(isinstance(a, CostChange) for o in setup.objects for a in setup.abilities_of(o))


def makes_copies(setup: Setup) -> bool:
    """Whether anything in the scenario copies."""
    return any(isinstance(part, BecomeCopy) for _, _, part in setup.parts)


# -- libraries -------------------------------------------------------------------------------------


def in_library(view: View, player: Player) -> Term:
    """How many cards a library has."""
    return count(view[ZONE, o].is_(Zone.LIBRARY) for o in view.setup.cards() if o.owner is player)


def place_of(view: View, o: Obj) -> Term:
    """How many cards of its library are above a card in it."""
    return count(
        and_(view[ZONE, other].is_(Zone.LIBRARY), view[ABOVE, other, o])
        for other in view.setup.cards()
        if other is not o and other.owner is o.owner
    )


# -- the stack and triggers ------------------------------------------------------------------------


def item_of(setup: Setup, action: Action) -> Item | None:
    """What an action resolves, if it resolves a spell or ability face up."""
    if action.label.rule != "resolve":
        return None
    name = dict(action.label.arguments)["item"]
    return next(item for item in setup.items if str(item) == name)


def controller_of(setup: Setup, action: Action) -> Player:
    """Who controls what an action resolves."""
    name = dict(action.label.arguments)["by"]
    return next(p for p in setup.players if p.name == name)


def instructions(item: Item) -> tuple[Effect, ...]:
    """The printed instructions of a spell or ability."""
    if item.spell is not None:
        return item.spell.spell
    return getattr(item.ability, "do", ())


def resolves(step: StepView, kind: type[Effect]) -> Effect | None:
    """The printed instruction of a kind that a step carries out, if it resolves something that has one."""
    item = item_of(step.setup, step.action)
    if item is None:
        return None
    return next((part for effect in instructions(item) for part in parts_of(effect) if isinstance(part, kind)), None)


def waiting_for(view: View, watcher: Obj, ability: TriggeredAbility) -> Term:
    """How many instances of a triggered ability wait."""
    item = view.setup.item(watcher, ability)
    return add(*(view[PENDING, item, that, p] for i, that, p in view.setup.waiting if i is item))


def on_stack_top(view: View, item: Item, player: Player) -> Term:
    """Whether a player's spell or ability is on top of the stack."""
    return and_(view[ITEM, 0].is_(item), view[BY, 0].is_(player))


def printed_triggers(setup: Setup, kind: EventKind) -> Iterator[tuple[Obj, TriggeredAbility]]:
    """Printed front-face abilities that a kind of event can trigger."""
    return (
        (o, a)
        for o in setup.objects
        for a in o.card.front.abilities
        if isinstance(a, TriggeredAbility) and a.when.event is kind
    )


def keyword_costs(face: Face) -> Iterator[FaceDownCost]:
    """The morph, megamorph and disguise abilities printed on a face."""
    return (a for a in face.abilities if isinstance(a, FaceDownCost))


def in_game(view: View) -> Term:
    """Whether the game goes on."""
    return not_(view[OVER,])


def life(view: View, player: Player) -> Term:
    """A player's life total."""
    return view[LIFE, player]
