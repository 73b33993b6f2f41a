// Every component with values of real tables, for whoever writes a screen: `npm run dev`, then /gallery.html.
// It needs web/fixtures (python -m scripts.tools.page_fixtures) and is no part of what is built.
import { mount } from "svelte";

import "../app.css";
import Gallery from "./Gallery.svelte";

const target = document.getElementById("app");
if (target) mount(Gallery, { target });
