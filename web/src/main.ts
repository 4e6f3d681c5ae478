/** Puts the page up. */
import "./styles/tokens.css";
import "./styles/ground.css";
import "./styles/controls.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { door } from "./daemon/door.svelte";
import { look } from "./shell/theme.svelte";

look.start();
door.enter();
mount(App, { target: document.getElementById("app") ?? document.body });
