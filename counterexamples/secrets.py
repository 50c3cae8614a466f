"""Checking secrecy: which games a player may not be able to tell apart, and a search through pairs of their plays."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from counterexamples.explain import TraceMaker, describe, ending, state_in_words
from counterexamples.trace import Beside, Trace, TraceStep
from counterexamples.wording import in_words
from model.cards.card import Card
from model.cards.pool import find_card
from model.composition import compose
from model.errors import InputError, nearest
from model.families import KNOWN
from model.game import build_system
from model.readings.evaluate import Valuation, replay
from model.scenario import Scenario, build_scenario
from model.setup import Obj, Player, Setup
from model.state import Event
from model.system import Code, Path, Step, TransitionSystem
from model.terms import Term, or_
from model.vocabulary import EventKind, TurnStep
from properties.disclosures import may_know
from properties.kinds import Clause, Instance, PairView, View

__all__ = ["Build", "Difference", "HiddenCard", "PairOfGames", "differences", "pair_of", "trace_of_pair"]

Build = Callable[[str, Setup], TransitionSystem]
"""Makes the system of a scenario: of its name and its setup."""


@dataclass(frozen=True, slots=True)
class HiddenCard:
    """An object that is one card in the first of two games and another in the second.

    Parameters
    ----------
    index
        The index of the object.
    name
        What it is called in both games, so that its name tells nothing.
    cards
        What it is in either.
    """

    index: int
    name: str
    cards: tuple[Card, Card]


@dataclass(frozen=True, slots=True)
class Difference:
    """What makes two games differ that a player may not tell apart.

    Parameters
    ----------
    player
        The name of the player.
    hidden
        The objects that make the difference.
    """

    player: str
    hidden: tuple[HiddenCard, ...]

    def says(self, side: int) -> str:
        """What the hidden cards are in one of the games."""
        return ", ".join(f"{entry.name} is {entry.cards[side]}" for entry in self.hidden)


@dataclass(frozen=True, slots=True)
class PairOfGames:
    """Two games side by side.

    Attributes
    ----------
    scenarios, systems
        The two games.
    both
        Their composition.
    view
        What properties of secrecy read.
    """

    difference: Difference
    scenarios: tuple[Scenario, Scenario]
    systems: tuple[TransitionSystem, TransitionSystem]
    both: TransitionSystem
    view: PairView


def differences(scenario: Scenario) -> list[Difference]:
    """Every two games of a scenario that some player may not be able to tell apart at the start.

    The scenario says which cards a hidden card could be; otherwise any two hidden cards of one owner may lie the other
    way round.

    Raises
    ------
    InputError
        If ``could_be`` names an object or a card that there is not, or one that everybody sees.
    """
    setup = scenario.setup
    if scenario.data.could_be:
        return list(_listed(scenario))
    found = []
    for player in setup.players:
        hidden = [o for o in setup.cards() if _is_hidden(setup, o, player)]
        for a, b in itertools.combinations(hidden, 2):
            if a.owner is b.owner and a.card is not b.card:
                one = HiddenCard(a.index, "card A", (a.card, b.card))
                other = HiddenCard(b.index, "card B", (b.card, a.card))
                found.append(Difference(player.name, (one, other)))
    return found


def _is_hidden(setup: Setup, o: Obj, player: Player) -> bool:
    return player not in setup.placements[o.index].known_to


def _listed(scenario: Scenario) -> Iterator[Difference]:
    document, setup = scenario.document, scenario.setup
    for word, names in scenario.data.could_be.items():
        path = ("could_be", word)
        o = scenario.object_named(word)
        if o is None:
            raise document.error(f"no card is called {word!r}{nearest(word, scenario.aliases)}", path)
        blind = [p for p in setup.players if _is_hidden(setup, o, p)]
        if not blind:
            raise document.error(f"every player can see which card {o} is", path)
        for i, name in enumerate(names):
            other = _card(scenario, name, (*path, i))
            hidden = HiddenCard(o.index, "hidden card", (o.card, other))
            yield from (Difference(p.name, (hidden,)) for p in blind)


def _card(scenario: Scenario, name: str, path: tuple[str | int, ...]) -> Card:
    if name in scenario.data.cards:
        return scenario.data.cards[name].card(name)
    try:
        return find_card(name, scenario.data.ignores)
    except InputError as problem:
        raise scenario.document.error(problem.message, path) from None


def pair_of(scenario: Scenario, difference: Difference, build: Build = build_system) -> PairOfGames:
    """Build two games and their composition."""
    games = [_game(scenario, difference, side) for side in (0, 1)]
    steps = sorted({step for game in games for step in game.setup.steps}, key=list(TurnStep).index)
    first, second = (replace(game, setup=replace(game.setup, steps=tuple(steps))) for game in games)
    systems = (build(scenario.name, first.setup), build(scenario.name, second.setup))
    sides = (_side(systems[0], difference), _side(systems[1], difference))
    hidden = {o for side in sides for o in side.hidden}
    both, told = compose(*systems, or_(*(side.knows for side in sides)),
                         lambda action: or_(*(e.condition for e in action.events if _tells(e, hidden))))
    views = PairView((sides[0].view, sides[1].view), (sides[0].player, sides[1].player), told)
    return PairOfGames(difference, (first, second), systems, both, views)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two games: the player in it, the objects that make the difference, and whether the player knows one."""

    view: View
    player: Player
    hidden: tuple[Obj, ...]
    knows: Term


