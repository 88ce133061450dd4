// A time of a rule that is skipped or moved: what changes is shown first.
import { ask, part, reload, setText, toast } from "./live.js";
import { forget, preview } from "./preview.js";

const dialog = document.getElementById("occurrence");
const field = dialog?.querySelector('input[name="to"]');
let present = null;

/** Whether times can be skipped and moved on this page. */
export const canChange = dialog !== null;

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

field?.addEventListener("input", look);
dialog?.addEventListener("close", async () => {
  if (dialog.returnValue !== "yes" || !present) return;
  const { rule, action } = present;
  const answer = await ask("POST", `/api/v1/schedule/rules/${encodeURIComponent(rule)}/exceptions`, change());
  if (answer.ok) reload(`${rule} is ${action === "move" ? "moved" : "skipped"}`);
  else toast(answer.problem, true);
});
