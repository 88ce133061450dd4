// Started on every page: the line to castq, the elements that the page has, its forms, and the banner.
import "./casting.js";
import { api, ask, choose, chosen, command, isTaken, mistake, open, part, remember, remembered, said, setText, store, toast, toggle, words } from "./live.js";
import { ago, isLive } from "./store.js";

const root = document.documentElement;
const theme = remembered("theme");
if (theme) root.dataset.theme = theme;

// Elements of one page come with it.
const elements = { "castq-controller": "./controller.js", "castq-queue": "./queue.js", "castq-lanes": "./lanes.js", "castq-history": "./history-rows.js", "castq-found": "./found.js", "castq-paper": "./reports.js" };
for (const [name, file] of Object.entries(elements)) if (document.querySelector(`main ${name}`)) import(file);
open();
if (document.getElementById("cards")) import("./wall.js");

// MARK: the banner, and what cannot be pressed

function drawLink() {
  const { state } = store;
  const live = isLive(state) || state.link === "connecting";
  const text = part(document.getElementById("connection") ?? document, "words");
  if (document.body.dataset.link !== (live ? "up" : "down")) {
    document.body.dataset.link = live ? "up" : "down";
    for (const act of document.querySelectorAll("[data-act]")) if (live ? act.dataset.greyed : !act.disabled) {
      act.disabled = !live;
      if (live) delete act.dataset.greyed;
      else act.dataset.greyed = "true";
    }
  }
  if (!text) return;
  // Until the stream says it, the page that was loaded knows it.
  const isFed = state.daemon ?? document.body.dataset.daemon !== "off";
  for (const one of document.querySelectorAll("[data-off]")) one.hidden = isFed || !live;
  text.hidden = live && isFed;
  if (live && isFed) return setText(text, "");
  const since = state.since ? ` since ${words(state.since, true)}` : "";
  // The age is for the eye; the live region speaks when the words change, not each second.
  setText(text, live
    ? `castq is not running${since}: nothing new starts. What plays goes on, and screens can be operated.`
    : `No connection to castq${since}. What you see is the last known state; nothing can be sent.`);
  drawAge();
}
function drawAge() {
  const { since } = store.state;
  const text = part(document.getElementById("connection") ?? document, "words");
  if (text && !text.hidden && since) text.title = ago((Date.now() + store.state.offset - since) / 1000);
}
store.subscribe((state, before) => {
  if (state.link !== before.link || state.daemon !== before.daemon || state.since !== before.since) drawLink();
});

// MARK: the expanded controller opens when casting begins, where a person wants that

if (document.body.dataset.opens === "casting") {
  store.subscribe((state, before, event) => {
    const label = chosen();
    const open = document.querySelector("castq-controller");
    if (event.type !== "status" || event.data.device !== label || (open?.dataset.device === label && open.checkVisibility())) return;
    const was = before.casting.get(label);
    // Nobody is torn from a dialog or a field.
    if (!was || state.casting.get(label).begun === was.begun || document.querySelector("dialog[open]") || isTaken(document.activeElement ?? document.body)) return;
    location.assign(`/d/${encodeURIComponent(label)}`);
  });
}

// MARK: forms, without leaving the page

const members = (form, submitter) => {
  const data = new FormData(form, submitter);
  const object = {};
  for (const [name, value] of data) {
    if (["do", "device", "back"].includes(name) || value === "") continue;
    const known = /^-?\d+(\.\d+)?$/.test(value) && !["sources", "source", "devices", "to"].includes(name) ? Number(value) : value === "true" ? true : value;
    if (["sources", "devices"].includes(name)) (object[name] ??= []).push(value);
    else object[name] = known;
  }
  return object;
};

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.dataset.ruleForm && event.submitter?.value === "skip") return change(event, form, "skip");
  const what = form.dataset.do;
  if (!what || !["command", "enqueue", "announce", "remove", "start"].includes(what)) return;
  event.preventDefault();
  if (what === "start") return start(form);
  const label = form.elements.device?.value;
  const body = members(form, event.submitter);
  if (what === "command") {
    const { verb, ...rest } = body;
    if (verb === "toggle") return toggle(label);
    return command(label, verb, rest);
  }
  if (what === "enqueue") {
    const key = crypto.randomUUID?.() ?? String(Math.random());
    const answer = await ask("POST", api(label, "/queue"), body, { "Idempotency-Key": key });
    const field = form.elements.sources;
    if (!answer.ok && field.type === "hidden") return toast(answer.problem, true);
    mistake(form, answer.problem, answer.ok ? null : field);
    if (!answer.ok) return undefined;
    const [first] = answer.json?.added ?? [];
    const count = answer.json?.added?.length ?? 0;
    for (const bad of (answer.json?.skipped ?? []).slice(0, 2)) toast(bad.message, true);
    if (count) toast(count === 1 ? `${first.title} is queued` : `${count} entries are queued`);
    form.reset();
    document.dispatchEvent(new CustomEvent("castq-queued", { detail: { device: label, entry: first?.entry } }));
    return undefined;
  }
  if (what === "announce") (await import("./announce.js")).announce(body);
  return undefined;
});

/** Starts castq. The stream says that it is there, and what is there hides the button. */
async function start(form) {
  const [button] = form.querySelectorAll("button");
  button.disabled = true;
  setText(button, "Starting castq…");
  mistake(form, null);
  const answer = await ask("POST", "/api/v1/daemon");
  button.disabled = false;
  setText(button, "Start castq");
  mistake(form, answer.problem);
}

