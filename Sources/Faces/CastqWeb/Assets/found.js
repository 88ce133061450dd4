// Screens of this network, found unasked, and one that is added by its address.
import { api, ask, choose, mistake, part, setText, tellNext as tell } from "./live.js";

class Found extends HTMLElement {
  connectedCallback() {
    part(this, "again")?.addEventListener("click", () => this.search());
    this.querySelector("form").addEventListener("submit", (event) => this.add(event));
    const dialog = this.closest("dialog");
    if (!dialog) this.search();
    else dialog.addEventListener("toggle", () => dialog.open && this.search());
  }

  get isFirst() { return !document.querySelector("castq-card"); }

  async search() {
    setText(part(this, "step"), "Looking for screens on this network…");
    const known = await ask("GET", "/api/v1/devices");
    if (known.ok) this.show(known.json.devices);
    const answer = await ask("GET", "/api/v1/devices?scan=true");
    if (!answer.ok) return setText(part(this, "step"), answer.problem);
    setText(part(this, "step"), this.show(answer.json.devices) ? ""
      : "No other screen was found. It must be on, and in this network; guest networks often keep devices apart.");
    return undefined;
  }

  /** Those that nobody uses yet. Rows that are there stay, so that nobody presses another one. */
  show(devices) {
    const list = part(this, "list");
    const found = (devices ?? []).filter((device) => device.used === false);
    const rows = new Map([...list.children].map((row) => [row.dataset.name, row]));
    for (const device of found) if (!rows.has(device.name)) list.append(this.row(device, list.children.length));
    return found.length > 0;
  }

  row(device, index) {
    const row = part(this, "row").content.firstElementChild.cloneNode(true);
    row.dataset.name = device.name;
    setText(part(row, "name"), device.name);
    const isSound = device.capabilities?.length && !device.capabilities.includes("video_out");
    setText(part(row, "model"), [device.model, isSound ? "sound only" : ""].filter(Boolean).join(", "));
    const use = part(row, "use");
    if (index === 0 && this.isFirst) use.className = "primary";
    use.setAttribute("aria-label", `Use ${device.name}`);
    use.addEventListener("click", () => this.use({ name: device.name }, use));
    return row;
  }

  async add(event) {
    event.preventDefault();
    const form = event.target;
    const { name, address } = form.elements;
    const problem = await this.use({ name: name.value.trim(), address: address.value.trim() }, event.submitter);
    mistake(form, problem, problem ? address : null);
  }

  /** Adds a screen, and where it is the first one, plays the test film on it. */
  async use(device, button) {
    button.disabled = true;
    // A screen more is news that loads pages again: not this one, which leads on itself.
    document.body.dataset.busy = "true";
    const isFirst = this.isFirst;
    setText(part(this, "step"), `Adding ${device.name}…`);
    const answer = await ask("POST", "/api/v1/devices", device);
    if (!answer.ok) {
      button.disabled = false;
      delete document.body.dataset.busy;
      setText(part(this, "step"), device.address ? "" : answer.problem);
      return answer.problem;
    }
    const label = answer.json.alias ?? answer.json.name;
    if (isFirst) {
      setText(part(this, "step"), `Starting the test film on ${device.name}…`);
      const played = await ask("POST", api(label, "/queue"), { sources: ["castq:test-card"], play: true });
      // The next page says why it shows nothing.
      if (!played.ok) tell(played.problem);
    }
    choose(label);
    location.assign(`/d/${encodeURIComponent(label)}`);
    return null;
  }
}
customElements.define("castq-found", Found);
