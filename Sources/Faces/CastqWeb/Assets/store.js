// What the page holds, and the rules by which events change it. Pure: no clock, no document, no network.

/** @returns a state without anything. */
export function initial() {
  return {
    statuses: new Map(), // the last status of each device, by label
    versions: new Map(), // the version of each queue, by label
    casting: new Map(), // what is on each device, or was when it was last reached: label → {what, isOn, isLost, begun}
    pending: new Map(), // what was asked of a device and is not confirmed: label → {patch, number, request, until}
    refused: [], // the last requests that failed, for answers that come after their outcome
    plan: 0, // counts changes of the plan
    link: "connecting", // connecting | up | down: the stream of events
    daemon: null, // whether the service answers; null until it is known
    since: null, // when the link or the service was lost, in milliseconds of the server
    offset: 0, // server clock minus this one, in milliseconds
  };
}

/** The state after an event. The old one is left as it was, but for the maps that only the next one uses. */
export function reduce(state, event) {
  switch (event.type) {
    case "hello": {
      const offset = Number.isFinite(Date.parse(event.data.at)) ? Date.parse(event.data.at) - event.heard : state.offset;
      return { ...state, link: "up", offset, since: state.daemon === false ? state.since : null };
    }
    case "lost":
      return state.link === "down" ? state : { ...state, link: "down", since: event.heard + state.offset };
    case "health": {
      const daemon = isDaemonThere(event.data);
      const at = Date.parse(event.data.at);
      // No time is one that nobody knows: a daemon that was never seen.
      const since = daemon === false && state.daemon !== false ? (Number.isFinite(at) ? at : null) : state.since;
      return { ...state, daemon, since: daemon === false ? since : state.link === "up" ? null : state.since };
    }
    case "status": {
      const label = event.data.device;
      if (typeof label !== "string") return state;
      const statuses = new Map(state.statuses);
      const at = Date.parse(event.data.at);
      const last = event.data.connection === "connected" ? null : lastSeen(state.statuses.get(label));
      statuses.set(label, { ...event.data, last, at: Number.isFinite(at) ? at : event.heard + state.offset });
      const casting = new Map(state.casting);
      casting.set(label, cast(state.casting.get(label), event.data));
      return { ...state, statuses, casting, pending: confirmed(state.pending, label, event.data) };
    }
    case "queue": {
      const versions = new Map(state.versions);
      versions.set(event.data.device, event.data.version ?? null);
      return { ...state, versions };
    }
    case "plan":
      return { ...state, plan: state.plan + 1 };
    case "asked": {
      const pending = new Map(state.pending);
      pending.set(event.device, { patch: event.patch, number: event.number, request: null, until: event.heard + 3000 });
      return { ...state, pending };
    }
    case "accepted": {
      // What the device has confirmed by now, or what was asked of it since, is not pending again.
      const one = state.pending.get(event.device);
      if (one?.number !== event.number) return state;
      if (state.refused.includes(event.request)) return { ...state, pending: without(state.pending, event.device) };
      return { ...state, pending: new Map(state.pending).set(event.device, { ...one, request: event.request ?? null, until: event.heard + 3000 }) };
    }
    case "outcome": {
      if (event.data.done) return state;
      const pending = kept(state.pending, (one) => one.request === null || one.request !== event.data.request);
      return { ...state, pending, refused: [...state.refused.slice(-31), event.data.request] };
    }
    case "expired":
      return { ...state, pending: kept(state.pending, (one) => one.until > event.heard) };
    default:
      return state;
  }
}

/**
 * What is on a device after a status, by what was on it; `begun` counts how often casting has begun. What was found playing has not
 * begun, and what plays on after the connection was lost has not begun anew, whatever was reported until it was seen again.
 */
