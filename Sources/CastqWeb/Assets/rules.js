// Rules: added, skipped, moved and switched off from the page.
import { ask, part, toast, words } from "./live.js";
import { openOccurrence } from "./occurrence.js";
import { forget, preview } from "./preview.js";

const form = document.querySelector("#new-rule form");
const rulePath = (name) => `/api/v1/schedule/rules/${encodeURIComponent(name)}`;

function described(data) {
  const form = data.get("form");
  const rule = { play: data.get("play"), devices: data.get("device"), [form]: form === "always" ? true : data.get("expression") };
  if (Number(data.get("priority"))) rule.priority = Number(data.get("priority"));
  if (data.get("days")) rule.days = data.get("days");
  return rule;
}

/** A rule of a document as a file of `castq schedule apply` has it. */
function filed(rule) {
  const file = { play: rule.programme, devices: rule.device, [rule.form]: rule.form === "always" ? true : rule.expression, priority: rule.priority, start: rule.start, end: rule.end, resume: rule.resume, missed: rule.missed };
  if (rule.start === "wait") file.start = `wait=${rule.wait_s}s`;
  if (rule.missed === "within") file.missed = `within=${rule.missed_within_s}s`;
  if (rule.for_s !== null) file.for = `${rule.for_s}s`;
  for (const name of ["tz", "only_on", "not_on", "volume", "note"]) if (rule[name] !== null) file[name] = rule[name];
  if (rule.valid_from || rule.valid_until) file.valid = `${rule.valid_from ?? ""}..${rule.valid_until ?? ""}`;
  const exceptions = (rule.exceptions ?? []).map((one) => [one.occurrence, one.action === "skip" ? "skip" : one.action === "move" ? { move: one.to } : { replace: one.programme }]);
  if (exceptions.length) file.exceptions = Object.fromEntries(exceptions);
  return file;
}

// What the rule would change is shown as soon as it says enough.
let wait = 0;
form?.addEventListener("input", () => {
  clearTimeout(wait);
  const list = part(form, "preview");
  if (!form.checkValidity() || (form.elements.form.value !== "always" && !form.elements.expression.value)) return forget(list);
  wait = setTimeout(() => {
    const data = new FormData(form);
    preview(list, data.get("rule"), { rule: described(data) });
  }, 300);
  return undefined;
});

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const answer = await ask("PUT", rulePath(data.get("rule")), described(data));
  if (!answer.ok) return toast(answer.problem, true);
  const next = answer.json?.next_at;
  toast(`${data.get("rule")} is a rule now${next ? `; it is next on ${words(next)}` : ""}`);
  location.reload();
  return undefined;
});

document.addEventListener("submit", async (event) => {
  const name = event.target.dataset?.ruleForm;
  if (!name) return;
  event.preventDefault();
  const what = event.submitter?.value;
  if (what === "skip") return openOccurrence(name, event.target.elements.occurrence.value, "skip");
  const present = await ask("GET", rulePath(name));
  if (!present.ok) return toast(present.problem, true);
  const answer = await ask("PUT", rulePath(name), { ...filed(present.json), enabled: what === "enable" }, { "If-Match": `"${present.json.revision}"` });
  toast(answer.ok ? `${name}: done` : answer.problem, !answer.ok);
  if (answer.ok) location.reload();
  return undefined;
});

document.addEventListener("click", (event) => {
  const own = event.target.closest?.("[data-move]")?.form;
  if (own) openOccurrence(own.dataset.ruleForm, own.elements.occurrence.value, "move");
});
