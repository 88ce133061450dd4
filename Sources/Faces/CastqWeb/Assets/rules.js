// The drawer of a time: its sentence and its ghosts follow the fields. It is sent as any form; the server says what becomes of it.
import { now, part, screenName, setText } from "./live.js";
import { axisOf } from "./lanes.js";

const form = document.getElementById("rule-form");
const drawer = document.getElementById("drawer");
let turn = 0;
let ghosts = [];
const lanes = () => document.querySelector("castq-lanes");

// MARK: the drawer is a dialog where it has no room beside the chart

const isNarrow = matchMedia("(max-width: 1099px)").matches;
if (isNarrow) {
  drawer.close();
  drawer.showModal();
}
drawer.addEventListener("cancel", (event) => {
  event.preventDefault();
  form.querySelector("a.plain").click();
});
if (!isNarrow) ((form.elements.play.value && form.elements.from) || form.elements.play).focus({ preventScroll: true });
const every = form.querySelector("[data-days]");
every.addEventListener("click", () => {
  for (const day of form.elements.day) day.checked = true;
  look();
});
// A time that is gone to is written anew.
for (const name of ["from", "to", "at", "starts", "stops"]) form.elements[name]?.addEventListener("focus", (event) => event.target.select());
let wait = 0;
form.addEventListener("input", ({ target }) => {
  if (target.name === "often" && target.value === "other") form.querySelector("details").open = true;
  clearTimeout(wait);
  wait = setTimeout(look, 250);
});
// Free time that is pointed at while a new time is made is that time.
form.addEventListener("castq-point", ({ detail }) => {
  if (form.elements.old || !form.elements.from) return;
  form.elements.from.value = detail.from.slice(11);
  form.elements.to.value = detail.to.slice(11);
  if (form.elements.at) form.elements.at.value = detail.from.slice(11);
  const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  const name = names[new Date(`${detail.from.slice(0, 10)}T12:00Z`).getUTCDay()];
  for (const day of form.elements.day) day.checked = day.value === name;
  look();
});
document.addEventListener("castq-drawn", () => draw(ghosts));
look();

// MARK: what it would do

/** The sentence of the server, with the names that people use. */
function sentence(words) {
  const target = words.device;
  const place = target === "@all" ? "all screens" : target.startsWith("@") ? `the screens of ${target.slice(1)}` : screenName(target);
  const name = document.createElement("b");
  setText(name, words.programme);
  return [`${words.when} `, name, ` plays on ${place} ${words.how}. ${words.next}`];
}

async function look() {
  form.querySelector("[data-days]").hidden = [...form.elements.day].every((one) => one.checked);
  const says = part(form, "says");
  const { what, play, when, from, to, expression, share, often, at } = form.elements;
  const isTimed = (when.value !== "daily" || (from?.value && to?.value)) && (!["cron", "calendar"].includes(when.value) || expression.value);
  const isWhole = play.value && { time: isTimed, share: share?.value, announcement: often?.value !== "day" || at?.value }[what.value];
  const own = (turn += 1);
  if (!isWhole) {
    setText(says, "Choose what plays, and when.");
    return draw([]);
  }
  const data = new URLSearchParams(new FormData(form));
  const shown = lanes();
  const [first, last] = [Number(shown?.dataset.from), Number(shown?.dataset.to)];
  if (last > now()) {
    data.set("first", new Date(Math.max(first, now())).toISOString());
    data.set("last", new Date(last).toISOString());
  }
  const screen = new URLSearchParams(location.search).get("device");
  if (screen && !screen.startsWith("@")) data.set("shown", screen);
  data.set("tz", document.body.dataset.zone || "UTC");
  let json = null;
  try {
    const answer = await fetch("/schedule/preview", { method: "POST", body: data, headers: { Accept: "application/json" } });
    json = await answer.json();
    if (own !== turn) return undefined;
    const problem = answer.ok ? json.problem : json;
    if (problem) {
      says.dataset.bad = "true";
      setText(says, problem.detail ?? problem.title);
      return draw([]);
    }
  } catch {
    return undefined;
  }
  delete says.dataset.bad;
  if (json.sentence) says.replaceChildren(...sentence(json.sentence));
  return draw((json.plan?.changes ?? []).filter((one) => one.change === "+" && one.segment.rule === json.rule).map((one) => one.segment));
}

/** Draws what would be on, in the chart itself. */
function draw(segments) {
  ghosts = segments;
  for (const ghost of document.querySelectorAll(".ghost")) ghost.closest("foreignObject").remove();
  const shown = lanes();
  if (!shown) return;
  const isWeek = shown.classList.contains("week");
  const seen = new Set();
  for (const segment of joined(segments)) {
    const [start, end] = [Date.parse(segment.start), Date.parse(segment.end)];
    const key = isWeek ? `${start} ${end}` : `${segment.device} ${start} ${end}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const axes = isWeek
      ? [...shown.querySelectorAll("svg.day-axis[data-from]")]
      : [...shown.querySelectorAll("[data-lane]")].filter((one) => one.dataset.lane === segment.device).map((one) => one.querySelector("svg.axis"));
    for (const svg of axes) ghost(axisOf(svg, shown), start, end, segment.programme);
  }
}

/** What others interrupt for some minutes is one block. */
function joined(segments) {
  const all = [];
  for (const segment of segments.toSorted((a, b) => a.device.localeCompare(b.device) || Date.parse(a.start) - Date.parse(b.start))) {
    const last = all.at(-1);
    if (last?.device === segment.device && Date.parse(segment.start) - Date.parse(last.end) <= 1_200_000) last.end = segment.end;
    else all.push({ ...segment });
  }
  return all;
}

function ghost({ svg, isDown, from, to }, start, end, text) {
  if (start >= to || end <= from) return;
  const place = (moment) => ((Math.min(Math.max(moment, from), to) - from) / (to - from)) * 100;
  const box = document.createElementNS("http://www.w3.org/2000/svg", "foreignObject");
  const [at, length] = [`${place(start)}%`, `${place(end) - place(start)}%`];
  const values = isDown ? { x: "0", width: "100%", y: at, height: length } : { x: at, width: length, y: "10", height: "52" };
  for (const [name, value] of Object.entries(values)) box.setAttribute(name, value);
  const block = document.createElement("p");
  block.className = "piece ghost";
  setText(block, text);
  box.append(block);
  svg.append(box);
}
