// What a field finds, in a list under or over it: the field keeps the focus, arrows go through the list, Enter takes what is marked.
import { setText } from "./live.js";

/**
 * @param field an input with `role="combobox"`, whose `aria-controls` names the list
 * @param take hears what was chosen: one of what was shown, `{text, kind, hint, art}`
 * @param first the row that is marked before an arrow is pressed; -1 is none, so that Enter is for what was typed
 * @returns shows what was found; nothing closes the list
 */
export function listbox(field, take, first = 0) {
  const list = document.getElementById(field.getAttribute("aria-controls"));
  let all = [];
  let active = first;

  function mark() {
    for (const [index, row] of [...list.children].entries()) row.setAttribute("aria-selected", String(index === active));
    list.children[active]?.scrollIntoView({ block: "nearest" });
    if (all[active]) field.setAttribute("aria-activedescendant", `${list.id}-${active}`);
    else field.removeAttribute("aria-activedescendant");
  }

  function choose(one) {
    show([]);
    take(one);
  }

  function row(one, index) {
    const item = document.createElement("li");
    item.id = `${list.id}-${index}`;
    item.setAttribute("role", "option");
    if (one.art) {
      const image = new Image();
      image.alt = "";
      image.src = `/api/v1/art/${encodeURIComponent(one.art)}?w=160`;
      item.append(image);
    }
    const text = document.createElement("bdi");
    setText(text, one.text);
    const kind = document.createElement("small");
    setText(kind, one.hint ? `${one.kind}, ${one.hint}` : one.kind);
    item.append(text, kind);
    item.addEventListener("pointerdown", (event) => { event.preventDefault(); choose(one); });
    return item;
  }

  function show(found) {
    all = found;
    active = Math.min(active, all.length - 1);
    if (active < first) active = first;
    list.replaceChildren(...all.map(row));
    list.hidden = all.length === 0;
    field.setAttribute("aria-expanded", String(all.length > 0));
    mark();
  }

  field.addEventListener("input", () => { active = first; });
  field.addEventListener("blur", () => show([]));
  field.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      active = active < 0 ? (step > 0 ? 0 : all.length - 1) : (active + step + all.length) % all.length;
      mark();
    } else if (event.key === "Enter" && all[active]) choose(all[active]);
    else if (event.key === "Escape") show([]);
    else return;
    event.preventDefault();
  });
  return show;
}
