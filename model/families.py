"""The schema of state variables: what a state of the game consists of."""

from __future__ import annotations

from model.setup import Obj, Player, Setup
from model.state import Domain, Family
from model.terms import BOOL, INT, Sort
from model.vocabulary import Cause, CounterKind, ManaKind, Marker, TurnStep, Zone

__all__ = [
    "ABOVE",
    "ACTIVE",
    "ATTACHED",
    "ATTACKING",
    "BLOCKING",
    "BY",
    "CAUSE",
    "CONTROLLER",
    "COPIED",
    "COUNTERS",
    "DAMAGE",
    "DEATHTOUCHED",
    "EFFECT",
    "ENTERED_UNDER",
    "ITEM",
    "KNOWN",
    "LAND_PLAYED",
    "LEFT",
    "LIFE",
    "MANA",
    "NEWER",
    "ONCE",
    "OVER",
    "PAID_X",
    "PASSES",
    "PENDING",
    "PERMITTED",
    "PRIORITY",
    "PROFILE",
    "REDIRECTED",
    "SETTLED",
    "SHOT_X",
    "SICK",
    "SKIPS_UNTAP",
    "STEP",
    "TAPPED",
    "TARGET",
    "THAT",
    "TRANSFORMED",
    "TURN",
    "ZONE",
    "X",
]

ZONE_SORT = Sort("zone", tuple(Zone))
CAUSE_SORT = Sort("cause", tuple(Cause))
STEP_SORT = Sort("step", tuple(TurnStep))


def _member(sort: Sort, member: object) -> tuple[Domain, int]:
    return Domain.full(sort), sort.code(member)


def _truth(value: bool = False) -> tuple[Domain, int]:
    return Domain.full(BOOL), int(value)


def _number(low: int, high: int, initial: int) -> tuple[Domain, int]:
    return Domain(INT, low, max(high, initial)), initial


def _controller(setup: Setup, o: Obj) -> tuple[Domain, int]:
    return _member(setup.player_sort, setup.placements[o.index].controller or o.owner)


def _profile(setup: Setup, o: Obj) -> tuple[Domain, int]:
    return _member(setup.profile_sort, setup.placements[o.index].profile or setup.profiles[0])


def _above(setup: Setup, a: Obj, b: Obj) -> tuple[Domain, int]:
    library = setup.libraries[a.owner.index]
    return _truth(a in library and b in library and library.index(a) < library.index(b))


def _newer(setup: Setup, a: object, b: object) -> tuple[Domain, int]:
    return _truth(setup.stamped.index(a) > setup.stamped.index(b))


def _mana(setup: Setup, p: Player, kind: ManaKind) -> tuple[Domain, int]:
    given = setup.mana[p.index].get(kind, 0)
    return _number(0, given + setup.bounds.mana, given)


def _attached(setup: Setup, o: Obj) -> tuple[Domain, int]:
    return _member(setup.reference_sort, setup.placements[o.index].attached_to or Marker.NONE)


def _counters(setup: Setup, o: Obj, kind: CounterKind) -> tuple[Domain, int]:
    return _number(0, setup.bounds.counters, setup.placements[o.index].counters.get(kind, 0))


