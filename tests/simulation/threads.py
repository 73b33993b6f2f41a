"""Time, threads and an event loop that one seed plays, on one real thread.

The loop knows no selector: where nothing is ready, time jumps to the next timer. What the product calls a thread is a
greenlet here: it runs until it waits for a lock, a queue, a future or a pause, and goes on when the seed says so. A
simulated process owns its tasks, timers and threads; one that is dead runs none of them any more, not even to clean up.
"""

from __future__ import annotations

import asyncio
import heapq
import queue
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future as RealFuture
from contextvars import Context, ContextVar, copy_context
from random import Random
from typing import Any, Generic, TypeVar

from greenlet import getcurrent, greenlet  # type: ignore[import-untyped]

T = TypeVar("T")
STEP = 5e-6
"""Seconds that each step of the loop takes: without them a loop that waits by turns would stop the time."""


class Owner:
    """A simulated process, or whoever else has tasks and threads."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dead = False

    def context(self) -> Context:
        """A context whose tasks, timers and threads are this owner's."""
        context = copy_context()
        context.run(_owner.set, self)
        return context


_owner: ContextVar[Owner | None] = ContextVar("owner", default=None)


def owner() -> Owner | None:
    """Whose code is running."""
    return _owner.get()


class KilledError(BaseException):
    """The process has ended at this very place."""


KEPT: list[Any] = []
"""Loops that are over, with all that still waited there: to end a coroutine would run more of the product."""


class StuckError(AssertionError):
    """Nothing is left to happen, and somebody waits."""


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop whose time is made up. ``chance`` says how long threads take."""

    def __init__(self, chance: Random) -> None:
        super().__init__()
        self.chance = chance
        self.steps = 0
        self.paused = 0.0002
        """Seconds that a thread waits for its turn, on average."""
        self.graveyard: list[Any] = []
        """What the dead have left: nobody cleans up for them, not even Python."""
        self.unhandled: list[dict[str, Any]] = []
        self._now = 0.0
        self._sequence = 0
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._threads: list[tuple[float, int, _Thread]] = []
        self.main = getcurrent()
        self.over = False
        """Whether to stop as soon as this step is done."""
        self.noted: Callable[[str], None] = lambda step: None
        """Called with what each step is, for the trace."""

    def time(self) -> float:
        return self._now

    # --- what BaseEventLoop asks of a loop

    def _write_to_self(self) -> None:
        """Nobody sleeps."""

    def _process_events(self, event_list: Any) -> None:
        """There are none."""

    def get_debug(self) -> bool:
        return False

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Timers of one moment go in the order in which they were set."""
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        timer._scheduled = True  # type: ignore[attr-defined]
        self._sequence += 1
        heapq.heappush(self._timers, (when, self._sequence, timer))
        return timer

    def _run_once(self) -> None:
        self._now += STEP
        ready: deque[asyncio.Handle] = self._ready  # type: ignore[attr-defined]
        timers = self._timers
        while timers and timers[0][0] <= self._now:
            _, _, timer = heapq.heappop(timers)
            timer._scheduled = False  # type: ignore[attr-defined]
            if not timer._cancelled:
                ready.append(timer)
        if not ready:
            while timers and timers[0][2]._cancelled:
                heapq.heappop(timers)
            if not timers:
                raise StuckError("nothing is left to happen")
            self._now = timers[0][0]
            return
        handle = ready.popleft()
        if handle._cancelled:
            return
        mine = handle._context.get(_owner)  # type: ignore[attr-defined]
        if mine is not None and mine.dead:
            self.graveyard.append(handle)
            return
        self.steps += 1
        handle._run()
        if self.over:
            self.stop()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Until the work is done, or :attr:`over` is set."""
        task = self.create_task(work, name="everything")
        task.add_done_callback(lambda _: self.stop())
        self.set_exception_handler(self._unhandled)
        self.run_forever()
        if task.done() and not self.over:
            task.result()

    def _unhandled(self, _: asyncio.AbstractEventLoop, about: dict[str, Any]) -> None:
        self.unhandled.append(about)

    def forget(self) -> None:
        """Whatever is still waiting waits for ever."""
        for task in asyncio.all_tasks(self):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            self.graveyard.append(task)
        self._ready.clear()  # type: ignore[attr-defined]
        self._timers.clear()
        KEPT.append(self)

    # --- threads

    def wake(self, thread: _Thread, seconds: float | None = None) -> None:
        """Let a thread go on after a while; by chance where nobody says when."""
        pause = self.chance.expovariate(1 / self.paused) if seconds is None else seconds
        self._sequence += 1
        when = self._now + pause
        heapq.heappush(self._threads, (when, self._sequence, thread))
        self.call_at(when, self._turns, context=thread.context)

    def _turns(self) -> None:
        while self._threads and self._threads[0][0] <= self._now:
            self._turn()

    def _turn(self) -> None:
        when, _, thread = heapq.heappop(self._threads)
        self._now = max(self._now, when)
        if thread.owner is not None and thread.owner.dead:
            self.graveyard.append(thread)
            return
        self.noted(f"thread {thread.name}")
        thread.greenlet.switch()

    def until(self, done: Callable[[], bool]) -> None:
        """The loop itself waits: threads go on, everything else stands still."""
        while not done():
            if not self._threads:
                raise StuckError("the event loop waits for ever")
            self._turn()


_loop: VirtualLoop | None = None


def begin(loop: VirtualLoop | None) -> None:
    """Threads are the loop's from now on."""
    global _loop
    _loop = loop


def loop() -> VirtualLoop:
    assert _loop is not None, "no simulation is running"
    return _loop


