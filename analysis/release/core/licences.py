"""Licences under which data are published, by their SPDX identifiers."""

from dataclasses import dataclass
from typing import Final

_ADDRESS: Final = "https://spdx.org/licenses/{}"


@dataclass(frozen=True)
class Licence:
    """`spdx` is its identifier in the SPDX licence list, `hub` what the header of a data card calls it."""

    spdx: str
    name: str
    hub: str

    @property
    def address(self) -> str:
        return _ADDRESS.format(self.spdx)


LICENCES: Final = {
    licence.spdx: licence
    for licence in (
        Licence("CC0-1.0", "Creative Commons Zero 1.0 Universal", "cc0-1.0"),
        Licence("CC-BY-4.0", "Creative Commons Attribution 4.0", "cc-by-4.0"),
        Licence("CC-BY-SA-4.0", "Creative Commons Attribution Share Alike 4.0", "cc-by-sa-4.0"),
        Licence("CC-BY-NC-4.0", "Creative Commons Attribution Non Commercial 4.0", "cc-by-nc-4.0"),
        Licence(
            "CC-BY-NC-SA-4.0", "Creative Commons Attribution Non Commercial Share Alike 4.0", "cc-by-nc-sa-4.0"
        ),
        Licence("CC-BY-ND-4.0", "Creative Commons Attribution No Derivatives 4.0", "cc-by-nd-4.0"),
        Licence("ODC-By-1.0", "Open Data Commons Attribution 1.0", "odc-by"),
        Licence("ODbL-1.0", "Open Data Commons Open Database License 1.0", "odbl"),
        Licence("PDDL-1.0", "Open Data Commons Public Domain Dedication 1.0", "pddl"),
        Licence("CDLA-Permissive-2.0", "Community Data License Agreement Permissive 2.0", "cdla-permissive-2.0"),
    )
}
