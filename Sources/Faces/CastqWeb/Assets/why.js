// Why something is, was or will be on a screen: the answer of the server, beside the schedule where it has room, else in a dialog.
import { ask, fetched, setText, words } from "./live.js";

let dialog = null;

function element(name, text, className) {
  const node = document.createElement(name);
  if (text !== undefined) setText(node, text);
  if (className) node.className = className;
  return node;
}

/** Shows nodes in the dialog of why. */
function show(...nodes) {
  dialog ??= document.body.appendChild(element("dialog"));
  dialog.setAttribute("aria-labelledby", "why-title");
  const head = element("form", undefined, "dialog-head");
  head.method = "dialog";
  const title = element("h2", "Why");
  title.id = "why-title";
  head.append(title, element("button", "Close", "plain"));
  dialog.replaceChildren(head, ...nodes);
  // What is asked first about one time of a rule lies over this.
  dialog.onclick = (event) => { if (event.target.closest("[data-move], [value=skip]")) dialog.close(); };
  if (!dialog.open) dialog.showModal();
}

/** Of an entry or of a play, in the words of the command line. */
async function explain(what) {
  const answer = await ask("GET", `/api/v1/why?${new URLSearchParams({ what })}`);
  const { title, reason, plays = [] } = answer.json ?? {};
  if (!answer.ok) return show(element("p", answer.problem, "failure"));
  const list = element("ul", undefined, "candidates");
  for (const play of plays) list.append(element("li", `${words(play.started_at)}: ${play.outcome ?? "playing"}`));
  return show(element("strong", title), element("p", reason), list);
}

/**
 * @param device the screen; empty for the one that is meant without a name
 * @param what a moment, the number of an entry, or `play:17`; empty is now
 */
export async function openWhy(device, what) {
  if (/^(\d+|play:\d+)$/.test(what ?? "")) return explain(what);
  const query = new URLSearchParams(location.pathname === "/schedule" ? location.search : "");
  for (const name of ["why", "new", "edit", "copy", "notice"]) query.delete(name);
  if (device) query.set("screen", device);
  if (what) query.set("what", what);
  const fresh = (await fetched(`/schedule/answer?${query}`).catch(() => null))?.getElementById("answer");
  if (!fresh) return show(element("p", "castq does not answer; look whether it runs", "failure"));
  for (const one of fresh.querySelectorAll("noscript")) one.remove();
  const nodes = [...fresh.childNodes].map((node) => document.importNode(node, true));
  const place = document.getElementById("answer");
  if (place && matchMedia("(min-width: 1100px)").matches) {
    place.hidden = false;
    return place.replaceChildren(...nodes);
  }
  show(...nodes);
  // Elsewhere there is no dialog that shows what a move changes.
  if (!document.getElementById("occurrence")) for (const one of dialog.querySelectorAll("[data-move]")) one.remove();
  return undefined;
}
