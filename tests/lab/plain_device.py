"""The CUDA kernels compiled as plain C++, a thread after the other: what a GPU would count, where there is none."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

COMPILER = shutil.which("g++") or shutil.which("c++")
OPTIONS = ("-O1", "-std=c++17", "-ffp-contract=off", "-Wall", "-Werror", "-shared", "-fPIC")


class PlainDevice:
    """Arrays are numpy's. There are two processors, so that blocks are told apart."""

    name = "plain C++"
    xp: Any = np
    processors = 2
    shared = 227 * 1024
    errors: tuple[type[Exception], ...] = (OSError,)

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def kernels(self, source: str, defines: dict[str, int]) -> Callable[[str], Callable[..., None]]:
        assert COMPILER is not None
        settings = [f"-D{name}={int(value)}" for name, value in defines.items()]
        name = hashlib.sha256(repr((source, settings)).encode()).hexdigest()[:16]
        library = self._folder / f"{name}.so"
        if not library.exists():
            code = self._folder / f"{name}.cpp"
            code.write_text(source)
            subprocess.run(
                [COMPILER, *OPTIONS, *settings, "-o", library, code],
                check=True,
            )
        loaded = ctypes.CDLL(str(library))

        def kernel(called: str) -> Callable[..., None]:
            def launch(blocks: int, threads: int, shared: int, *arguments: Any) -> None:
                for block in range(blocks):
                    memory = np.full(-(-shared // 8), np.nan)
                    loaded.set_block(blocks, threads, block, _place(memory))
                    loaded[called](*map(_argument, arguments))

            return launch

        return kernel

    def free(self) -> int:
        return 1 << 30

    def host(self, array: Any) -> NDArray[Any]:
        return np.asarray(array)


def _place(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


_TYPES: dict[type, Any] = {np.int32: ctypes.c_int32, np.int64: ctypes.c_int64, np.uint64: ctypes.c_uint64}


def _argument(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous
        return _place(value)
    return _TYPES[type(value)](int(value))
