"""Properties of what is easily taken for something else: transforming for turning over, putting for playing (701.27b).

They read labels, events, raw state and printed cards; no rule is asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.cards.abilities import Attach, Condition, CostChange
from model.cards.phrases import Filter, Who
from model.effects.face_down import TurnUp
from model.effects.flow import If, May
from model.families import (
    ACTIVE,
    ATTACHED,
    CAUSE,
    FREE,
    ITEM,
    LAND_PLAYED,
    LEFT,
    MANA,
    OVER,
    PRIORITY,
    PROFILE,
    SETTLED,
    ZONE,
)
from model.parts import mentions, parts_of
from model.setup import Obj
from model.terms import FALSE, TRUE, Term, add, and_, eq, not_, or_
from model.vocabulary import EventKind, ManaKind, Marker, Type, Zone
from properties.kinds import Clause, Invariant, Property, StepRule, StepView, View
from properties.support import (
    cannot_turn_up,
    down,
    item_of,
    keyword_costs,
    lost_abilities,
    makes_copies,
    on_battlefield,
    sets_types,
    shown_face,
    waiting_for,
)

__all__ = ["PROPERTIES"]

_PRICE = 3


# -- casting and playing ---------------------------------------------------------------------------


def _cast_down(step: StepView) -> Obj | None:
    """The card that a step casts face down, if it does."""
    if step.action.label.rule != "cast face down":
        return None
    return next(o for o in step.setup.objects if o.name == step.argument("card"))


def _has_the_keyword(step: StepView) -> Iterable[Clause]:
    o = _cast_down(step)
    if o is not None:
        wanted = ("disguise",) if step.argument("as") == "disguise" else ("morph", "megamorph")
        printed = any(a.kind in wanted for a in keyword_costs(o.card.front))
        yield Clause(f"{o}: cast face down, as its {' or '.join(wanted)} lets it be", TRUE, TRUE if printed else FALSE)


def _no_second_price(step: StepView) -> Iterable[Clause]:
    o = _cast_down(step)
    if o is None or any(isinstance(a, CostChange) for s in step.setup.objects for a in step.setup.abilities_of(s)):
        return
    player = next(p for p in step.setup.players if p.name == step.action.label.actor)
    before, after = (add(*(view[MANA, player, kind] for kind in ManaKind)) for view in (step.before, step.after))
    yield Clause(
        f"{o}: might be cast for nothing, and costs {{3}} face down",
        step.before[FREE, player, o],
        eq(before, after + _PRICE),
    )


def _no_land_is_played(step: StepView) -> Iterable[Clause]:
    if step.action.label.rule in ("play a land", "next turn"):
        return
    same = and_(*(not_(step.changed(LAND_PLAYED, p)) for p in step.setup.players))
    for o in step.setup.cards():
        if Type.LAND in o.card.front.types:
            comes = or_(step.happens(EventKind.ENTERS, o), step.happens(EventKind.TURNED_UP, o))
            yield Clause(f"{o}: enters or turns up by an effect or cost, and has not been played", comes, same)


# -- transforming ----------------------------------------------------------------------------------


def _only_transforms(step: StepView) -> Iterable[Clause]:
    kinds = (EventKind.TURNED_UP, EventKind.TURNED_DOWN)
    watching = [(w, a) for kind in kinds for w, a in step.setup.watchers(kind)]
    for o in step.setup.objects:
        if not o.card.is_double_faced:
            continue
        others = or_(*(step.happens(kind, x) for kind in kinds for x in step.setup.objects if x is not o))
        quiet = [waiting_for(step.after, w, a) <= waiting_for(step.before, w, a) for w, a in watching]
        yield Clause(
            f"{o}: transforms, and is not turned over",
            and_(step.happens(EventKind.TRANSFORMED, o), not_(others)),
            and_(not_(step.changed(CAUSE, o)), *(not_(step.happens(kind, o)) for kind in kinds), *quiet),
        )


# -- the card, and what the permanent shows --------------------------------------------------------


def _asks_for_the_card(step: StepView) -> tuple[Condition, Obj, bool] | None:
    """The condition that asks for the card of the one target, the target, and whether it is turned up if that holds.

    Read off the printed instructions, which do nothing else to it, and the choices that the label names.
    """
    item = item_of(step.setup, step.action)
    spoken = None if item is None else item.spell if item.ability is None else item.ability
    targets = [value for key, value in step.action.label.arguments if key == "target"]
    o = next((o for o in step.setup.objects if [o.name] == targets), None)
    effects: tuple[object, ...] = getattr(spoken, "spell" if item is not None and item.ability is None else "do", ())
    asking = [e for e in effects if isinstance(e, If) and e.condition == Condition(card_is=e.condition.card_is)]
    if o is None or len(asking) != 1 or any(isinstance(e, TurnUp | May) for e in effects):
        return None
    then: tuple[object, ...] = asking[0].then
    chosen = True
    if len(then) == 1 and isinstance(then[0], May):
        chosen = all(value != "declining" for key, value in step.action.label.arguments if key == "choice")
        then = then[0].may
    turns = len(then) == 1 and isinstance(then[0], TurnUp) and then[0].turn_up.who is Who.TARGET
    return (asking[0].condition, o, chosen) if turns else None


def _card_is_asked(step: StepView) -> Iterable[Clause]:
    found = _asks_for_the_card(step)
    if found is None:
        return
    condition, o, chosen = found
    tried = step.happens(EventKind.TURN_UP_ATTEMPT, o)
    meant = and_(on_battlefield(step.before, o), down(step.before, o), not_(cannot_turn_up(step.before, o)))
    fits = bool(set(condition.card_is) & o.card.front.types) and not o.token
    if fits and chosen and _always_legal(step):
        yield Clause(f"{o}: the card is what is asked for, whatever the permanent shows", meant, tried)
    if not fits:
        yield Clause(f"{o}: the card is not what is asked for, whatever the permanent shows", meant, not_(tried))


def _always_legal(step: StepView) -> bool:
    """Whether the target is a face-down permanent and nothing more is asked of it, so that it stays legal."""
    item = item_of(step.setup, step.action)
    asked = getattr(item.ability or item.spell, "targets", ()) if item is not None else ()
    plain = [t for t in asked if isinstance(t, Filter) and t == Filter(face_down=True, phrase=t.phrase)]
    granted = any(getattr(part, "grant", ()) for _, _, part in step.setup.parts)
    return len(plain) == 1 and not granted


# -- attaching -------------------------------------------------------------------------------------


def _shows_types(view: View, o: Obj, wanted: Filter) -> Term:
    """Whether an uncopied permanent has the types that a phrase asks for, listed or printed on its front face."""

    def fits(types: frozenset[Type]) -> bool:
        return wanted.all_types <= types and bool(not wanted.types or wanted.types & types)

    listed = or_(*(view[PROFILE, o].is_(face) for face in view.setup.profiles if fits(face.types)))
    shown = or_(
        and_(down(view, o), listed), and_(not_(down(view, o)), TRUE if fits(o.card.front.types) else FALSE)
    )
    return and_(on_battlefield(view, o), shown)


def _enchants(o: Obj) -> Filter | None:
    """What an Aura card can enchant, if its types are all that is asked of it."""
    wanted = next((a.enchant for a in o.card.front.abilities if isinstance(a, Attach) and a.enchant), None)
    plain = wanted is not None and wanted == Filter(
        types=wanted.types, all_types=wanted.all_types, phrase=wanted.phrase
    )
    return wanted if plain else None


def _aura_turned_up(step: StepView) -> Iterable[Clause]:
    if makes_copies(step.setup) or sets_types(step.setup):
        return
    words = [value for key, value in step.action.label.arguments if key == "choice"]
    for aura in step.setup.cards():
        wanted = _enchants(aura)
        if wanted is None:
            continue
        for host in step.setup.objects:
            if host is aura or host.card.is_double_faced:
                continue
            turned = and_(step.happens(EventKind.TURNED_UP, aura), shown_face(step.after, aura))
            ready = and_(turned, not_(lost_abilities(step.after, aura)))
            joined = and_(step.after[ATTACHED, aura].is_(host), step.before[ATTACHED, aura].isnt(host))
            fits = _shows_types(step.before, host, wanted)
            yield Clause(
                f"{aura}: turned face up and attached to {host}, which it can enchant", and_(ready, joined), fits
            )
            asked = step.argument("permanent") == aura.name and "declining" not in words
            if asked and any(f"choosing {host}" in word.split(", ") for word in words) and not _barred(step):
                yield Clause(
                    f"{aura}: turned face up and put on {host}, as it can be face up",
                    and_(ready, fits),
                    step.after[ATTACHED, aura].is_(host),
                )


def _barred(step: StepView) -> bool:
    """Whether anything keeps permanents from being enchanted."""
    return any(getattr(part, "cant_be_enchanted", False) for _, _, part in step.setup.parts)


def _hangs_on_nothing(view: View) -> Iterable[Clause]:
    for o in view.setup.objects:
        listed = [f for f in view.setup.profiles if not f.subtypes & {"Aura", "Equipment"}]
        plain = or_(*(view[PROFILE, o].is_(face) for face in listed))
        acting = and_(view[SETTLED,], not_(view[OVER,]), on_battlefield(view, o), down(view, o), plain)
        if not sets_types(view.setup):
            yield Clause(f"{o}: a face-down creature, attached to nothing", acting, view[ATTACHED, o].is_(Marker.NONE))


# -- the stack -------------------------------------------------------------------------------------


def _active_first(step: StepView) -> Iterable[Clause]:
    resolved = ("resolve", "resolve face down", "resolve ward")
    if step.action.label.rule not in (*resolved, "next step", "next turn", "attack", "block"):
        return
    stays = and_(*(not_(step.changed(LEFT, p)) for p in step.setup.players))
    for p in step.setup.players:
        active = and_(stays, step.after[ACTIVE,].is_(p), not_(step.after[LEFT, p]))
        words = "a resolution" if step.action.label.rule in resolved else "the beginning of a step"
        yield Clause(f"{p}: active, and first to have priority after {words}", active, step.after[PRIORITY,].is_(p))


def _on_top(step: StepView) -> Iterable[Clause]:
    rules = ("cast", "cast face down", "activate", "equip", "put trigger on the stack")
    quick = str(step.argument("ability")).startswith("mana ability")
    if step.action.label.rule in rules and not quick:
        below = [
            eq(step.after[ITEM, place + 1], step.before[ITEM, place]) for place in range(step.setup.bounds.stack - 1)
        ]
        yield Clause("what is put on the stack stands above all that was there", TRUE, and_(*below))


def _spell_cannot_enter(step: StepView) -> Iterable[Clause]:
    rule = step.action.label.rule
    for o in step.setup.cards():
        spells = step.setup.spells(o)
        lasting = spells[:1] if rule == "resolve face down" else [
            item for item in spells if item.face is not None and item.face.is_permanent_card
        ]
        if rule in ("resolve", "resolve face down") and lasting:
            resolves = and_(step.before[ZONE, o].is_(Zone.STACK), step.before[ITEM, 0].among(lasting))
            there = or_(on_battlefield(step.after, o), step.happens(EventKind.ENTERS, o))
            yield Clause(
                f"{o}: resolves, and enters or is put into its owner's graveyard",
                resolves,
                or_(there, step.after[ZONE, o].is_(Zone.GRAVEYARD)),
            )


def _last_of_all(step: StepView) -> Iterable[Clause]:
    item = item_of(step.setup, step.action)
    if item is None or item.spell is None or item.face is None or item.face.is_permanent_card:
        return
    moves_itself = any(who is Who.THIS for part in parts_of(item.spell) for who in mentions(part))
    if item.face is item.source.card.front and not moves_itself:
        o = item.source
        stays = and_(*(not_(step.changed(LEFT, p)) for p in step.setup.players))
        yield Clause(
            f"{o}: an instant or sorcery that has resolved, and now a face-up card in the graveyard",
            stays,
            and_(step.after[ZONE, o].is_(Zone.GRAVEYARD), not_(down(step.after, o))),
        )


PROPERTIES: tuple[Property, ...] = (
    StepRule(
        "cast-face-down-as-a-keyword-lets-it",
        "No card is cast face down but one with morph or megamorph, as its morph lets it be, or with disguise.",
        ("702.37d", "702.168c", "708.1"),
        formula=_has_the_keyword,
    ),
    StepRule(
        "face-down-is-an-alternative-cost",
        "A card that may be cast without paying its mana cost costs {3} all the same if it is cast face down.",
        ("118.9a", "702.37c"),
        formula=_no_second_price,
    ),
    StepRule(
        "land-that-turns-up-was-not-played",
        "A land card that an effect puts onto the battlefield, or that is turned face up there, has not been played.",
        ("305.4",),
        formula=_no_land_is_played,
    ),
    StepRule(
        "transforming-is-no-turning-over",
        "A permanent that transforms is turned neither face up nor face down, and nothing triggers on its being so.",
        ("701.27b", "701.27a"),
        formula=_only_transforms,
    ),
    StepRule(
        "card-of-a-face-down-permanent-is-asked-for",
        "An effect that asks for the card of a face-down permanent goes by what is printed on it, and not by what the "
        "permanent shows.",
        ("708.12",),
        formula=_card_is_asked,
    ),
    StepRule(
        "aura-turned-up-goes-where-it-may",
        "An Aura that may become attached as it is turned face up is attached to what it can enchant face up, and to "
        "nothing else.",
        ("303.4k", "701.3b", "708.11"),
        formula=_aura_turned_up,
    ),
    Invariant(
        "face-down-creatures-hang-on-nothing",
        "While any player may act, a permanent that is face down as a creature is attached to nothing, Equipment or "
        "Aura though its card may be.",
        ("301.5c", "704.5p", "708.2a"),
        formula=_hangs_on_nothing,
    ),
    StepRule(
        "active-player-acts-first",
        "After a spell or ability has resolved, and as a step begins, the active player has priority.",
        ("117.3a", "117.3b"),
        formula=_active_first,
    ),
    StepRule(
        "newest-is-on-top-of-the-stack",
        "A spell or ability that is put on the stack stands above all that is there.",
        ("405.2", "405.1"),
        formula=_on_top,
    ),
    StepRule(
        "spell-that-cannot-enter-goes-to-the-graveyard",
        "A permanent spell, face up or face down, that resolves is no longer on the stack: what cannot enter is put "
        "into its owner's graveyard.",
        ("608.3e",),
        formula=_spell_cannot_enter,
    ),
    StepRule(
        "instants-and-sorceries-end-in-the-graveyard",
        "An instant or sorcery that has resolved is put into the graveyard, face up, unless it says otherwise of "
        "itself.",
        ("608.2n",),
        formula=_last_of_all,
    ),
)
