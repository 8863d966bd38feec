"""What a release says of its study beside the tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ConfigDict, with_config

from generation.prompts.core.prompt_files import PublishedPrompt


@with_config(ConfigDict(extra="forbid"))  # of those that are read from a file
@dataclass(frozen=True, kw_only=True)
class ReleaseFacts:
    """A study and how it came about, without a word about a person but those who could unblind it. Hashes are
    SHA-256 in hexadecimal digits.

    `number` counts the study's releases from 1. `licence` is an SPDX identifier, empty where none was given.
    `is_synthetic`: texts and judgments were made up. `dates` has what happened and when, as ISO 8601 in UTC;
    `design` the locked design, as `design_hash.design_bytes` writes it; `templates` names and hashes of the
    templates that models were asked with, by what they were asked for.

    `rubric_toml` is the rubric's file, with LF line ends. `seed` has 64 hexadecimal digits and `commitment` is the
    hash of its bytes. `frozen_sha256` is that of the `frozen_rows` masked judgments at closing, `frozen_tables`
    those of everything else that was collected. `table_hashes` are of the tables as they are published, by name;
    `file_hashes` are of the bytes of every file of tables, pictures, the rubric and templates, by name in the
    release: of columns too that no figure uses. An earlier version's release has none.

    `audit_head` is the unblinding's seal in the site's audit trail, NUMBER:DIGEST; empty where there was none.

    `unblinders` are those who could unblind, as `annotation.unblinders.selectors.published` has them; nothing of an
    earlier version's release.

    `normalisation` has the versions of the rules that brought the admitted answers into the one style judges saw.

    `template_texts` are the wordings of those templates, by name and hash as `templates` has them.

    `sample` are the study's prompts that came out of its pool, by code, and `passing` all of the pool that pass the
    quality filter; both are empty where prompts came from elsewhere.

    `efforts` says what models were told of how much to think, by what they were asked for, as in `templates`, and
    by the model's name.

    `preset` is the kind of study; empty in an earlier version's release.

    `wordings` has, by code, every version of each prompt that was reworded, the first one first: `number`, `text`,
    the short name of the `round` that first had it and the `reason`, empty where no feedback led to it.
    """

    number: int
    slug: str
    title: str
    description: str
    is_synthetic: bool
    licence: str
    dates: Mapping[str, str]
    design: Mapping[str, Any]
    design_sha256: str
    rubric_toml: str
    rubric_sha256: str
    templates: Mapping[str, str]
    commitment: str
    seed: str
    frozen_sha256: str
    frozen_rows: int
    frozen_tables: Mapping[str, str]
    audit_head: str = ""
    unblinders: Mapping[str, Any] = field(default_factory=dict)
    normalisation: tuple[int, ...] = ()
    table_hashes: Mapping[str, str] = field(default_factory=dict)
    file_hashes: Mapping[str, str] = field(default_factory=dict)
    template_texts: Mapping[str, str] = field(default_factory=dict)
    sample: Mapping[str, PublishedPrompt] = field(default_factory=dict)
    passing: Sequence[PublishedPrompt] = ()
    wordings: Mapping[str, Any] = field(default_factory=dict)
    efforts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    preset: str = ""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The design's parameters by name, as JSON values. Raises KeyError where the design has none."""
        return self.design["parameters"]  # type: ignore[no-any-return]