class _Thread:
    """A greenlet and whose it is."""

    def __init__(self, work: Callable[[], None], name: str) -> None:
        self.name = name.partition("/")[0]
        self.owner = owner()
        self.context = copy_context()
        self.over = False

        def run() -> None:
            try:
                work()
            except KilledError:
                assert self.owner is not None
                assert self.owner.dead
            finally:
                self.over = True

        self.greenlet = greenlet(run, parent=loop().main)
        self.greenlet.gr_context = self.context.copy()
        self.greenlet.simulated = self


def current() -> _Thread | None:
    """The thread that runs; none where it is the event loop."""
    return getattr(getcurrent(), "simulated", None)


def spawn(work: Callable[[], None], name: str) -> _Thread:
    thread = _Thread(work, name)
    loop().wake(thread)
    return thread


def pause(seconds: float | None = None) -> None:
    """A thread lets the others go on. The event loop never waits here."""
    thread = current()
    if thread is not None:
        loop().wake(thread, seconds)
        loop().main.switch()


class _Queueing:
    """Threads that wait for something, in order."""

    def __init__(self) -> None:
        self._waiting: deque[_Thread] = deque()

    def wait(self, done: Callable[[], bool]) -> None:
        while not done():
            thread = current()
            if thread is None:
                loop().until(done)
                return
            self._waiting.append(thread)
            loop().main.switch()

    def tell(self) -> None:
        waiting, self._waiting = self._waiting, deque()
        for thread in waiting:
            loop().wake(thread)


# --- what stands in for threading, queue and concurrent.futures


class Lock:
    def __init__(self) -> None:
        self._holder: Any = None
        self._depth = 0
        self._queue = _Queueing()

    reentrant = False

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        me = getcurrent()
        if self.reentrant and self._holder is me:
            self._depth += 1
            return True
        if self._holder is not None and not blocking:
            return False
        assert self._holder is not me, "a thread waits for itself"
        self._queue.wait(lambda: self._holder is None)
        self._holder, self._depth = me, 1
        return True

    def release(self) -> None:
        self._depth -= 1
        if not self._depth:
            self._holder = None
            self._queue.tell()

    def locked(self) -> bool:
        return self._holder is not None

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class RLock(Lock):
    reentrant = True


class Condition:
    def __init__(self, lock: Lock | None = None) -> None:
        self._lock = lock or RLock()
        self._told = 0
        self._queue = _Queueing()

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        told = self._told
        self._lock.release()
        self._queue.wait(lambda: self._told > told)
        self._lock.acquire()
        return True

    def wait_for(self, predicate: Callable[[], T], timeout: float | None = None) -> T:
        while not (found := predicate()):
            self.wait()
        return found

    def notify(self, n: int = 1) -> None:
        self.notify_all()

    def notify_all(self) -> None:
        self._told += 1
        self._queue.tell()


class SimpleQueue(Generic[T]):
    def __init__(self) -> None:
        self._items: deque[T] = deque()
        self._queue = _Queueing()

    def put(self, item: T, block: bool = True, timeout: float | None = None) -> None:
        self._items.append(item)
        self._queue.tell()

    def get(self, block: bool = True, timeout: float | None = None) -> T:
        self._queue.wait(lambda: bool(self._items))
        return self._items.popleft()

    def get_nowait(self) -> T:
        if not self._items:
            raise queue.Empty
        return self._items.popleft()

    def empty(self) -> bool:
        return not self._items

    def qsize(self) -> int:
        return len(self._items)


class Future(RealFuture[T]):
    """One that a thread may wait for."""

    def _wait(self) -> None:
        if not self.done():
            queueing = _Queueing()
            self.add_done_callback(lambda _: queueing.tell())
            queueing.wait(self.done)

    def result(self, timeout: float | None = None) -> T:
        self._wait()
        return super().result(0)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        self._wait()
        return super().exception(0)


def wait(futures: Any, timeout: float | None = None) -> None:
    for future in futures:
        future.exception()


class ThreadPoolExecutor:
    """As many threads at a time as it was given, each for one job."""

    def __init__(
        self, max_workers: int = 8, thread_name_prefix: str = "", initializer: Callable[[], None] | None = None
    ) -> None:
        self._free = max_workers
        self._name = thread_name_prefix
        self._jobs: deque[Callable[[], None]] = deque()
        self._queue = _Queueing()
        self._running = 0
        self._over = False

    def submit(self, work: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        if self._over:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: Future[T] = Future()

        def job() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = work(*arguments, **named)
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self._jobs.append(job)
        self._next()
        return future

    def _next(self) -> None:
        while self._jobs and self._running < self._free:
            job = self._jobs.popleft()
            self._running += 1

            def run(job: Callable[[], None] = job) -> None:
                job()
                self._running -= 1
                self._next()
                self._queue.tell()

            spawn(run, self._name)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._over = True
        if cancel_futures:
            self._jobs.clear()
        if wait:
            self._queue.wait(lambda: not self._running and not self._jobs)


class Thread:
    def __init__(
        self,
        group: None = None,
        target: Callable[..., None] | None = None,
        name: str = "thread",
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        *,
        daemon: bool | None = None,
    ) -> None:
        self.name = name
        self._work: Callable[[], None] = lambda: target(*args, **(kwargs or {})) if target else None
        self._thread: _Thread | None = None
        self._queue = _Queueing()

    def start(self) -> None:
        def run() -> None:
            self._work()
            self._queue.tell()

        self._thread = spawn(run, self.name)
        self._thread.facade = self  # type: ignore[attr-defined]

    def join(self, timeout: float | None = None) -> None:
        thread = self._thread
        assert thread is not None
        self._queue.wait(lambda: thread.over)

    def is_alive(self) -> bool:
        return self._thread is not None and not self._thread.over


def current_thread() -> Any:
    thread = current()
    return getattr(thread, "facade", thread)
