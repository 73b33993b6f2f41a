import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import { atRest } from "./lib/rest";

window.atRest = atRest;
const target = document.getElementById("app");
if (target) mount(App, { target });
