/** The address of the page: links and the browser's own buttons change the screen without loading anew. */

import { routeOf } from "./route";

class Router {
  path = $state(location.pathname);
  route = $derived(routeOf(this.path));

  constructor() {
    addEventListener("popstate", () => {
      this.path = location.pathname;
    });
    document.addEventListener("click", (click) => this.#follow(click));
  }

  /** Go to an address of the page. */
  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.path = location.pathname;
    scrollTo(0, 0);
  }

  /** Links within the page do not load it anew. */
  #follow(click: MouseEvent): void {
    if (click.defaultPrevented || click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    const link = (click.target as Element | null)?.closest("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api") || link.hash) return;
    click.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const router = new Router();
