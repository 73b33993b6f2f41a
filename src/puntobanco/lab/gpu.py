"""A GPU, through CuPy: named here alone, and loaded only when a GPU is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puntobanco.lab.device import Kernel
from puntobanco.lab.shoes import SimulationError

RESERVED = 128 << 20
"""Bytes of a GPU's memory that CUDA's libraries may take."""


def find_gpu() -> Gpu:
    """The first GPU that CuPy sees, or why there is none."""
    try:
        import cupy
    except ImportError:
        raise SimulationError("a GPU takes CuPy, which is not installed: pip install 'puntobanco[gpu]'") from None
    try:
        if not cupy.cuda.runtime.getDeviceCount():
            raise SimulationError("no GPU was found on this machine")
        return Gpu(cupy)
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise SimulationError(f"no GPU was found on this machine ({error})") from None


class Gpu:
    """Kernels are compiled when they are first asked for, and kept by CuPy on the disk."""

    def __init__(self, cupy: Any) -> None:
        self.xp = cupy
        device = cupy.cuda.Device()
        self.name = cupy.cuda.runtime.getDeviceProperties(device.id)["name"].decode()
        self.processors = int(device.attributes["MultiProcessorCount"])
        # those of CUDA and of its libraries are RuntimeErrors, each of a class of its own
        self.errors: tuple[type[Exception], ...] = (RuntimeError, cupy.cuda.compiler.CompileException)
        self.shared = int(device.attributes["MaxSharedMemoryPerBlockOptin"])

    def kernels(self, source: str, defines: dict[str, int]) -> Callable[[str], Kernel]:
        options = ("-std=c++17", *(f"-D{name}={int(value)}" for name, value in defines.items()))
        module = self.xp.RawModule(code=source, options=options)

        @cache
        def kernel(name: str) -> Kernel:
            function = module.get_function(name)

            def launch(blocks: int, threads: int, shared: int, *arguments: Any) -> None:
                function.max_dynamic_shared_size_bytes = shared
                function((blocks,), (threads,), arguments, shared_mem=shared)

            return launch

        return kernel

    def free(self) -> int:
        pool = self.xp.get_default_memory_pool()
        return max(0, int(self.xp.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes()) - RESERVED)

    def host(self, array: Any) -> NDArray[Any]:
        return np.asarray(array.get())
