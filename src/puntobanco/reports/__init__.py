"""Reports out of a table's record: shifts and gaming days, people, and statistics against exact expectation."""

from puntobanco.reports.files import COLUMNS, csv_of, write_csv
from puntobanco.reports.gather import Gatherer
from puntobanco.reports.page import page_of
from puntobanco.reports.report import ReportError, TableReport, report_on, report_so_far
from puntobanco.reports.sheets import Parts, Sheet, overview_of, sheets_of
from puntobanco.reports.statistics import Comparison, Group, Statistics

__all__ = [
    "COLUMNS",
    "Comparison",
    "Gatherer",
    "Group",
    "Parts",
    "ReportError",
    "Sheet",
    "Statistics",
    "TableReport",
    "csv_of",
    "overview_of",
    "page_of",
    "report_on",
    "report_so_far",
    "sheets_of",
    "write_csv",
]
