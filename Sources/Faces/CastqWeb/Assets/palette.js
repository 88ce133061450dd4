// What the search field finds: screens, what is on them and in the queue, programmes, times of the schedule, pages, and what can be done.
import { listbox } from "./listbox.js";
import { api, ask, chosen, command, look, screenName, store } from "./live.js";

const most = 9;
const field = document.getElementById("search");
const mayAct = document.body.dataset.role !== "look";
const device = (label, rest = "") => `/d/${encodeURIComponent(label)}${rest}`;

const pages = [
  ["Now", "/"], ["Schedule", "/schedule"], ["Library", "/library"], ["Reports", "/reports"], ["History", "/history"],
  ["Settings", "/settings"], ["Doctor: examine the screens", "/doctor"],
].map(([text, to]) => ({ kind: "Page", text, to }));

let things = [];
let read = null;

/** What does not change while one types. */
async function gather() {
  const [known, programmes, rules, queue] = await Promise.all(
    ["/api/v1/devices", "/api/v1/programmes", "/api/v1/schedule", chosen() ? api(chosen(), "/queue?from=0&count=200") : null]
      .map((path) => (path ? ask("GET", path) : { json: null })));
  const screens = (known.json?.devices ?? []).map((one) => ({ label: one.alias ?? one.name, name: one.name }));
  things = [
    ...screens.map(({ label, name }) => ({ kind: "Screen", text: name, also: label, to: device(label) })),
    ...(mayAct ? screens.flatMap(({ label, name }) => verbs(label, name)) : []),
    ...(queue.json?.entries ?? []).map((entry) => ({ kind: "Entry", text: entry.title, also: "", to: device(chosen(), `?entry=${entry.entry}`), hint: `on ${screenName(chosen())}` })),
    ...(programmes.json?.programmes ?? []).map((one) => ({ kind: "Programme", text: one.programme ?? one.name ?? "", to: "/library" })),
    ...(rules.json?.rules ?? []).map((one) => ({ kind: "Time", text: one.rule ?? "", also: one.programme ?? "", to: "/schedule" })),
    ...(mayAct ? [{ kind: "Do", text: "Announce", run: announce }] : []),
    ...pages,
  ].filter((one) => one.text);
}

function announce() {
  const button = document.querySelector("[data-opens=announce]");
  if (button) button.click();
  else location.assign("/#announce");
}

function verbs(label, name) {
  return [["Pause", "pause"], ["Play", "play"], ["Next on", "next"], ["Stop", "stop"], ["Mute", "mute"]]
    .map(([text, verb]) => ({ kind: "Do", text: `${text} ${name}`, also: `${verb} ${label}`, run: () => command(label, verb) }));
}

/** What is on screens is of this moment. */
function playing() {
  return [...store.state.statuses.keys()].map((label) => ({ label, one: look(label) })).filter(({ one }) => one?.isOn && one.title)
    .map(({ label, one }) => ({ kind: "On now", text: one.title, to: device(label), hint: `on ${screenName(label)}` }));
}

function found(wanted) {
  const words = wanted.split(/\s+/);
  const matches = (one) => { const text = `${one.text} ${one.also ?? ""}`.toLowerCase(); return words.every((word) => text.includes(word)); };
  const rank = (one) => (one.text.toLowerCase().startsWith(wanted) ? 0 : 1);
  return [...things, ...playing()].filter(matches).sort((one, other) => rank(one) - rank(other)).slice(0, most);
}

const show = listbox(field, (one) => {
  field.value = "";
  field.blur();
  if (one.run) one.run();
  else location.assign(one.to);
});

function draw() {
  const wanted = field.value.trim().toLowerCase();
  show(wanted ? found(wanted) : []);
}

/** Shows what there is as one types. */
export async function search() {
  read ??= gather();
  draw();
  await read;
  if (document.activeElement === field) draw();
}
