// Papers: what only a script can do with them is to print.
import { part } from "./live.js";

class Paper extends HTMLElement {
  connectedCallback() {
    const button = part(this, "print");
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}
customElements.define("castq-paper", Paper);
