"""The card pool: every entry is valid, in its place and free of prose; some are compared with the printed facts."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest

from model.cards.abilities import Attach, Replacement, SpellAbility, StaticAbility, TriggeredAbility
from model.cards.card import Card, Face
from model.cards.phrases import Who
from model.cards.pool import card_data, find_card, names
from model.documents import load_document
from model.errors import InputError, UnsupportedError
from model.vocabulary import Colour, EventKind, Keyword, Supertype, Type

NAMES = tuple(names())
FILES = sorted(path.name for path in (files("model.cards") / "pool").iterdir() if path.name.endswith(".yaml"))

MISSING = frozenset({
    "Auras attached to the target",
    "abilities that trigger an additional time",
    "aftermath",
    "annihilator",
    "any number of cards chosen",
    "any number of targets",
    "attack requirement",
    "attacking with a number of creatures",
    "becoming the target of a spell",
    "cast of a foretold card",
    "cast without paying its mana cost",
    "casting a card face down by an ability",
    "chapter abilities",
    "characteristics in every zone",
    "choice of a colour",
    "choice of a creature type",
    "choice of another player",
    "choice of cards put on a library",
    "coin flip",
    "combat damage as though unblocked",
    "condition on earlier events of the turn",
    "copy of a spell",
    "copy with an added ability",
    "cost paid on resolution",
    "cost reduction by a count",
    "cost reduction of the next spell",
    "crew",
    "damage divided as chosen",
    "dash",
    "delayed triggered ability",
    "discard",
    "doesn't untap",
    "eminence",
    "enchanted object as the subject of a trigger",
    "entering that causes no triggers",
    "exile from the top of a library",
    "exile of a permanent as a cost",
    "face-down exile",
    "fuse",
    "hideaway",
    "linked exile",
    "look at a hand",
    "look at several cards of a library",
    "madness",
    "mana of any colour",
    "mana restricted in use",
    "mana spent as any kind",
    "mana spent on a spell",
    "mana value as an amount",
    "meld",
    "modes of an ability",
    "multicoloured",
    "mutate",
    "ninjutsu",
    "number of spells cast last turn",
    "number of targets equal to X",
    "number of times this ability has resolved this turn",
    "object of the target player",
    "object with the same name",
    "permission during your turn only",
    "permission that ends with its source",
    "play from exile permission",
    "playing with the top card revealed",
    "prevention of damage",
    "prohibition of activating abilities",
    "prohibition of casting from a zone",
    "put into a graveyard from anywhere",
    "rearrange the top of a library",
    "regeneration",
    "removal of counters as a cost",
    "replacement of entering",
    "replacement of leaving",
    "restriction on blocking",
    "shared card type",
    "shuffle",
    "strive",
    "tapped unless life is paid",
    "tapping other permanents as a cost",
    "target opponent or planeswalker",
    "token that enters with counters",
    "token that is a copy",
    "token under another player's control",
    "turning face up as a replacement",
    "unattaching",
    "unlocking a door",
    "until your next turn",
})
"""Everything that some card does and the vocabulary cannot say; one phrase for each concept."""


@pytest.mark.parametrize("name", NAMES)
def test_every_card_loads(name: str) -> None:
    card = card_data(name).card(name)
    assert card.name == name
    for face in card.faces:
        assert face.types, face
        sized = Type.CREATURE in face.types or "Vehicle" in face.subtypes
        assert (face.power is not None) == (face.toughness is not None) == sized, face
        assert (face.loyalty is not None) == (Type.PLANESWALKER in face.types), face
        assert all(subtype[:1].isupper() for subtype in face.subtypes), face


@pytest.mark.parametrize("name", NAMES)
def test_only_lands_and_the_whole_of_a_split_card_have_no_cost(name: str) -> None:
    card = card_data(name).card(name)
    whole = card.layout in ("split", "room")
    assert (card.front.cost is None) == (whole or Type.LAND in card.front.types)
    for half in card.halves:
        assert half.cost is not None
    if whole:
        assert card.front.colours >= {colour for half in card.halves for colour in half.colours}


@pytest.mark.parametrize("name", NAMES)
def test_missing_is_from_the_closed_list(name: str) -> None:
    missing = card_data(name).missing
    assert set(missing) <= MISSING
    assert len(set(missing)) == len(missing)


def test_the_closed_list_names_nothing_that_no_card_misses() -> None:
    assert {concept for name in NAMES for concept in card_data(name).missing} == MISSING


@pytest.mark.parametrize("file", FILES)
def test_file_is_sorted_and_each_name_stands_once_in_the_right_one(file: str) -> None:
    found = list(load_document(str(files("model.cards") / "pool" / file)).data)  # a name that stands twice is refused
    assert found == sorted(found)
    letters = {name[0].lower() if name[0].isascii() and name[0].isalpha() else "other" for name in found}
    assert letters == {file.removesuffix(".yaml")}


@pytest.mark.parametrize("file", FILES)
def test_file_holds_data_and_no_prose(file: str) -> None:
    text = (files("model.cards") / "pool" / file).read_text(encoding="utf-8")
    assert "#" not in text
    assert ". " not in text
    assert max(map(len, text.splitlines())) <= 120


def test_names_are_unique() -> None:
    assert len(set(NAMES)) == len(NAMES)


def test_a_card_that_needs_more_is_refused_with_what_it_needs() -> None:
    name = next(name for name in NAMES if card_data(name).missing)
    concept, *others = card_data(name).missing
    with pytest.raises(UnsupportedError, match=re.escape(concept)):
        find_card(name, others)
    assert find_card(name, card_data(name).missing).name == name


def test_an_unknown_card_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="Exalted Angel"):
        card_data("Exhalted Angel")


def _card(name: str) -> Card:
    return card_data(name).card(name)


def _pt(face: Face) -> str | None:
    return f"{face.power.fixed}/{face.toughness.fixed}" if face.power and face.toughness else None


@pytest.mark.parametrize(("name", "cost", "value", "type_line", "pt", "down"), [
    ("Exalted Angel", "{4}{W}{W}", 6, "creature Angel", "4/5", "morph {2}{W}{W}"),
    ("Grinning Demon", "{2}{B}{B}", 4, "creature Demon", "6/6", "morph {2}{B}{B}"),
    ("Branchsnap Lorian", "{1}{G}{G}", 3, "creature Beast", "4/1", "morph {G}"),
    ("Den Protector", "{1}{G}", 2, "creature Human Warrior", "2/1", "megamorph {1}{G}"),
    ("Dog Walker", "{R}{W}", 2, "creature Human Citizen", "3/1", "disguise {R/W}{R/W}"),
    ("Hooded Hydra", "{X}{G}{G}", 2, "creature Snake Hydra", "0/0", "morph {3}{G}{G}"),
    ("Zoetic Cavern", None, 0, "land", None, "morph {2}"),
    ("Whetwheel", "{4}", 4, "artifact", None, "morph {3}"),
    ("True Identity", "{1}{W}", 2, "enchantment", None, "disguise {W}"),
    ("Gift of Doom", "{4}{B}", 5, "enchantment Aura", None, "morph sacrifice another creature"),
    ("Zombie Cutthroat", "{3}{B}{B}", 5, "creature Zombie", "3/4", "morph pay 5 life"),
    ("Fathom Seer", "{1}{U}", 2, "creature Illusion", "1/3", "morph bounce 2 Island you control"),
    ("Gathan Raiders", "{3}{R}{R}", 5, "creature Human Warrior", "3/3", "morph discard a card"),
    ("Dragon's Eye Savants", "{1}{U}", 2, "creature Human Wizard", "0/6", "morph reveal a blue card"),
    ("Bane of the Living", "{2}{B}{B}", 4, "creature Insect", "4/3", "morph {X}{B}{B}"),
    ("Krosan Colossus", "{6}{G}{G}{G}", 9, "creature Beast", "9/9", "morph {6}{G}{G}"),
    ("Proteus Machine", "{3}", 3, "artifact creature Shapeshifter", "2/2", "morph {0}"),
    ("Crowd-Control Warden", "{3}{G}{W}", 5, "creature Centaur Soldier", "4/4", "disguise {3}{G/W}{G/W}"),
    ("Innocuous Rat", "{1}{B}", 2, "creature Rat", "1/1", None),
    ("Unwanted Remake", "{W}", 1, "instant", None, None),
    ("Killer's Mask", "{2}{B}", 3, "artifact Equipment", None, None),
    ("Cryptic Pursuit", "{2}{U}{R}", 4, "enchantment", None, None),
    ("Reality Shift", "{1}{U}", 2, "instant", None, None),
    ("Valgavoth's Onslaught", "{X}{X}{G}", 1, "sorcery", None, None),
    ("Serra Angel", "{3}{W}{W}", 5, "creature Angel", "4/4", None),
    ("Dryad Arbor", None, 0, "creature land Dryad Forest", "1/1", None),
    ("Forest", None, 0, "land Forest", None, None),
    ("Kozilek, Butcher of Truth", "{10}", 10, "creature Eldrazi", "12/12", None),
    ("Godhead of Awe", "{W/U}{W/U}{W/U}{W/U}{W/U}", 5, "creature Avatar Spirit", "4/4", None),
])
def test_printed_facts(name: str, cost: str | None, value: int, type_line: str, pt: str | None,
                       down: str | None) -> None:
    face = _card(name).front
    assert (str(face.cost) if face.cost else None) == cost
    assert face.mana_value == value
    wanted = set(type_line.split())
    assert {str(t) for t in face.types} | set(face.subtypes) == wanted
    assert _pt(face) == pt
    assert [f"{a.kind} {a.cost}" for a in face.face_down_costs] == ([down] if down else [])


@pytest.mark.parametrize(("name", "colours"), [
    ("Exalted Angel", {Colour.WHITE}),
    ("Dog Walker", {Colour.RED, Colour.WHITE}),
    ("Dryad Arbor", {Colour.GREEN}),
    ("Turn Against", set()),
    ("Ornithopter", set()),
    ("Fire // Ice", {Colour.RED, Colour.BLUE}),
    ("Mirrorweave", {Colour.WHITE, Colour.BLUE}),
])
def test_colours(name: str, colours: set[Colour]) -> None:
    assert _card(name).front.colours == colours


@pytest.mark.parametrize(("name", "keywords"), [
    ("Serra Angel", {Keyword.FLYING, Keyword.VIGILANCE}),
    ("Sagu Mauler", {Keyword.TRAMPLE, Keyword.HEXPROOF}),
    ("Dress Down", {Keyword.FLASH}),
    ("Sudden Spoiling", {Keyword.SPLIT_SECOND}),
    ("Wall of Deceit", {Keyword.DEFENDER}),
    ("Putrid Goblin", {Keyword.PERSIST}),
    ("Runeclaw Bear", set()),
])
def test_keywords(name: str, keywords: set[Keyword]) -> None:
    assert _card(name).front.keywords == keywords


def _one(name: str, kind: type[Any]) -> Any:
    found = [a for a in _card(name).front.abilities if isinstance(a, kind)]
    assert len(found) == 1, found
    return found[0]


def test_double_faced_cards_name_their_backs() -> None:
    delver = _card("Delver of Secrets")
    assert (delver.layout, delver.back.name, _pt(delver.back)) == ("transform", "Insectile Aberration", "3/2")
    assert (_card("Bala Ged Recovery").layout, _card("Bala Ged Recovery").front.is_permanent_card) == ("modal", False)


def test_split_cards_are_cast_as_halves() -> None:
    card = _card("Wax // Wane")
    assert [(half.name, str(half.cost)) for half in card.halves] == [("Wax", "{G}"), ("Wane", "{W}")]
    assert not card.front.is_permanent_card


def test_killers_mask_manifests_dread_before_it_is_attached() -> None:
    trigger = _one("Killer's Mask", TriggeredAbility)
    assert (trigger.when.event, trigger.when.subject) == (EventKind.ENTERS, None)
    assert [effect.verb for effect in trigger.do] == ["manifest_dread", "attach"]
    assert [str(a.equip) for a in _card("Killer's Mask").front.abilities if isinstance(a, Attach)] == ["{2}"]


def test_valgavoths_onslaught_manifests_x_times_and_puts_x_counters() -> None:
    spell = _one("Valgavoth's Onslaught", SpellAbility)
    assert (spell.spell[0].times.per_x, spell.spell[1].counters.per_x) == (1, 1)


def test_the_controller_of_the_target_manifests_dread() -> None:
    spell = _one("Unwanted Remake", SpellAbility)
    assert [effect.verb for effect in spell.spell] == ["destroy", "manifest_dread"]
    assert spell.spell[1].manifest_dread.who is Who.CONTROLLER


def test_ixidron_counts_what_it_turned_down() -> None:
    face = _card("Ixidron").front
    assert face.power == face.toughness
    assert face.power.per.phrase == "face-down creature"
    replacement = _one("Ixidron", Replacement)
    assert replacement.as_ == "enters"
    assert replacement.do[0].turn_down.filter.token is False


def test_listed_characteristics_of_what_is_put_face_down() -> None:
    conversion = _one("Cyber Conversion", SpellAbility).spell[0]
    yedora = _one("Yedora, Grave Gardener", TriggeredAbility).do[0]
    assert (conversion.verb, yedora.verb) == ("turn_down", "put_face_down")
    assert conversion.profile_face.types == {Type.ARTIFACT, Type.CREATURE}
    assert conversion.profile_face.subtypes == {"Cyberman"}
    assert (yedora.profile_face.types, yedora.profile_face.subtypes) == ({Type.LAND}, {"Forest"})
    assert yedora.profile_face.power is None


def test_humility_takes_abilities_and_sets_size() -> None:
    static = _one("Humility", StaticAbility)
    assert (static.lose_abilities, static.power, static.toughness, static.first_layer) == (True, 1, 1, 6)


def test_clone_may_copy_another_creature_as_it_enters() -> None:
    may = _one("Clone", Replacement).do[0]
    assert [effect.verb for effect in may.may] == ["become_copy_of"]
    assert may.may[0].become_copy_of.filter.other


def test_dog_walker_makes_two_tapped_dogs() -> None:
    token = _one("Dog Walker", TriggeredAbility).do[0]
    assert token.verb == "token"
    assert (token.most, token.tapped, token.card.front.colours) == (2, True, {Colour.WHITE})


def test_song_of_the_dryads_makes_a_colourless_forest() -> None:
    static = _one("Song of the Dryads", StaticAbility)
    assert (static.types, static.subtypes, static.colours) == ((Type.LAND,), ("Forest",), ())


def test_supertypes() -> None:
    assert _card("Plains").front.supertypes == {Supertype.BASIC}
    assert _card("Yarus, Roar of the Old Gods").front.supertypes == {Supertype.LEGENDARY}