def _side(system: TransitionSystem, difference: Difference) -> _Side:
    view = View(system, system.symbolic_state())
    player = next(p for p in view.setup.players if p.name == difference.player)
    hidden = tuple(view.setup.objects[entry.index] for entry in difference.hidden)
    knows = or_(*(or_(may_know(view, o, player), view[KNOWN, player, o]) for o in hidden))
    return _Side(view, player, hidden, knows)


def _tells(event: Event, hidden: Set[Obj]) -> bool:
    return event.kind is EventKind.REVEALED and not hidden.isdisjoint(event.subjects)


def _game(scenario: Scenario, difference: Difference, side: int) -> Scenario:
    cast = {entry.index: (entry.name, entry.cards[side]) for entry in difference.hidden}
    return build_scenario(scenario.document, cast)


def trace_of_pair(pair: PairOfGames, sliced: TransitionSystem, instance: Instance, path: Path, source: str) -> Trace:
    """Two plays side by side up to the first difference, replayed in the plain reading; the second stands beside.

    Raises
    ------
    model.readings.evaluate.ReplayError, counterexamples.explain.EndingError
        If the plain reading does not allow the plays, or they do not end with a difference.
    """
    whole = Path(TraceMaker(pair.both, sliced, pair.scenarios[0], source).lift(path), path.actions)
    steps = replay(pair.both, whole)
    last = steps[-1].after if steps else whole.initial
    clause, prop = ending(pair.both, instance, whole, steps, "violated").clause, instance.property
    first, second = (_own_play(pair, system, whole, steps) for system in pair.systems)
    beside = Beside(pair.difference.player, pair.difference.says(0), pair.difference.says(1), *second)
    return Trace(pair.scenarios[0].name, source, prop.id, prop.kind, prop.says, (*prop.cites, *prop.rulings),
                 "violated", clause.subject, _what_is_seen(pair, clause, last), *first, beside)


def _what_is_seen(pair: PairOfGames, clause: Clause, last: tuple[Code, ...]) -> str:
    valuation, how = Valuation(pair.both, last), pair.difference
    first, second = (in_words(term.sort, valuation.value(term)) for term in clause.shown)
    return f"To {how.player} this is {first} where {how.says(0)}, and {second} where {how.says(1)}."


def _own_play(pair: PairOfGames, system: TransitionSystem, path: Path,
              steps: Sequence[Step]) -> tuple[Mapping[str, str], tuple[TraceStep, ...]]:
    """State 0 and the steps of one of the games."""
    places = [pair.both.position[v] for v in system.variables]
    numbers = {action.label.key: i for i, action in enumerate(system.actions)}

    def own(codes: tuple[Code, ...]) -> tuple[Code, ...]:
        return tuple(codes[place] for place in places)

    taken = (Step(numbers[pair.both.actions[s.action].label.key], own(s.before), own(s.after)) for s in steps)
    return state_in_words(system, own(path.initial)), tuple(describe(system, i, s) for i, s in enumerate(taken, 1))