function cast(before, status) {
  if (status.connection !== "connected") return before && (before.isLost ? before : { ...before, what: before.isOn ? before.what : null, isLost: true });
  const now = isOn(status);
  if (!before) return { what: now ? subject(status) : null, isOn: now, isLost: false, begun: 0 };
  if (!now) return { ...before, isOn: false };
  const what = subject(status);
  const begins = !before.isOn && !(before.isLost && before.what === what);
  return { what, isOn: true, isLost: false, begun: before.begun + (begins ? 1 : 0) };
}

/** What was last seen of a screen that does not answer now: it may be on it still. */
const lastSeen = (before) => (before?.connection === "connected" ? (isOn(before) ? { title: before.title, art: before.art } : null) : before?.last ?? null);

const subject = (status) => JSON.stringify([status.entry, status.url, status.title]);

function isDaemonThere(data) {
  if (typeof data.daemon === "boolean") return data.daemon;
  const word = data.daemon ?? data.state ?? data.health;
  return typeof word === "string" ? ["up", "running", "there", "ok", "connected"].includes(word) : null;
}

/** What is still pending of a device when this status has come. */
function confirmed(pending, label, status) {
  const one = pending.get(label);
  if (!one) return pending;
  const isSo = Object.entries(one.patch).every(([key, value]) => ["position_s", "at"].includes(key) || JSON.stringify(status[key]) === JSON.stringify(value));
  return isSo ? without(pending, label) : pending;
}

const kept = (pending, isKept) => new Map([...pending].filter(([, one]) => isKept(one)));

function without(pending, label) {
  const rest = new Map(pending);
  rest.delete(label);
  return rest;
}

/** Whether what the page shows is the present, and what is pressed can be sent: without the daemon, too, which only playing needs. */
export const isLive = (state) => state.link === "up";

const playing = ["PLAYING", "PAUSED", "BUFFERING", "LOADING"];

/** Whether something is on the screen by this status. */
export const isOn = (status) => status.connection === "connected" && playing.includes(status.player_state);

/** The status of a device as it is to be seen: what is pending laid over what is true. */
export function seen(state, label) {
  const status = state.statuses.get(label);
  const pending = state.pending.get(label);
  if (!status) return null;
  return pending ? { ...status, ...pending.patch, pending: true } : status;
}

/**
 * What to draw of a status.
 * @param now milliseconds of the server's clock
 */
export function view(status, now) {
  const state = status.player_state;
  const isOff = status.connection !== "connected";
  const on = isOn(status);
  const live = status.live === true;
  const passed = state === "PLAYING" && Number.isFinite(status.at) ? (now - status.at) / 1000 : 0;
  const moved = passed * (status.speed ?? 0);
  const duration = typeof status.duration_s === "number" ? status.duration_s : null;
  let position = typeof status.position_s === "number" ? Math.max(status.position_s + moved, 0) : null;
  if (position !== null && duration !== null) position = Math.min(position, duration);
  const air = status.connection === "connecting" ? "busy" : isOff ? "away" : state === "LOADING" || state === "BUFFERING" ? "busy" : on ? "air" : "dark";
  return {
    label: status.device,
    isPicture: on && duration === 0,
    isOff, isOn: on, live, air, position, duration,
    isMoving: on && state === "PLAYING",
    token: on ? state.toLowerCase() : isOff ? "offline" : "idle",
    word: word(status, isOff, live),
    says: on ? (status.ad?.art ?? status.art ? "" : status.title ?? status.application?.name ?? "") : isOff && status.why ? sentence(status.why) : word(status, isOff, live),
    isGuests: on && status.reason === "guest",
    isPlain: !on || (state === "PLAYING" && !live && status.reason !== "guest"),
    then: on && status.reason !== "guest" && status.queue?.next_title ? `then ${status.queue.next_title}` : "",
    title: on ? status.title ?? status.application?.name ?? "" : status.last?.title ?? "",
    subtitle: on ? status.subtitle ?? "" : "",
    elapsed: on ? (live ? "Live" : duration === 0 ? "" : clock(position)) : "",
    total: on && !live && duration ? clock(duration) : "",
    permille: on && !live && duration > 0 && position !== null ? Math.round((position / duration) * 1000) : 0,
    // What a guest plays is followed by nothing of the queue.
    remaining: on && !live && status.reason !== "guest" && duration !== null && position !== null ? duration - position : null,
    art: on ? status.ad?.art ?? status.art ?? null : status.last?.art ?? null,
    ad: on && status.ad ? ad(status.ad, passed) : null,
    marks: on && !live && duration > 0 ? (status.ad_marks_s ?? []).filter(Number.isFinite).map((at) => Math.min(Math.max(at / duration, 0), 1)) : [],
    volume: status.volume ?? null,
    isFixed: status.volume_control === "fixed",
    configured: Number.isFinite(status.configured_volume) ? `configured ${status.configured_volume}` : "",
    next: status.queue?.next_title ?? null,
    waiting: (status.queue?.pending ?? 0) + (status.queue?.queued ?? 0),
    rule: ruleName(status.rule),
    pending: status.pending === true,
  };
}

