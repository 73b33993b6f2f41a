"""The extras that the package is installed with, by the modules that each brings: a missing one is named."""

from __future__ import annotations

EXTRAS = {
    "numba": "odds",
    "numpy": "odds",
    "polars": "lab",
    "jinja2": "lab",
    "apsw": "floor",
    "argon2": "floor",
    "cryptography": "floor",
    "httpx": "floor",
    "litestar": "floor",
    "uvicorn": "floor",
    "websockets": "floor",
    "psycopg": "postgres",
    "cupy": "gpu",
    "distributed": "cluster",
}
"""The extra to install for a module that is not there."""


def missing(error: ModuleNotFoundError) -> str:
    """What to install, for people; empty where the module belongs to no extra.

    >>> missing(ModuleNotFoundError("No module named 'numba'", name="numba"))
    "this needs numba, which is not installed: pip install 'puntobanco[odds]'"
    """
    module = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(module)
    return f"this needs {module}, which is not installed: pip install 'puntobanco[{extra}]'" if extra else ""
