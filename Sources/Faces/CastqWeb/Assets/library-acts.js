// What can be done with a file of the library or a programme: one menu for all, and the dialogs that it opens.
import { api, ask, command, mistake, part, reload, screenName, setAttribute, setText, toast } from "./live.js";

const menu = document.getElementById("library-menu");
let own = null; // the tile or the programme whose menu was opened last

const subject = () => ({
  title: own.querySelector(".title").textContent,
  source: own.dataset.name !== undefined ? `library:${own.dataset.name}` : `programme:${own.dataset.programme}`,
});

/** Opens the menu of a tile or a programme at its button. */
export function openMenu(button) {
  own = button.closest("li");
  const isProgramme = own.dataset.programme !== undefined;
  const hidden = { add: isProgramme, check: !isProgramme, remove: !isProgramme };
  for (const item of menu.querySelectorAll("button")) item.hidden = hidden[item.dataset.actOn] ?? false;
  menu.showPopover();
  const [place, size] = [button.getBoundingClientRect(), menu.getBoundingClientRect()];
  menu.style.left = `${Math.max(Math.min(place.right - size.width, innerWidth - size.width - 8), 8)}px`;
  menu.style.top = `${place.bottom + size.height > innerHeight ? Math.max(place.top - size.height, 8) : place.bottom}px`;
  menu.querySelector("button:not([hidden])").focus();
}

menu.addEventListener("keydown", (event) => {
  const items = [...menu.querySelectorAll("button:not([hidden])")];
  const index = items.indexOf(document.activeElement);
  const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items[(to + items.length) % items.length].focus();
});

menu.addEventListener("click", (event) => {
  const what = event.target.closest("[data-act-on]")?.dataset.actOn;
  if (!what) return;
  menu.hidePopover();
  const { title, source } = subject();
  if (what === "queue") openDialog("queue-on", `Queue ${title} on`);
  else if (what === "add") {
    setAttribute(part(document.getElementById("add-to"), "new"), "href", `/library?new=1&pick=${encodeURIComponent(own.dataset.name)}`);
    openDialog("add-to", `Add ${title} to a programme`);
  } else if (what === "schedule") location.assign(`/schedule?new=1&play=${encodeURIComponent(own.dataset.programme ?? source)}`);
  else if (what === "check") check();
  else if (what === "remove") remove();
});

function openDialog(name, heading) {
  const dialog = document.getElementById(name);
  setText(part(dialog, "heading"), heading);
  mistake(part(dialog, "form"), null);
  dialog.showModal();
}

const queueing = document.querySelector('#queue-on [data-part="form"]');
queueing?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const label = queueing.elements.device.value;
  const when = event.submitter?.value ?? "end";
  const key = crypto.randomUUID?.() ?? String(Math.random());
  const body = { sources: [subject().source], at: when === "end" ? "end" : "next" };
  const answer = await ask("POST", api(label, "/queue"), body, { "Idempotency-Key": key });
  mistake(queueing, answer.problem);
  if (!answer.ok) return;
  const added = answer.json?.added ?? [];
  document.getElementById("queue-on").close();
  for (const bad of (answer.json?.skipped ?? []).slice(0, 2)) toast(bad.message, true);
  if (!added.length) return;
  if (when === "now" && !(await command(label, "play", { entry: added[0].entry })).ok) return;
  const words = added.length === 1 ? `${subject().title} is` : `${added.length} entries are`;
  toast(`${words} ${when === "now" ? "on the way to" : when === "next" ? "next on" : "queued on"} ${screenName(label)}`);
});

const adding = document.querySelector('#add-to [data-part="form"]');
adding?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = adding.elements.programme;
  const answer = await ask("POST", `/api/v1/programmes/${encodeURIComponent(field.value)}/files`, { files: [own.dataset.name] });
  if (answer.ok) reload(`${subject().title} is in ${field.value} now`);
  else mistake(adding, answer.problem, field);
});

function check() {
  const form = document.querySelector("#drop form");
  form.elements.check.value = own.dataset.source;
  form.requestSubmit();
  form.scrollIntoView({ block: "center" });
}

async function remove() {
  const row = own;
  const { programme, source, filler } = row.dataset;
  const answer = await ask("DELETE", `/api/v1/programmes/${encodeURIComponent(programme)}`);
  if (!answer.ok) return toast(answer.problem, true);
  const line = document.createElement("li");
  line.className = "notice";
  const words = document.createElement("p");
  words.setAttribute("role", "status");
  setText(words, `${programme} is removed`);
  const undo = document.createElement("button");
  undo.type = "button";
  setText(undo, "Undo");
  line.append(words, undo);
  row.replaceWith(line);
  const count = part(document.getElementById("programmes"), "count");
  setText(count, String(Number(count.textContent) - 1));
  undo.focus();
  undo.addEventListener("click", async () => {
    const body = { programme, source, shuffle: row.dataset.shuffle !== undefined, ...(filler && { filler }) };
    const back = await ask("POST", "/api/v1/programmes", body);
    if (back.ok) reload(`${programme} is back`);
    else toast(back.problem, true);
  });
  return undefined;
}