/** The ad that plays: what it is called, what remains of it, and in how many seconds it may be skipped; null is never. */
function ad(status, passed) {
  const name = status.number && status.count ? `Ad ${status.number} of ${status.count}` : "Ad";
  const left = typeof status.skippable_in_s === "number" ? Math.max(status.skippable_in_s - passed, 0) : null;
  const rest = typeof status.remaining_s === "number" ? `${clock(Math.max(status.remaining_s - passed, 0))} left` : "";
  return { name: status.title ? `${name}: ${status.title}` : name, rest, left: left === null ? null : Math.ceil(left) };
}

function ruleName(rule) {
  if (rule === null || rule === undefined) return null;
  return typeof rule === "string" ? rule : rule.rule ?? rule.name ?? null;
}

function word(status, isOff, live) {
  if (status.connection === "connecting") return "Connecting";
  if (isOff) return "Unreachable";
  const guest = status.reason === "guest";
  switch (status.player_state) {
    case "PLAYING": return guest ? "A guest plays" : live ? "Live" : "Playing";
    case "PAUSED": return status.duration_s === 0 ? "Showing" : "Paused"; // a picture
    case "BUFFERING": return "Buffering";
    case "LOADING": return "Loading";
  }
  return sentence(status.why ?? "dark");
}

/** The server's words, which begin small. */
export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// What changes the order of its neighbours or is not seen, but for what joins letters and emoji, or chooses their variants.
const hidden = /[\u202A-\u202E\u2066-\u206F\uFFF9-\uFFFB]|(?![\u200C-\u200F\u061C\uFE00-\uFE0F\u180B-\u180F\u{E0100}-\u{E01EF}])\p{Default_Ignorable_Code_Point}|(?<=^|[\0-\u00A8])[\u200C\u200D\uFE00-\uFE0D\u{E0100}-\u{E01EF}]/gu;

/** What is shown of words that others wrote; `VisibleText` decides it for what the server draws. */
export const visible = (text) => String(text).replace(hidden, "");

/** `0:07`, `12:34`, `1:02:03`. */
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return "–:––";
  const whole = Math.floor(Math.min(Math.max(seconds, 0), 1e9));
  const two = (value) => String(value).padStart(2, "0");
  const [h, m] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return h > 0 ? `${h}:${two(m)}:${two(whole % 60)}` : `${m}:${two(whole % 60)}`;
}

/** `5 min ago`, in the words of tables. */
export function ago(seconds) {
  if (seconds < 90) return "just now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} days ago`;
}

/** A state and those who want to see it change. */
export class Store {
  #listeners = new Set();
  state = initial();

  dispatch(event) {
    const next = reduce(this.state, event);
    if (next === this.state) return;
    const before = this.state;
    this.state = next;
    for (const listener of this.#listeners) listener(next, before, event);
  }

  /** @returns a function that ends it. */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
