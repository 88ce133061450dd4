// What a change of a rule would change, before it is made: the words of `castq schedule apply --dry-run` and of `castq plan`.
import { ask, now, screenName, setText } from "./live.js";

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
export async function preview(list, rule, change) {
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
export function forget(list) {
  latest.set(list, (latest.get(list) ?? 0) + 1);
  list.replaceChildren();
}
