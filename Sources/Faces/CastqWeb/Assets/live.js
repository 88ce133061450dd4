// The page's line to castq: one stream of events in, requests out.
import { Store, isLive, seen, view, visible } from "./store.js";

export const store = new Store();

/** The server's clock now, in milliseconds. */
export const now = () => Date.now() + store.state.offset;

const zone = document.body.dataset.zone || "UTC";
const format = (options) => {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...options });
  } catch {
    return new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hourCycle: "h23", ...options });
  }
};
const short = format({ hour: "2-digit", minute: "2-digit" });
const exact = format({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = format({ weekday: "short", day: "numeric", month: "short" });
const shift = format({ timeZoneName: "shortOffset" });
const offset = (date) => shift.formatToParts(date).find((one) => one.type === "timeZoneName").value.replace("GMT", "UTC").replace("-", "−");

/** A moment: `10:30`, with the day when it is another one, and with its offset when that is another one than now. */
export function words(moment, withSeconds = false) {
  const date = new Date(moment);
  if (!Number.isFinite(date.getTime())) return "–";
  const present = new Date(now());
  const own = offset(date);
  const text = `${(withSeconds ? exact : short).format(date)}${own === offset(present) ? "" : ` ${own}`}`;
  const on = day.format(date).replace(",", "");
  return on === day.format(present).replace(",", "") ? text : `${on} ${text}`;
}

/** What to draw of a device; null when nothing is known. */
export function look(label) {
  const status = seen(store.state, label);
  return status ? view(status, now()) : null;
}

/** The status of a device with what is pending laid over it; null when nothing is known. */
export const seenStatus = (label) => seen(store.state, label);

/** The server's clock, as `at` of a status. */
export const clockNow = now;

export const api = (label, rest = "") => `/api/v1/devices/${encodeURIComponent(label)}${rest}`;

/** Asks the server. An answer that is no success has `problem`, in the words of castq. */
export async function ask(method, path, body, headers = {}) {
  if (method !== "GET" && !isLive(store.state)) {
    return { ok: false, status: 0, problem: "castq does not answer; nothing was sent" };
  }
  try {
    const options = { method, headers: { Accept: "application/json", ...headers } };
    // What is only read is there at once or not at all; changes may wait for a television.
    if (method === "GET") options.signal = AbortSignal.timeout(20_000);
    if (body !== undefined) {
      options.body = JSON.stringify(body);
      options.headers["Content-Type"] = "application/json";
    }
    const answer = await fetch(path, options);
    const text = await answer.text();
    let json = null;
    try { json = text ? JSON.parse(text) : null; } catch { json = null; }
    if (answer.status === 401) location.reload();
    if (answer.status === 202 && json?.request) expect(json.request);
    return { ok: answer.ok, status: answer.status, json, problem: answer.ok ? null : json?.detail ?? json?.title ?? `the server answered ${answer.status}` };
  } catch {
    return { ok: false, status: 0, json: null, problem: "castq does not answer; look whether `castq web` runs" };
  }
}

// MARK: what became of the requests of this page

/** Requests of this page whose outcome is to come: they are this page's business, and those of others are not. */
const expected = new Set();
/** The last outcomes of requests that this page does not know yet: an outcome may be quicker than the answer. */
const early = new Map();

function expect(request) {
  const outcome = early.get(request);
  if (!outcome) return expected.add(request);
  early.delete(request);
  // Whoever made the request has the answer first.
  return setTimeout(() => tell(outcome));
}

function became(outcome) {
  if (expected.delete(outcome.request)) return tell(outcome);
  early.set(outcome.request, outcome);
  if (early.size > 50) early.delete(early.keys().next().value);
  return undefined;
}

const tell = (outcome) => document.dispatchEvent(new CustomEvent("castq-outcome", { detail: outcome }));

/** The number of the last command of this page. */
let asked = 0;

/**
 * Sends a command to a device, shows what it will change as pending, and reports what went wrong.
 * @param patch what the status will be
 */
export async function command(label, verb, members = {}, patch = null) {
  const number = ++asked;
  // On its way before anything is drawn: a screen is waiting, and the picture of it may come after.
  const sent = ask("POST", api(label, "/commands"), { verb, ...members });
  if (patch && isLive(store.state)) store.dispatch({ type: "asked", device: label, patch, number, heard: Date.now() });
  const answer = await sent;
  if (!answer.ok) {
    store.dispatch({ type: "expired", heard: Infinity });
    toast(answer.problem, true);
  } else if (patch) {
    store.dispatch({ type: "accepted", device: label, number, request: answer.json?.request, heard: Date.now() });
    setTimeout(() => store.dispatch({ type: "expired", heard: Date.now() }), 3100);
  }
  return answer;
}

/**
 * Moves what plays to another screen, and goes there.
 * @returns what went wrong; null when it is there
 */
export async function transfer(from, to) {
  const answer = await command(from, "transfer", { to });
  if (!answer.ok) return answer.problem;
  return new Promise((resolve) => {
    const done = ({ detail }) => {
      if (detail.request !== answer.json?.request) return;
      document.removeEventListener("castq-outcome", done);
      if (detail.done === false) return resolve(detail.error?.message ?? "it did not move");
      choose(to);
      location.assign(`/d/${encodeURIComponent(to)}`);
      resolve(null);
    };
    document.addEventListener("castq-outcome", done);
  });
}

/** Play, pause, and for live media stop: what the one button does now. */
export function toggle(label) {
  const one = look(label);
  if (one?.live && one.isMoving) return command(label, "stop");
  const isPlaying = one?.token === "playing" || one?.token === "buffering";
  const patch = one?.isOn ? { player_state: isPlaying ? "PAUSED" : "PLAYING", ...(one.position !== null && { position_s: one.position, at: now() }) } : null;
  return command(label, one?.isOn ? (isPlaying ? "pause" : "play") : "play", {}, patch);
}

/** A level from 0 to 100, as a slider has it. */
export function turnVolume(label, text) {
  const level = Number(text);
  return command(label, "volume", { level }, { volume: { ...seenStatus(label)?.volume, level } });
}

/**
 * A message, spoken politely.
 * @param act what can be done about it: `words` of a button, and `run`
 */
export function toast(text, isBad = false, act = null) {
  // Without its script it is said where the page says that it is alone.
  import("./toasts.js").then((module) => module.show(text, isBad, act), () => {
    const words = part(document.getElementById("connection"), "words");
    words.hidden = false;
    setText(words, text);
  });
}

/** Has the next page say something. */
export function tellNext(text) {
  try { sessionStorage.setItem("castq.said", text); } catch { /* a private window */ }
}

/** Loads the page again, which says something then. */
export function reload(text) {
  tellNext(text);
  location.reload();
}

/** What this page was loaded to say; null for nothing. */
export function said() {
  try {
    const text = sessionStorage.getItem("castq.said");
    sessionStorage.removeItem("castq.said");
    return text;
  } catch { return null; }
}

/**
 * Says in a form what is wrong with it; it stays until the form is sent again.
 * @param text null when nothing is wrong any more
 * @param field the one that is wrong; null where that is not known
 */
export function mistake(form, text, field = null) {
  let line = part(form, "mistake");
  for (const one of form.querySelectorAll("[aria-invalid]")) {
    one.removeAttribute("aria-invalid");
    one.removeAttribute("aria-describedby");
  }
  if (text === null) return line?.remove();
  if (!line) {
    line = document.createElement("p");
    line.className = "failure";
    line.dataset.part = "mistake";
    line.id = `mistake-${form.dataset.do ?? form.dataset.api}`;
    line.setAttribute("role", "alert");
    form.append(line);
  }
  setText(line, text);
  if (!field) return undefined;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", line.id);
  return field.focus();
}

// MARK: the stream

const topics = "status,queue,plan,history,health";

function receive(message) {
  const event = { ...message, heard: Date.now() };
  store.dispatch(event);
  if (event.type === "outcome") became(event.data);
  else if (["history", "progress", "reset"].includes(event.type)) {
    document.dispatchEvent(new CustomEvent(`castq-${event.type}`, { detail: event.data }));
  }
}

/** Opens the stream: a worker holds it for all tabs where there is one. */
export function open() {
  const url = `/api/v1/events?topics=${topics}`;
  if (globalThis.SharedWorker) {
    const address = new URL("./stream.js", import.meta.url).href;
    const policy = globalThis.trustedTypes?.createPolicy("castq", { createScriptURL: (text) => {
      if (text !== address) throw new TypeError("not a worker of castq");
      return text;
    } });
    try {
      const worker = new SharedWorker(policy ? policy.createScriptURL(address) : address, { type: "module", name: "castq" });
      worker.port.onmessage = (message) => receive(message.data);
      worker.port.postMessage({ type: "open", url });
      addEventListener("pagehide", () => worker.port.postMessage({ type: "close" }));
      addEventListener("pageshow", (event) => { if (event.persisted) worker.port.postMessage({ type: "open", url }); });
      return;
    } catch { /* no worker: a stream of this tab's own */ }
  }
  import("./stream.js").then(({ Stream }) => {
    const stream = new Stream(receive);
    const follow = () => (document.hidden ? stream.close() : stream.open(url));
    document.addEventListener("visibilitychange", follow);
    follow();
  });
}

// MARK: what moves

const moving = new Set();

/** Calls back once a second while the page is seen. */
export function eachSecond(draw) {
  moving.add(draw);
  return () => moving.delete(draw);
}
setInterval(() => {
  if (!document.hidden) for (const draw of moving) draw();
}, 500);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) for (const draw of moving) draw();
});

