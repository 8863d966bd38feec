"""Workbooks as tests need them: the least that a spreadsheet program opens, with a sheet's XML as it is given."""

import io
from zipfile import ZIP_DEFLATED, ZipFile

_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def made_workbook(
    sheet: str, *, texts: str = "", styles: str = "", book: str = "", main: str = "xl/workbook.xml"
) -> bytes:
    """`sheet` is what stands in its `worksheet`, `texts` in `sst`, `styles` in `styleSheet`; `book` stands before
    the workbook's sheets.
    """
    rooted = f'xmlns="{_MAIN}" xmlns:r="{_TYPES}"'
    files = {
        "_rels/.rels": "<Relationships>"
        f'<Relationship Id="a" Type="{_TYPES}/officeDocument" Target="{main}"/></Relationships>',
        main: f'<workbook {rooted}>{book}<sheets><sheet name="One" sheetId="1" r:id="s"/></sheets></workbook>',
        main.replace("xl/", "xl/_rels/") + ".rels": "<Relationships>"
        f'<Relationship Id="s" Type="{_TYPES}/worksheet" Target="worksheets/one.xml"/>'
        f'<Relationship Id="t" Type="{_TYPES}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="u" Type="{_TYPES}/styles" Target="styles.xml"/></Relationships>',
        "xl/worksheets/one.xml": f"<worksheet {rooted}>{sheet}</worksheet>",
        **({"xl/sharedStrings.xml": f"<sst {rooted}>{texts}</sst>"} if texts else {}),
        **({"xl/styles.xml": f"<styleSheet {rooted}>{styles}</styleSheet>"} if styles else {}),
    }
    return packed(files)


def packed(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def rows_of(*rows: tuple[str, ...]) -> str:
    """A sheet's data with these cells, each a number or a text as it stands."""
    found = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    return f"<sheetData>{found}</sheetData>"


def _cell(text: str) -> str:
    if text.replace(".", "").isdecimal():
        return f"<c><v>{text}</v></c>"
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>' if text else "<c/>"
