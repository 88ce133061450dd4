// Why something is, was or will be on a screen, in a dialog of its own.
import { ask, setText, words } from "./live.js";

let dialog = null;

function element(name, text, className) {
  const node = document.createElement(name);
  if (text !== undefined) setText(node, text);
  if (className) node.className = className;
  return node;
}

/** What can be done about it, without dragging. */
async function acts(rule, occurrence) {
  const { openOccurrence } = await import("./occurrence.js");
  const row = element("div", undefined, "row");
  for (const [action, text] of [["move", "Move this time…"], ["skip", "Skip this time…"]]) {
    const button = element("button", text);
    button.type = "button";
    button.dataset.act = "true";
    button.dataset.time = action;
    button.addEventListener("click", () => {
      dialog.close();
      openOccurrence(rule, occurrence, action);
    });
    row.append(button);
  }
  return row;
}

export async function openWhy(device, at) {
  const query = new URLSearchParams();
  if (device) query.set("device", device);
  if (at) query.set("what", at);
  const answer = await ask("GET", `/api/v1/why?${query}`);
  dialog ??= document.body.appendChild(element("dialog"));
  dialog.setAttribute("aria-labelledby", "why-title");
  const head = element("form", undefined, "dialog-head");
  head.method = "dialog";
  const title = element("h2", answer.ok ? "Why " : "Why?");
  if (answer.ok) {
    // A name that reads from right to left keeps the rest in its order.
    const { programme, kind } = answer.json.winner ?? {};
    title.append(element("bdi", programme ?? kind ?? "nothing"), `, ${words(answer.json.at ?? at)}`);
  }
  title.id = "why-title";
  head.append(title, element("button", "Close", "plain"));
  const list = element("ul", undefined, "candidates");
  for (const candidate of answer.json?.candidates ?? []) {
    const row = element("li");
    row.dataset.outcome = candidate.outcome;
    row.append(element("strong", candidate.rule), " ", element("span", candidate.outcome, "tag"), " ", element("bdi", candidate.reason ?? ""));
    list.append(row);
  }
  const screen = answer.json?.change ?? answer.json?.screen?.words;
  const rest = answer.ok ? (list.children.length || screen ? list : element("p", "No rule stands for this moment: the queue of the screen plays.", "faint")) : element("p", answer.problem, "failure");
  dialog.replaceChildren(head, ...(screen ? [element("bdi", screen, "screen")] : []), rest);
  const { rule, occurrence } = answer.json?.winner ?? {};
  if (rule && occurrence && document.getElementById("occurrence")) dialog.append(await acts(rule, occurrence));
  dialog.showModal();
}
