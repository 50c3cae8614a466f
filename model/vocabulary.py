"""The game's own words, as enumerations.  A member's value is how it is written in data files and traces."""

from __future__ import annotations

import enum

__all__ = [
    "Cause",
    "Colour",
    "CounterKind",
    "EventKind",
    "Keyword",
    "ManaKind",
    "Marker",
    "Stage",
    "Supertype",
    "TurnStep",
    "Type",
    "Zone",
]


class _Word(enum.Enum):
    def __str__(self) -> str:
        return str(self.value)

    __repr__ = __str__


class Zone(_Word):
    """The zones (400.1).  OUTSIDE holds what is in none: tokens not made yet, objects of players who have left."""

    LIBRARY = "library"
    HAND = "hand"
    BATTLEFIELD = "battlefield"
    GRAVEYARD = "graveyard"
    EXILE = "exile"
    STACK = "stack"
    OUTSIDE = "outside"


class Cause(_Word):
    """Why an object is face down (708.2, 708.6).  NONE: it is face up."""

    NONE = "none"
    MORPH = "morph"
    DISGUISE = "disguise"
    MANIFEST = "manifest"
    CLOAK = "cloak"
    TURNED_DOWN = "turned down"
    PUT_DOWN = "put face down"
    MASK = "mask"


class Type(_Word):
    """Card types (205.2a)."""

    ARTIFACT = "artifact"
    BATTLE = "battle"
    CREATURE = "creature"
    ENCHANTMENT = "enchantment"
    INSTANT = "instant"
    LAND = "land"
    PLANESWALKER = "planeswalker"
    SORCERY = "sorcery"


class Supertype(_Word):
    """Supertypes (205.4a) that a rule of the model asks about."""

    BASIC = "basic"
    LEGENDARY = "legendary"
    SNOW = "snow"
    WORLD = "world"


class Colour(_Word):
    """Colours (105.1)."""

    WHITE = "white"
    BLUE = "blue"
    BLACK = "black"
    RED = "red"
    GREEN = "green"


class ManaKind(_Word):
    """Kinds of mana a player can spend.

    ANY stands for mana that can pay every symbol; FACE_DOWN for mana of any kind that can be spent
    only on casting face-down spells and turning creatures face up (106.6)."""

    WHITE = "W"
    BLUE = "U"
    BLACK = "B"
    RED = "R"
    GREEN = "G"
    COLOURLESS = "C"
    ANY = "generic"
    FACE_DOWN = "face-down"


class Keyword(_Word):
    """Keyword abilities without parameters."""

    DEATHTOUCH = "deathtouch"
    DEFENDER = "defender"
    DOUBLE_STRIKE = "double strike"
    FEAR = "fear"
    FIRST_STRIKE = "first strike"
    FLASH = "flash"
    FLYING = "flying"
    HASTE = "haste"
    HEXPROOF = "hexproof"
    INDESTRUCTIBLE = "indestructible"
    LIFELINK = "lifelink"
    MENACE = "menace"
    PERSIST = "persist"
    PROWESS = "prowess"
    REACH = "reach"
    SHADOW = "shadow"
    SHROUD = "shroud"
    SPLIT_SECOND = "split second"
    TRAMPLE = "trample"
    UNDYING = "undying"
    UNCOUNTERABLE = "can't be countered"
    VIGILANCE = "vigilance"
    PLAINSWALK = "plainswalk"
    ISLANDWALK = "islandwalk"
    SWAMPWALK = "swampwalk"
    MOUNTAINWALK = "mountainwalk"
    FORESTWALK = "forestwalk"


class CounterKind(_Word):
    """Kinds of counters (122.1)."""

    PLUS = "+1/+1"
    MINUS = "-1/-1"
    LOYALTY = "loyalty"
    LORE = "lore"
    CHARGE = "charge"
    FLYING = "flying"
    DEATHTOUCH = "deathtouch"
    LIFELINK = "lifelink"
    TRAMPLE = "trample"
    SHIELD = "shield"


class TurnStep(_Word):
    """Steps and phases that a scenario can model (500.1), in the order of a turn."""

    UPKEEP = "upkeep"
    DRAW = "draw"
    MAIN = "main"
    BEGIN_COMBAT = "beginning of combat"
    ATTACK = "declare attackers"
    BLOCK = "declare blockers"
    FIRST_DAMAGE = "first strike damage"
    DAMAGE = "combat damage"
    END_COMBAT = "end of combat"
    SECOND_MAIN = "second main"
    END = "end"


class Marker(_Word):
    """What a reference holds when it names no object: nothing, or an object that has since changed zones (400.7)."""

    NONE = "none"
    GONE = "gone"


class EventKind(_Word):
    """What can happen in a step.  Triggered abilities and properties both speak of these."""

    ENTERS = "enters"
    LEAVES = "leaves"
    DIES = "dies"
    TURNED_UP = "turned up"
    TURNED_DOWN = "turned down"
    TURN_UP_ATTEMPT = "turn up attempt"
    MANIFESTED = "manifested"
    MANIFEST_DREAD = "manifest dread"
    CLOAKED = "cloaked"
    REVEALED = "revealed"
    LOOKED = "looked"
    CAST = "cast"
    COUNTERED = "countered"
    TARGETED = "targeted"
    TRANSFORMED = "transformed"
    ATTACKS = "attacks"
    BLOCKS = "blocks"
    COMBAT_DAMAGE = "deals combat damage"
    DAMAGE = "deals damage"
    DAMAGED = "is dealt damage"
    DRAWN = "draws"
    DISCARDED = "discards"
    SACRIFICED = "sacrifices"
    LIFE_GAINED = "gains life"
    LEFT_GAME = "left game"
    GAME_OVER = "game over"
    STEP_BEGINS = "step begins"
    BECOMES_TAPPED = "becomes tapped"
    ATTACHED = "attached"


class Stage(_Word):
    """How far the layers have been applied (613.1) when a characteristic is read."""

    COPIABLE = "after layer 1"
    TYPED = "after layer 4"
    FINAL = "after layer 7"
