/** What a browser has and the components need, for tests that draw them without one. Import it first. */

import { vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
vi.stubGlobal("navigator", { languages: ["en"] });
