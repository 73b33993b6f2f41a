"""The interface for those who look back: rounds, replays, reports and statistics."""

from __future__ import annotations

from datetime import date

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from puntobanco.floor.access import AnyRequest, floor_of, only, sender, signed_in
from puntobanco.floor.archive import RoundEntry
from puntobanco.floor.office import FloorError
from puntobanco.floor.play import at_table
from puntobanco.floor.stream import viewer_of
from puntobanco.reports import (
    COLUMNS,
    Parts,
    ReportError,
    Sheet,
    TableReport,
    csv_of,
    overview_of,
    page_of,
    sheets_of,
)
from puntobanco.views.view import View


@get("/api/tables/{table:str}/rounds", **signed_in(devices=True))
async def rounds(request: AnyRequest, table: FromPath[str], shoe: FromQuery[int | None] = None) -> list[RoundEntry]:
    """All rounds of a table, or those of one shoe: where they stand in the log, and how they count now."""
    floor = floor_of(request.app.state)
    at_table(request, table)
    return await floor.host.look_back(sender(request), floor.archives.of(table).rounds, shoe)


@get("/api/tables/{table:str}/replay", **signed_in(devices=True))
async def replay(request: AnyRequest, table: FromPath[str], first: FromQuery[int], last: FromQuery[int]) -> list[View]:
    """The table after each of these events, as the viewer may see it."""
    floor = floor_of(request.app.state)
    who, _, _ = at_table(request, table)
    return await floor.host.look_back(who, floor.archives.of(table).replay, viewer_of(who), first, last)


@get("/api/reports", **only("pit", "surveillance", "admin"))
async def reports(
    request: AnyRequest,
    table: FromQuery[str] = "",
    day: FromQuery[str] = "",
    shift: FromQuery[str] = "",
    people: FromQuery[bool] = False,
    statistics: FromQuery[bool] = False,
) -> list[Sheet]:
    """Shifts and gaming days of one table, or of all, as sheets of words and figures."""
    found = await _reports(request, table, day, shift)
    parts = Parts(people=people, statistics=statistics)

    def sheets() -> list[Sheet]:
        overview = [overview_of(found)] if len(found) > 1 else []
        return [*overview, *(sheet for report in found for sheet in sheets_of(report, parts))]

    return await floor_of(request.app.state).host.look_back(sender(request), sheets)


@get("/api/reports/page", media_type="text/html", **only("pit", "surveillance", "admin"))
async def report_page(
    request: AnyRequest,
    table: FromQuery[str] = "",
    day: FromQuery[str] = "",
    shift: FromQuery[str] = "",
    people: FromQuery[bool] = True,
    statistics: FromQuery[bool] = True,
) -> Response[str]:
    """The same for the printer."""
    found = await _reports(request, table, day, shift)
    host = floor_of(request.app.state).host
    parts = Parts(people=people, statistics=statistics)
    page = await host.look_back(sender(request), page_of, found, parts, host.clock())
    return Response(page, media_type="text/html")


@get("/api/reports/csv/{kind:str}", media_type="text/csv", **only("pit", "surveillance", "admin"))
async def report_csv(
    request: AnyRequest,
    kind: FromPath[str],
    table: FromQuery[str] = "",
    day: FromQuery[str] = "",
    shift: FromQuery[str] = "",
) -> Response[str]:
    """The same for a spreadsheet, one file of several: docs/reports.md has the columns."""
    if kind not in COLUMNS:
        raise FloorError("not_found", f"there is no file {kind}; there are: {', '.join(COLUMNS)}")
    found = await _reports(request, table, day, shift)
    text = await floor_of(request.app.state).host.look_back(sender(request), csv_of, kind, found)
    headers = {"content-disposition": f'attachment; filename="{kind}.csv"'}
    return Response(text, media_type="text/csv", headers=headers)


async def _reports(request: AnyRequest, table: str, day: str, shift: str) -> list[TableReport]:
    floor = floor_of(request.app.state)
    names = [floor.host.find(table).name] if table else [mailbox.name for mailbox in floor.host.tables()]
    try:
        chosen = date.fromisoformat(day) if day else None
    except ValueError:
        raise FloorError("bad_request", f"{day!r} is not a day: write it as in 2026-03-01") from None

    def work() -> list[TableReport]:
        found: list[TableReport] = []
        problem: ReportError | None = None
        for name in names:
            try:
                found.append(floor.archives.of(name).report(floor.host.clock()).select(chosen, shift or None))
            except ReportError as error:
                problem = error
        if problem is not None and not found:
            raise FloorError("not_found", str(problem))
        return found

    return await floor.host.look_back(sender(request), work)


HANDLERS = (rounds, replay, reports, report_page, report_csv)