// MARK: parts of the document

export const part = (root, name) => root.querySelector(`[data-part="${name}"]`);

/** Sets a text, and touches the document only when it is another one. */
export function setText(node, text) {
  const shown = visible(text ?? "");
  if (node && node.textContent !== shown) node.textContent = shown;
}

export function setAttribute(node, name, value) {
  if (!node) return;
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== visible(value)) node.setAttribute(name, visible(value));
}

/** Puts artwork, or the sign of a screen, into its place. */
export function setArt(node, digest, width, sign = "screen") {
  if (!node || node.dataset.digest === (digest ?? "")) return;
  node.dataset.digest = digest ?? "";
  if (!digest) {
    node.replaceChildren(glyph(sign));
    return;
  }
  const made = ["blur", ""].map((look) => {
    const image = new Image();
    image.alt = "";
    image.className = look;
    image.decoding = "async";
    image.loading = "lazy";
    image.addEventListener("error", () => node.replaceChildren(glyph(sign)));
    image.src = `/api/v1/art/${encodeURIComponent(digest)}?w=${width}`;
    return image;
  });
  node.replaceChildren(...made);
}

/** A sign of the page's own. */
export function glyph(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "glyph");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("viewBox", "0 0 24 24");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#g-${name}`);
  svg.append(use);
  return svg;
}

