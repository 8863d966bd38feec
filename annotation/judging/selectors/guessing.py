"""What a judge sees when asked, at the very end, who wrote the answers of an item."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.judging.models.judging import GuessOption, JudgingItem
from annotation.judging.selectors.judging import ItemPage, item_page
from annotation.judging.selectors.own_items import OwnItems, items_beside
from annotation.platform.models.users import User


@dataclass(frozen=True)
class GuessPage:
    """An item whose answers are guessed about; `items` are all of its judge's. `options`, names by key, are empty
    where judges guess whether a person or a model wrote.
    """

    item: ItemPage
    items: OwnItems
    options: Mapping[str, str]

    @property
    def number(self) -> int:
        """Which of the guess pages this is, from 1."""
        return [line.id for line in self.items.guessing].index(self.item.id) + 1

    @property
    def of(self) -> int:
        return len(self.items.guessing)


def guess_page(user: User, item_id: int) -> GuessPage | None:
    """`None` where the item is not this person's, or nobody asks who wrote its answers."""
    item = item_page(user, item_id)
    if item is None or not item.asks_guess:
        return None
    study = JudgingItem.objects.values_list("study", flat=True).get(pk=item_id)
    return GuessPage(item, items_beside(user, item_id), options_of(study))


def options_of(study: int) -> dict[str, str]:
    """What judges of the study guess among, names by key, in their order; empty where that is who wrote."""
    return dict(GuessOption.objects.filter(study=study).order_by("position").values_list("key", "name"))