ZONE = Family("zone", lambda setup, o: _member(ZONE_SORT, setup.placements[o.index].zone))
"""Where an object is."""
ABOVE = Family("above", _above, shapes=False)
"""Whether one card of a library is above another of the same library."""
CONTROLLER = Family("controller", _controller)
"""Who controls a permanent or spell, before layer 2; the owner elsewhere."""
ENTERED_UNDER = Family("entered under", _controller, shapes=False)
"""Under whose control a permanent entered, whoever has gained control of it since."""
CAUSE = Family("cause", lambda setup, o: _member(CAUSE_SORT, setup.placements[o.index].cause))
"""Why an object is face down; the status itself (708.2)."""
PROFILE = Family("profile", _profile)
"""The characteristics listed for a face-down object."""
TRANSFORMED = Family("transformed", lambda setup, o: _truth(setup.placements[o.index].transformed))
"""Whether the back face of a double-faced permanent is up."""
COPIED = Family("copied", lambda setup, o: _member(setup.copy_sort, Marker.NONE))
"""The values that a copy effect gives an object (layer 1a)."""
COPY_ENDS = Family("copy ends", lambda setup, o: _truth(), shapes=False)
"""Whether what an object is a copy of lasts until end of turn only."""
COPY_WHILE_UP = Family("copy while face up", lambda setup, o: _truth(), shapes=False)
"""Whether what an object is a copy of lasts until it is turned face down."""
TAPPED = Family("tapped", lambda setup, o: _truth(setup.placements[o.index].tapped))
SICK = Family("sick", lambda setup, o: _truth(setup.placements[o.index].sick), shapes=False)
"""Whether its controller has not controlled it since the turn began (302.6)."""
COUNTERS = Family("counters", _counters)
DAMAGE = Family("damage", lambda setup, o: _number(0, 20, setup.placements[o.index].damage), shapes=False)
DEATHTOUCHED = Family("deathtouched", lambda setup, o: _truth(), shapes=False)
"""Whether a source with deathtouch has dealt it damage since the last check (704.5h)."""
ATTACHED = Family("attached", _attached)
"""What an Aura or Equipment is attached to."""
ATTACKING = Family("attacking", lambda setup, o: _member(setup.player_sort, Marker.NONE))
"""Which player a creature attacks."""
BLOCKING = Family("blocking", lambda setup, o: _member(setup.reference_sort, Marker.NONE))
"""Which attacker a creature blocks."""
BLOCKED = Family("blocked", lambda setup, o: _truth(), shapes=False)
EFFECT = Family("effect", lambda setup, shot, o: _number(0, 3 if shot.adds_up else 1, 0))
"""How many instances of a continuous effect that a resolution started apply to an object; only those that add up are
told apart from one."""
TAKER = Family("taker", lambda setup, shot: _member(setup.player_sort, Marker.NONE))
"""Who gains control by a continuous effect that a resolution started."""
SHOT_X = Family("x of effect", lambda setup, shot: _number(0, setup.bounds.x, 0))
"""The X with which a continuous effect that a resolution started was started last."""
NEWER = Family("newer", _newer)
"""Whether the timestamp of one source of continuous effects is later than another's (613.7)."""
KNOWN = Family("known", lambda setup, p, o: _truth(p in setup.placements[o.index].known_to), shapes=False)
"""Whether a player has learned which card an object is."""
LIFE = Family("life", lambda setup, p: _number(-20, setup.bounds.life, setup.lives[p.index]), shapes=False)
MANA = Family("mana", _mana, shapes=False)
LEFT = Family("left", lambda setup, p: _truth(), shapes=False)
"""Whether a player has left the game."""
ACTIVE = Family("active player", lambda setup: _member(setup.player_sort, setup.players[0]), shapes=False)
STEP = Family("step", lambda setup: _member(STEP_SORT, setup.first_step), shapes=False)
TURN = Family("turn", lambda setup: _number(1, setup.bounds.turns or 1, 1), shapes=False)
PRIORITY = Family("priority", lambda setup: _member(setup.player_sort, setup.players[0]), shapes=False)
"""Who has priority; nobody after all players have passed in succession."""
PASSES = Family("passes", lambda setup: _number(0, len(setup.players), 0), shapes=False)
"""How many players have passed in succession."""
SETTLED = Family("settled", lambda setup: _truth(setup.starts_settled), shapes=False)
"""Whether no state-based action applies and no trigger waits (704.3, 117.5)."""
OVER = Family("over", lambda setup: _truth(), shapes=False)
"""Whether the game has ended."""
PENDING = Family("pending", lambda setup, item, that, p: _number(0, setup.bounds.pending, 0), shapes=False)
"""How many instances of a triggered ability wait to be put on the stack, by what they are about and by controller."""
ONCE = Family("once", lambda setup, item: _truth(), shapes=False)
"""Whether an ability that works once each turn has been used this turn."""
HAPPENED = Family("this turn", lambda setup, p, what: _truth(), shapes=False)
"""Whether something that abilities look back for has happened this turn under a player."""
TURNED_UP = Family("turned up this turn", lambda setup, o: _truth(), shapes=False)
"""Whether a permanent was turned face up this turn."""
CHOSEN_NAME = Family("chosen name", lambda setup, o: _member(setup.name_sort, Marker.NONE), shapes=False)
"""The name that was chosen for an object (201.4)."""
CHOSEN_TYPE = Family("chosen type", lambda setup, o: _member(setup.subtype_sort, Marker.NONE))
"""The creature type that was chosen for an object."""
BANNED = Family("banned name", lambda setup, p: _member(setup.name_sort, Marker.NONE), shapes=False)
"""A name of which a player may not cast spells."""
BANNED_UNTIL = Family("banned until", lambda setup, p: _member(setup.player_sort, Marker.NONE), shapes=False)
"""The player with whose next turn the ban on a name ends."""
DELAYED = Family("delayed", lambda setup, item, o: _truth(), shapes=False)
"""Whether a delayed triggered ability watches an object (603.7)."""
FREE = Family("free", lambda setup, p, o: _truth(), shapes=False)
"""Whether a player may cast a card without paying its mana cost for as long as it is where it is."""
SKIPS_UNTAP = Family("skips untap step", lambda setup, p: _truth(), shapes=False)
"""Whether a player skips the next untap step (614.10)."""
REDIRECTED = Family("redirected", lambda setup, o: _member(setup.reference_sort, Marker.NONE), shapes=False)
"""Where damage that would be dealt to an object is dealt instead this turn (614.9)."""
PREVENTED = Family("combat damage prevented", lambda setup, number: _truth(), shapes=False)
"""Whether the combat damage that an effect of the scenario speaks of is prevented this turn (615)."""
ONCE_FROM = Family("permission used", lambda setup, o: _truth(), shapes=False)
"""Whether a permission to cast from another zone once each turn has been used this turn."""
LAND_PLAYED = Family("land played", lambda setup, p: _truth(), shapes=False)
LINKED = Family("exiled with", lambda setup, o: _member(setup.reference_sort, Marker.NONE), shapes=False)
"""Which object's ability exiled a card (607.2a)."""
HIDDEN = Family("exiled face down", lambda setup, o: _truth(), shapes=False)
"""Whether a card in exile is face down (406.3); this is no status of a permanent."""
PAID_X = Family("x paid", lambda setup, o: _number(0, setup.bounds.x, 0), shapes=False)
"""The X of the cost that a permanent was last turned face up for (107.3d)."""
CAST_DOWN = Family("face-down spells", lambda setup, p: _truth(), shapes=False)
"""Whether a player has cast a face-down spell this turn."""
PERMITTED = Family("permitted", lambda setup, p, o: _number(0, 2, 0), shapes=False)
"""For how many more ends of the player's own turns the player may cast a card from where it is."""
ITEM = Family("stack", lambda setup, i: _member(setup.item_sort, Marker.NONE), shapes=False)
"""What stands in a place of the stack; place 0 is the top."""
BY = Family("by", lambda setup, i: _member(setup.player_sort, Marker.NONE), shapes=False)
"""Who controls what stands in a place of the stack."""
TARGET = Family("target", lambda setup, i, k: _member(setup.reference_sort, Marker.NONE), shapes=False)
THAT = Family("about", lambda setup, i: _member(setup.reference_sort, Marker.NONE), shapes=False)
"""What the trigger event was about."""
X = Family("x", lambda setup, i: _number(0, setup.bounds.x, 0), shapes=False)
