// The announcement that is under way: how it goes on each screen, in the dialog that made it.
import { ask, glyph, mistake, part, screenName, setText, toast } from "./live.js";

const dialog = document.getElementById("announce");
const form = dialog.querySelector("form[data-do=announce]");
const course = dialog.querySelector("castq-announced");
const words = { waiting: "Waiting", on: "On now", shown: "Shown", not_shown: "Not shown" };
const signs = { waiting: "busy", on: "air", shown: "check", not_shown: "warning" };

/** The request that is under way; null for none. */
let shown = null;

/** Names in a sentence: "Bar", "Bar and Foyer", "Bar, Foyer and Lobby". */
const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

/** Sends an announcement. Until it is over, the dialog tells how it goes instead of its form. */
export async function announce(body) {
  if (!body.devices?.length) return mistake(form, "Choose at least one screen", form.querySelector("[name=devices]"));
  const answer = await ask("POST", "/api/v1/announcements", body);
  mistake(form, answer.problem, answer.ok ? null : form.elements.source);
  if (!answer.ok) return undefined;
  shown = answer.json.request;
  part(course, "screens").replaceChildren();
  show(true);
  setText(part(course, "said"), "The announcement is on its way.");
  part(course, "close").focus();
  for (const detail of early.splice(0)) progress(detail);
  return undefined;
}

function show(isUnderWay) {
  form.hidden = isUnderWay;
  course.hidden = !isUnderWay;
}

/** What was heard before the answer that it belongs to. */
const early = [];

function draw(steps) {
  const rows = part(course, "screens");
  for (const { device, state, problem } of steps) {
    let row = [...rows.children].find((one) => one.dataset.device === device);
    if (!row) {
      row = part(course, "screen").content.firstElementChild.cloneNode(true);
      row.dataset.device = device;
      setText(part(row, "name"), screenName(device));
      rows.append(row);
    }
    if (row.dataset.state !== state) part(row, "sign").replaceChildren(glyph(signs[state] ?? "busy"));
    row.dataset.state = state;
    setText(part(row, "word"), problem ? `${words[state]}: ${problem}` : words[state] ?? state);
  }
}

function progress(detail) {
  if (shown === detail.request) return draw(detail.announced);
  // The answer may come after it; others announce, too.
  early.push(detail);
  if (early.length > 50) early.shift();
  return undefined;
}

function outcome(detail) {
  if (shown !== detail.request) return;
  const results = detail.result?.announced;
  // Whoever writes another one meanwhile keeps it, and hears of this one.
  const isSeen = dialog.open && form.hidden;
  shown = null;
  if (!results) {
    // It never began: what was written is there again.
    show(false);
    mistake(form, detail.error?.message ?? "it did not work");
    if (!isSeen) toast(detail.error?.message ?? "it did not work", true);
    return;
  }
  draw(results.map((one) => ({ device: one.device, state: one.shown ? "shown" : "not_shown", problem: one.problem })));
  const names = (isShown) => list(results.filter((one) => one.shown === isShown).map((one) => screenName(one.device)));
  const sentence = [names(true) && `shown on ${names(true)}`, names(false) && `not shown on ${names(false)}`].filter(Boolean).join(", ");
  setText(part(course, "said"), `The announcement was ${sentence}.`);
  if (!isSeen) toast(`The announcement was ${sentence}`, !detail.done);
  // What was written stays until it was shown everywhere.
  if (detail.done && form.hidden) form.reset();
}

document.addEventListener("castq-progress", ({ detail }) => progress(detail));
document.addEventListener("castq-outcome", ({ detail }) => outcome(detail));
part(course, "again").addEventListener("click", () => { show(false); form.elements.source.focus(); });
part(course, "close").addEventListener("click", () => dialog.close());
// What is over is not shown when the dialog is opened again.
dialog.addEventListener("close", () => { if (!shown) show(false); });