/** Whether a key belongs to a field, a dialog or a menu; one that has closed keeps the focus until the next frame, and takes no key. */
export const isTaken = (target) =>
  target.closest("input, select, textarea, dialog, [popover]") !== null && !target.closest("dialog:not([open]), [popover]:not(:popover-open)");

/** What people call a screen. The label is for addresses. */
const names = JSON.parse(document.body.dataset.names ?? "{}");
export const screenName = (label) => (Object.hasOwn(names, label) ? names[label] : label);

// MARK: pages of castq as documents, of which scripts take parts

const policy = globalThis.trustedTypes?.createPolicy("castq-page", { createHTML: (text) => text });

/** A page of castq that is parsed apart: it runs nothing. Trusted Types lets only policies make one. */
export async function fetched(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) return null;
  const text = await answer.text();
  return new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
}

// MARK: the device that was chosen in this browser

export const chosen = () => document.body.dataset.device || remembered("device");
export function choose(label) {
  remember("device", label ?? null);
  // The first page has it beside the wall.
  document.cookie = `castq-screen=${encodeURIComponent(label ?? "")}; Path=/; SameSite=Strict; Max-Age=${label ? 31_536_000 : 0}`;
  document.dispatchEvent(new CustomEvent("castq-chosen"));
}

/** What this browser keeps; nothing where it keeps nothing. */
export function remembered(key) {
  try { return localStorage.getItem(`castq.${key}`); } catch { return null; }
}
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(`castq.${key}`);
    else localStorage.setItem(`castq.${key}`, value);
  } catch { /* a private window */ }
}
