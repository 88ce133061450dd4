// Rules: added, skipped, moved and switched off from the page.
import { ask, mistake, part, reload, toast, words } from "./live.js";
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

/** What is wrong with the new rule, in words for who has written it. */
function wrong(answer, name) {
  const { rule, play } = form.elements;
  if (answer.status === 428) return mistake(form, `There is a rule ${name} already: choose another name`, rule);
  return mistake(form, answer.problem, ["input_missing", "bad_playlist"].includes(answer.json?.code) ? play : null);
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const answer = await ask("PUT", rulePath(data.get("rule")), described(data));
  if (!answer.ok) return wrong(answer, data.get("rule"));
  const next = answer.json?.next_at;
  return reload(`${data.get("rule")} is a rule now${next ? `; it is next on ${words(next)}` : ""}`);
});

document.addEventListener("submit", async (event) => {
  const name = event.target.dataset?.ruleForm;
  if (!name) return;
  event.preventDefault();
  const what = event.submitter?.value;
  if (what === "skip") return openOccurrence(name, event.target.elements.occurrence.value, "skip");
  // A rule is switched and not written again: what this page does not know of it stays.
  const answer = await ask("PATCH", rulePath(name), { enabled: what === "enable" });
  return answer.ok ? reload(`${name} is switched ${what === "enable" ? "on" : "off"}`) : toast(answer.problem, true);
});

document.addEventListener("click", (event) => {
  const own = event.target.closest?.("[data-move]")?.form;
  if (own) openOccurrence(own.dataset.ruleForm, own.elements.occurrence.value, "move");
});
