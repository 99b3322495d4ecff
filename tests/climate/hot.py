"""Climate for the laws only: a deck full of hunters and of what they need to get past."""

from engine import DECK
from games.climate.rules import CLIMATE
from games.food_number_cards import food_of, trait_of

RARE = ("ambush", "carnivore", "climbing", "horns", "warning_call")
PRINTED = CLIMATE.decks[DECK]
HUNTING = tuple(card for card in PRINTED if trait_of(card) in RARE and food_of(card) > 1)
HOT_CARDS = tuple(sorted([*PRINTED[::4], *HUNTING * 3]))
HOT_CLIMATE = CLIMATE.extend(decks={**CLIMATE.decks, DECK: HOT_CARDS})
