// A time of a rule that is skipped or moved: what changes is shown first, in the words of `castq schedule apply --dry-run` and of `castq plan`.
import { ask, now, part, reload, screenName, setText, toast } from "./live.js";

const dialog = document.getElementById("occurrence");
const field = dialog.querySelector('input[name="to"]');
let present = null;

/** `2026-12-24T08:00`, moved by minutes of the clock. */
export function shifted(local, minutes) {
  const at = new Date(`${local.slice(0, 16)}:00Z`);
  return new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 16);
}

const spoken = (local) => local.slice(0, 16).replace("T", " ");

function change() {
  const { occurrence, action } = present;
  return action === "move" ? { occurrence, action, to: field.value } : { occurrence, action };
}

async function look() {
  const list = part(dialog, "preview");
  const yes = part(dialog, "yes");
  yes.disabled = true;
  if (present.action === "move" && !field.value) return forget(list);
  const { rule } = present;
  const isPossible = await preview(list, rule, change());
  if (isPossible) yes.disabled = false;
  return undefined;
}

/**
 * Opens the dialog.
 * @param occurrence the local time that the rule itself gives
 * @param action skip or move
 * @param to where it would begin, by the clocks of the rule
 */
export function openOccurrence(rule, occurrence, action, to = occurrence) {
  present = { rule, occurrence, action };
  const isMove = action === "move";
  setText(part(dialog, "title"), `${isMove ? "Move" : "Skip"} ${rule} of ${spoken(occurrence)}`);
  setText(part(dialog, "yes"), isMove ? "Move" : "Skip");
  part(dialog, "when").hidden = !isMove;
  field.required = isMove;
  field.value = to.slice(0, 16);
  forget(part(dialog, "preview"));
  dialog.returnValue = "";
  dialog.showModal();
  look();
}

field.addEventListener("input", look);
dialog.addEventListener("close", async () => {
  if (dialog.returnValue !== "yes" || !present) return;
  const { rule, action } = present;
  const answer = await ask("POST", `/api/v1/schedule/rules/${encodeURIComponent(rule)}/exceptions`, change());
  if (answer.ok) reload(`${rule} is ${action === "move" ? "moved" : "skipped"}`);
  else toast(answer.problem, true);
});

// MARK: what a change of a rule would change

const latest = new WeakMap();

/** The range that the page shows, when it is not the next days anyway. */
function range() {
  const lanes = document.querySelector("castq-lanes");
  const [from, to] = [Number(lanes?.dataset.from), Number(lanes?.dataset.to)];
  const moment = (value) => new Date(value).toISOString();
  return from > now() ? { from: moment(from), until: moment(to + 86_400_000) } : {};
}

/**
 * Fills a list with what a change would change. Only the newest question is answered.
 * @returns whether the change can be made
 */
async function preview(list, rule, change) {
  const turn = (latest.get(list) ?? 0) + 1;
  latest.set(list, turn);
  const body = { ...change, ...range() };
  if (document.body.dataset.zone) body.tz = document.body.dataset.zone;
  const answer = await ask("POST", `/api/v1/schedule/rules/${encodeURIComponent(rule)}/preview`, body);
  if (latest.get(list) !== turn) return false;
  const line = (text, change) => {
    const item = document.createElement("li");
    if (change) item.dataset.change = change;
    setText(item, text);
    return item;
  };
  if (!answer.ok) {
    list.replaceChildren(line(answer.problem, "failure"));
    return false;
  }
  const { lines = [], plan_lines: plan = [], more = 0 } = answer.json;
  const items = [...lines.map((text) => line(text)), ...plan.map((one) => line(`${one.change} ${screenName(one.device)}: ${one.text}`, one.change))];
  if (!items.length) items.push(line("Nothing changes."));
  else if (!plan.length) items.push(line("No screen shows anything else in this time."));
  if (more > 0) items.push(line(`and ${more} more`));
  list.replaceChildren(...items);
  return true;
}

/** Empties a list, and lets no answer that is on its way fill it. */
function forget(list) {
  latest.set(list, (latest.get(list) ?? 0) + 1);
  list.replaceChildren();
}
