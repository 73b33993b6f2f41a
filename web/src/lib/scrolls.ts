/** A part of the page that scrolls by itself can be reached by keyboard: `{@attach scrolls}`. */
export function scrolls(part: HTMLElement): void {
  part.tabIndex = 0;
}
