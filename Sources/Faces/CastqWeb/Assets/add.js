// What there is to add, as one types: programmes, and files of the library. It is written by its title, and sent by its name.
import { ask } from "./live.js";
import { listbox } from "./listbox.js";

const most = 8;
/** Of each field: the list that it shows, what was chosen, and which question is the newest. */
const fields = new WeakMap();

function made(field) {
  const own = { chosen: null, turn: 0 };
  own.show = listbox(field, (one) => {
    own.chosen = one;
    field.value = one.text;
  }, -1);
  field.form.addEventListener("formdata", ({ formData }) => {
    if (own.chosen?.text === field.value) formData.set(field.name, own.chosen.source);
  });
  fields.set(field, own);
  return own;
}

async function found(words) {
  const wanted = new URLSearchParams({ q: words, count: most });
  const [known, library] = await Promise.all([ask("GET", "/api/v1/programmes"), ask("GET", `/api/v1/library?${wanted}`)]);
  const names = (known.json?.programmes ?? []).map((one) => one.programme).filter((name) => name?.toLowerCase().includes(words.toLowerCase()));
  return [
    ...names.slice(0, most / 2).map((name) => ({ text: name, kind: "Programme", source: `programme:${name}` })),
    ...(library.json?.items ?? []).map((one) => ({ text: one.title, kind: [one.subtitle, one.plays].filter(Boolean).join(" · "), art: one.art, source: `library:${one.name}` })),
  ].slice(0, most);
}

/** Shows what a field may mean; an address and a path mean themselves. */
export async function look(field) {
  const own = fields.get(field) ?? made(field);
  const turn = (own.turn += 1);
  const words = field.value.trim();
  if (!words || words.startsWith("/") || words.includes("://") || own.chosen?.text === field.value) return own.show([]);
  const all = await found(words);
  if (turn === own.turn && document.activeElement === field) own.show(all);
  return undefined;
}
