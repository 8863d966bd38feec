"""Short names: what is taken, and in which words the rest is refused."""

import pytest
from django.core.exceptions import ValidationError

from annotation.platform.forms.fields import ShortNameField


@pytest.mark.parametrize("word", ["towns-2", "Claude_3"])
def test_a_short_name_of_letters_digits_hyphens_and_underscores_is_taken(word: str) -> None:
    assert ShortNameField().clean(word) == word


@pytest.mark.parametrize("word", ["two words", "Grüße", "a/b", "line\n"])
def test_any_other_short_name_is_refused_without_a_word_of_slugs(word: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        ShortNameField(strip=False).clean(word)
    assert "letters without accents, digits and hyphens" in ShortNameField().help_text  # told before it is refused
    assert refusal.value.messages == [
        "Use letters without accents, digits, hyphens and underscores, and no spaces."
    ]
