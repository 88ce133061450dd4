// The device chooser: what can be cast to, and what is done with the one that is connected.
import { api, ask, choose, chosen, command, look, part, screenName, setArt, setAttribute, setText, store, toggle, transfer } from "./live.js";

const dialog = document.getElementById("chooser");
let devices = [];
let isFollowed = false;
let isSearched = false;
let turn = 0;

export async function openChooser() {
  if (!dialog.open) dialog.showModal();
  if (!isFollowed) {
    isFollowed = true;
    store.subscribe(() => dialog.open && draw());
    document.addEventListener("castq-chosen", () => dialog.open && draw());
    const own = part(dialog, "connected");
    // Who may only look has neither.
    part(own, "toggle")?.addEventListener("click", () => toggle(chosen()));
    part(own, "quit")?.addEventListener("click", () => {
      command(chosen(), "stop", { quit: true });
      dialog.close();
    });
    part(own, "leave").addEventListener("click", leave);
    part(own, "volume").addEventListener("change", (event) => command(chosen(), "volume", { level: Number(event.target.value) }));
  }
  draw();
  setText(part(dialog, "step"), "Looking for screens…");
  const known = await ask("GET", "/api/v1/devices");
  if (known.ok) devices = known.json.devices ?? [];
  draw();
  // Discovery begins unasked, and goes on while the chooser is open.
  const mine = ++turn;
  while (dialog.open && mine === turn) {
    const answer = await ask("GET", "/api/v1/devices?scan=true");
    if (answer.ok) devices = answer.json.devices ?? [];
    isSearched = true;
    draw();
    setText(part(dialog, "step"), answer.ok ? "" : answer.problem);
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
}

/** What plays on the connected screen goes on at another one. */
async function moveTo(to) {
  setText(part(dialog, "step"), `Moving to ${screenName(to)}…`);
  const problem = await transfer(chosen(), to);
  if (problem) setText(part(dialog, "step"), problem);
}

/** Disconnecting forgets the screen here; what plays on it goes on. */
export function leave() {
  choose(null);
  dialog.close();
  if (document.body.dataset.device) location.assign("/");
}

function draw() {
  const own = chosen();
  const one = own ? look(own) : null;
  const isConnected = Boolean(one && !one.isOff);
  const panel = part(dialog, "connected");
  panel.hidden = !isConnected;
  setText(part(dialog, "heading"), isConnected ? screenName(own) : "Cast to");
  if (isConnected) {
    setText(part(panel, "title"), one.isOn ? one.title : "Nothing is playing");
    setText(part(panel, "subtitle"), one.isOn ? one.subtitle || one.word : one.word);
    setArt(part(panel, "art"), one.art, 320);
    const button = part(panel, "toggle");
    if (button) button.hidden = !one.isOn;
    setText(button, one.isMoving ? (one.live ? "Stop" : "Pause") : "Play");
    const slider = part(panel, "volume");
    if (one.volume && document.activeElement !== slider) slider.value = one.volume.level;
    setText(part(panel, "level"), one.volume ? String(one.volume.level) : "–");
    setText(part(panel, "configured"), one.configured);
    setAttribute(part(panel, "open"), "href", `/d/${encodeURIComponent(own)}`);
  }
  drawList(own);
}

function drawList(own) {
  const list = part(dialog, "list");
  const sorted = devices.map((device) => ({ label: device.alias ?? device.name, name: device.name, status: device.status }))
    .sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true, sensitivity: "base" }));
  const template = document.getElementById("choice");
  const rows = new Map([...list.children].map((row) => [row.dataset.device, row]));
  const wanted = sorted.map((device) => {
    let row = rows.get(device.label);
    if (!row) {
      row = template.content.firstElementChild.cloneNode(true);
      row.dataset.device = device.label;
      part(row, "choose").addEventListener("click", () => connect(device.label, device.name));
      part(row, "move")?.addEventListener("click", () => moveTo(device.label));
    }
    const one = look(device.label);
    const casting = one?.isOn ? `Casting ${one.title || "something"}` : device.status && !one ? `Casting ${device.status.replace(/^Casting:? /, "")}` : one?.isOff ? one.word : "Ready";
    setText(part(row, "name"), device.name);
    setText(part(row, "casting"), device.label === own ? "Connected" : casting);
    const move = part(row, "move");
    if (move) move.hidden = !own || device.label === own || !look(own)?.isOn;
    setAttribute(part(row, "choose"), "aria-current", device.label === own ? "true" : null);
    return row;
  });
  if (wanted.length !== list.children.length || wanted.some((row, index) => list.children[index] !== row)) list.replaceChildren(...wanted);
  const none = part(dialog, "none");
  none.hidden = wanted.length > 0 || !isSearched;
  if (!none.hidden) setText(none, "No screen was found. It must be on, and in this network; guest networks often keep devices apart. “Doctor” finds out more.");
}

async function connect(label, name) {
  choose(label);
  setText(part(dialog, "step"), `Connecting to ${name}…`);
  location.assign(`/d/${encodeURIComponent(label)}`);
}
