// A list file that is dropped: its addresses are shown, checked, and queued when that is wanted.
import { ask, screenName, setText, toast } from "./live.js";

/** Reads a list that was dropped. Files of this computer are not sent: their lines are. */
export async function read(zone, file) {
  if (file.size > 1 << 20) return toast("This list is larger than 1 MB", true);
  const lines = (await file.text()).split(/\r?\n/).map((line) => line.trim());
  return show(zone, lines.filter((line) => /^https?:\/\//i.test(line)), lines.filter((line) => line && !line.startsWith("#") && !/^https?:\/\//i.test(line)).length);
}

/** Checks the address in the field. */
export function check(zone) {
  const source = zone.querySelector('input[name="check"]').value.trim();
  if (source) show(zone, [source], 0);
}

async function show(zone, sources, others) {
  zone.querySelector("[data-checked]")?.remove();
  const box = document.createElement("div");
  box.dataset.checked = "";
  box.setAttribute("role", "status");
  zone.append(box);
  const line = (text, name = "p", className = "") => {
    const node = document.createElement(name);
    setText(node, text);
    node.className = className;
    box.append(node);
    return node;
  };
  if (others) line(`${others} lines name local files, which only the computer of castq can read.`, "p", "faint");
  if (!sources.length) return line("It has no address that can be queued from here.", "p", "failure");
  const answer = await ask("POST", "/api/v1/check", { sources: sources.slice(0, 200) });
  const problems = answer.json?.problems ?? answer.json?.issues ?? [];
  for (const problem of problems.slice(0, 50)) line(`${problem.source ?? ""}:${problem.line ?? ""}: ${problem.message}`, "p", "failure");
  if (!answer.ok) line(answer.problem, "p", "failure");
  else if (!problems.length) line(`${sources.length === 1 ? "Nothing is" : `${sources.length} entries, nothing is`} wrong with it.`, "p", "notice");
  const device = zone.querySelector('select[name="device"]')?.value;
  if (!device) return undefined;
  const button = line(`Queue ${sources.length === 1 ? "it" : `${sources.length} entries`} on ${screenName(device)}`, "button");
  button.type = "button";
  button.addEventListener("click", async () => {
    button.disabled = true;
    const done = await ask("POST", `/api/v1/devices/${encodeURIComponent(device)}/queue`, { sources, at: "end" });
    button.disabled = done.ok;
    toast(done.ok ? `${done.json?.added?.length ?? 0} entries are queued on ${screenName(device)}` : done.problem, !done.ok);
  });
  return undefined;
}