/** Skips or moves one time of a rule, where the page has the dialog that shows first what that changes. */
async function change(event, form, action) {
  if (!document.getElementById("occurrence")) return;
  event.preventDefault();
  const { openOccurrence } = await import("./occurrence.js");
  openOccurrence(form.dataset.ruleForm, form.elements.occurrence.value, action);
}

document.addEventListener("castq-outcome", ({ detail }) => {
  // What became of these is said where they were asked for.
  if (detail.done === false && !["announce", "transfer"].includes(detail.verb)) toast(detail.error?.message ?? "it did not work", true);
});

// Everything is read again, but nobody is torn from a dialog or a field, nor called back from the way to another page.
let isStale = false;
let isLeaving = false;
const renew = () => {
  if (isStale && !isLeaving && !document.body.dataset.busy && !document.getElementById("given") && !document.querySelector("dialog[open]") && !isTaken(document.activeElement ?? document.body)) location.reload();
};
document.addEventListener("castq-reset", () => { isStale = true; renew(); });
for (const kind of ["focusout", "close"]) document.addEventListener(kind, () => setTimeout(renew), true);
addEventListener("beforeunload", () => {
  isLeaving = true;
  // Where it led to no page, to a download, say.
  setTimeout(() => { isLeaving = false; renew(); }, 5000);
});

// MARK: what is everywhere

document.addEventListener("click", async (event) => {
  const copy = event.target.closest?.("[data-copy]");
  if (copy) {
    try {
      await navigator.clipboard.writeText(copy.dataset.copy);
      toast("Copied");
    } catch {
      toast("This browser does not let pages copy: mark the command and copy it", true);
    }
  }
  const opens = event.target.closest?.("[data-opens]");
  if (opens) {
    event.preventDefault();
    const dialog = document.getElementById(opens.dataset.opens);
    if (dialog.querySelector("castq-found")) await import("./found.js");
    dialog.showModal();
  }
  // A menu closes when something else is pressed.
  for (const menu of document.querySelectorAll("details:is(.drop-menu, .slot)[open]")) {
    if (!menu.contains(event.target) || event.target.closest(".menu-panel :is(button, a)")) menu.open = false;
  }
  if (event.target.closest?.(".chosen [data-part=leave]")) {
    choose(null);
    location.assign("/");
  }
  const moved = event.target.closest?.("[data-move]")?.form;
  if (moved) change(event, moved, "move");
  const why = event.target.closest?.("[data-why]");
  if (why && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const { openWhy } = await import("./why.js");
    openWhy(why.dataset.whyDevice, why.dataset.why);
  }
});

// Keys come with the first one that is pressed; until then it must not scroll the page.
const waiting = [];
let keys = null;
document.addEventListener("keydown", (event) => {
  if (keys) return keys.handle(event);
  if (isTaken(event.target) || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (!/^[ kjlnpmxuDstPLw.[\]=?/+\-]$/.test(event.key)) return undefined;
  if (event.key === " " && event.target.closest("button, a, summary")) return undefined;
  if (remembered("letters") !== "off") event.preventDefault();
  waiting.push(event);
  import("./keys.js").then((module) => {
    keys = module;
    for (const one of waiting.splice(0)) keys.handle(one);
  }, () => { waiting.length = 0; });
  return undefined;
});

// What the search finds, and what there is to add, comes with the first letter.
document.getElementById("search")?.addEventListener("input", () => import("./palette.js").then(({ search }) => search()));
document.addEventListener("input", ({ target }) => {
  if (target.matches("#add [name=sources]")) import("./add.js").then(({ look }) => look(target));
});

// Settings of this browser.
const themes = document.getElementById("theme");
if (themes) {
  for (const choice of themes.querySelectorAll("input")) {
    choice.checked = choice.value === (theme ?? "auto");
    choice.addEventListener("change", () => {
      remember("theme", choice.value === "auto" ? null : choice.value);
      if (choice.value === "auto") delete root.dataset.theme;
      else root.dataset.theme = choice.value;
    });
  }
  const letters = document.querySelector("[data-letters]");
  letters.checked = remembered("letters") !== "off";
  letters.addEventListener("change", () => remember("letters", letters.checked ? null : "off"));
  document.getElementById("again").addEventListener("click", () => { remember("introduced", null); toast("It is shown with the next page"); });
}

const news = said();
if (news) toast(news);

if (document.getElementById("library")) import("./library.js");
// What reads a list comes with the first one.
const drop = document.getElementById("drop");
for (const kind of ["dragover", "dragleave", "drop", "submit"]) drop?.addEventListener(kind, (event) => {
  event.preventDefault();
  drop.classList.toggle("over", kind === "dragover");
  // Which file it is can be asked now alone.
  const [file] = event.dataTransfer?.files ?? [];
  if (kind === "drop" && file) import("./drop.js").then(({ read }) => read(drop, file));
  else if (kind === "submit") import("./drop.js").then(({ check }) => check(drop));
});
if (document.getElementById("rule-form")) import("./rules.js");

// What is loaded when it is needed must be there when castq is not: a browser never tries a module again that it could not load.
setTimeout(() => {
  const spare = ["keys", "toasts", "chooser", "why", "palette"];
  for (const name of ["occurrence", "drop"]) if (document.getElementById(name)) spare.push(name);
  for (const file of spare) import(`./${file}.js`).catch(() => undefined);
}, 6000);

// An address may open a dialog of the page.
if (location.hash) document.querySelector(`[data-opens="${CSS.escape(location.hash.slice(1))}"]`)?.click();

root.dataset.ready = "true";
