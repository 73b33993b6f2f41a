/** Files of the server to keep. */

import { Trouble } from "./http";
import { notices } from "./notices.svelte";
import type { Problem } from "./types";

/** Fetch a file and keep it under a name; what the server refuses is said. */
export async function save(address: string, name: string): Promise<void> {
  try {
    const answer = await fetch(address, { credentials: "same-origin" }).catch(() => {
      throw Trouble.network();
    });
    if (!answer.ok) throw new Trouble((await answer.json().catch(() => ({ code: "failed", message: `the server answered ${answer.status}` }))) as Problem, answer.status);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (error) {
    notices.trouble(error);
  }
}
