/** Asking again and again, as long as somebody looks. */

/** Call at once and then every so many milliseconds; not while the tab is hidden, and at once when it is shown again. Returns what ends it. */
export function poll(call: () => void, every: number): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const follow = (): void => {
    clearInterval(timer);
    if (document.hidden) return;
    call();
    timer = setInterval(call, every);
  };
  document.addEventListener("visibilitychange", follow);
  follow();
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", follow);
  };
}
