"""Branch coverage of the modules that scripts/mutation-test changes, by the tests it uses; every branch is wanted."""

from __future__ import annotations

import sys

import coverage
import pytest
from scripts.tools.mutation_test import MODULES, TESTS, existing


def main() -> int:
    files = [f"*/puntobanco/{short.replace('.', '/')}.py" for short in existing(MODULES)]
    measured = coverage.Coverage(branch=True, data_file=None, config_file=False, include=files, messages=False)
    measured.exclude(r"assert_never|if TYPE_CHECKING:|: \.\.\.$")
    with measured.collect():
        status = pytest.main(["-p", "no:cacheprovider", *TESTS, *sys.argv[1:]])
    share = measured.report(show_missing=True, skip_covered=False, precision=1)
    return int(status) or int(share < 100)


if __name__ == "__main__":
    sys.exit(main())
