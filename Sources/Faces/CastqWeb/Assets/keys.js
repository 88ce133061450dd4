// Shortcuts: single letters, which can be switched off and never fire in fields.
import { chosen, command, isTaken, look, part, remember, remembered, seenStatus, toast, toggle } from "./live.js";

const dialog = document.getElementById("shortcuts");
const letters = part(dialog, "letters");
letters.checked = remembered("letters") !== "off";
letters.addEventListener("change", () => remember("letters", letters.checked ? null : "off"));

const acts = {
  " ": toggle, k: toggle,
  j: (label) => jump(label, -10), l: (label) => jump(label, 10),
  n: (label) => command(label, "next"), p: (label) => command(label, "prev"),
  x: (label) => { if (look(label)?.ad?.left === 0) command(label, "skip_ad"); },
  m: (label) => command(label, seenStatus(label)?.volume?.muted ? "unmute" : "mute"),
  "+": (label) => turn(label, 5), "-": (label) => turn(label, -5),
  "[": (label) => pace(label, -1), "]": (label) => pace(label, 1), "=": (label) => pace(label, 0),
  s: (label) => command(label, "stop"),
};

// What only shows something.
const leads = {
  t: (label) => {
    const more = document.querySelector("castq-controller [data-part=more]");
    if (!more && document.body.dataset.device === label) return toast("You may look, and not operate screens", true);
    if (!more) return location.assign(`/d/${encodeURIComponent(label)}#more`);
    more.open = true;
    return more.querySelector("input:checked, button")?.focus();
  },
  P: (label) => location.assign(`/d/${encodeURIComponent(label)}?tab=plan`),
  L: (label) => location.assign(`/d/${encodeURIComponent(label)}?tab=history`),
  w: (label) => import("./why.js").then(({ openWhy }) => openWhy(label, "")),
  ".": (label) => {
    if (!document.querySelector("castq-queue")) return location.assign(`/d/${encodeURIComponent(label)}`);
    return document.dispatchEvent(new CustomEvent("castq-current"));
  },
};

const paces = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** The next slower or faster speed of those that there are; 0 is the normal one. */
function pace(label, step) {
  const one = look(label);
  if (!one?.isOn || one.live) return;
  const now = seenStatus(label).rate ?? 1;
  const nearest = paces.reduce((best, each, index) => (Math.abs(each - now) < Math.abs(paces[best] - now) ? index : best), 0);
  const rate = step === 0 ? 1 : paces[Math.min(Math.max(nearest + step, 0), paces.length - 1)];
  command(label, "rate", { rate }, { rate });
}

function jump(label, seconds) {
  const one = look(label);
  if (!one?.isOn || one.position === null || one.live) return;
  const to = Math.max(Math.min(one.position + seconds, one.duration ?? Infinity), 0);
  command(label, "seek", { position_s: Math.round(to * 1000) / 1000 });
}

function turn(label, by) {
  // As a step: of two who press at once, both count.
  if (seenStatus(label)?.volume) command(label, "volume", { change: by });
}

export function handle(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTaken(event.target)) return;
  if (remembered("letters") === "off") return;
  const { key } = event;
  if (key === "?") {
    event.preventDefault();
    dialog.showModal();
  } else if (key === "/") {
    event.preventDefault();
    document.getElementById("search")?.focus();
  } else if (key === "u") {
    document.dispatchEvent(new CustomEvent("castq-undo"));
  } else if (key === "D") {
    import("./chooser.js").then(({ openChooser }) => openChooser());
  } else if (leads[key]) {
    event.preventDefault();
    const label = chosen();
    if (!label) return toast("Choose a screen first: the Cast button, or D");
    leads[key](label);
  } else if (acts[key]) {
    if (key === " " && event.target.closest("button, a, summary, [role=button]")) return;
    event.preventDefault();
    const label = chosen();
    if (!label) return toast("Choose a screen first: the Cast button, or D");
    if (document.body.dataset.role === "look") return toast("You may look, and not operate screens", true);
    acts[key](label);
  }
}
