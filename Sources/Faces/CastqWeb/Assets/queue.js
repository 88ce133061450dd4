// The queue of a device: any number of rows with few elements, and four ways to put them in another order.
import { api, ask, command, eachSecond, look, part, remembered, setArt, setAttribute, setText, store, now, toast, words } from "./live.js";
import { clock } from "./store.js";

const height = 60;
const overscan = 6;
const chunk = 200;

/** `16:05`, by the clock of the page. */
const minute = (moment) => words(moment).replace(/ UTC.*$/, "");

/** The length of a row in seconds; null where nobody knows it. */
function seconds(row) {
  if (typeof row.duration_s === "number") return row.duration_s;
  const parts = (row.length ?? "").split(":").map(Number);
  return parts.length > 1 && parts.every(Number.isFinite) ? parts.reduce((sum, each) => sum * 60 + each, 0) : null;
}

class Queue extends HTMLElement {
  #rows = []; // sparse: what was read of the queue, by position from 0
  #total = 0;
  #version = null;
  #elements = new Map(); // what is drawn, by entry number
  #active = null; // the entry that has the focus of the list
  #drag = null;
  #reading = new Map();
  #isStale = false;
  #wanted = 0; // counts the wishes to read the list again, and
  #refreshing = null; // is the reading that fulfils them
  #changes = 0; // counts changes of the rows that were made here before castq has said so, and
  #isAhead = false; // whether the rows have one
  #found = null; // positions that a search has found; null without one
  #menuEntry = null;
  #undo = []; // how the last changes made here are taken back, the newest last
  #underWay = Promise.resolve(); // changes that were sent and not answered yet
  #starts = new Map(); // when each entry that waits is on, in words
  #gone = new AbortController(); // ends what listens to the page

  connectedCallback() {
    this.label = this.dataset.device;
    const { signal } = this.#gone;
    this.scroll = part(this, "scroll");
    this.list = part(this, "rows");
    this.menu = document.getElementById("entry-menu");
    this.scroll.addEventListener("scroll", () => this.#draw(), { passive: true });
    const resized = new ResizeObserver(() => this.#draw());
    resized.observe(this.scroll);
    const follow = store.subscribe((state, before, event) => {
      // A list may be put back into the order that it had: every event counts, also one with the version that is here while rows are
      // read, or while they have a change that castq has not.
      if (event.type === "queue" && event.data.device === this.label) {
        if (event.data.version !== this.#version || this.#refreshing || this.#isAhead) this.#refresh();
      }
      if (state.link === "up" && before.link === "down") this.#refresh();
      if (state.statuses.get(this.label) !== before.statuses.get(this.label)) this.#drawTimes();
    });
    const tick = eachSecond(() => this.#drawTimes());
    signal.addEventListener("abort", () => { follow(); tick(); resized.disconnect(); });
    document.addEventListener("castq-queued", ({ detail }) => detail.device === this.label && this.#refresh(), { signal });
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("focusin", (event) => this.#activate(event.target.closest("li")));
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest('[data-part="menu"]');
      if (button) this.#openMenu(Number(button.closest("li").dataset.entry), button);
    });
    this.list.addEventListener("dblclick", (event) => this.#play(Number(event.target.closest("li")?.dataset.entry)));
    this.list.addEventListener("pointerdown", (event) => this.#lift(event));
    this.menu?.addEventListener("click", (event) => this.#choose(event.target.closest("[data-do]")?.dataset.do));
    this.menu?.addEventListener("keydown", (event) => this.#menuKey(event));
    for (const form of this.querySelectorAll(".queue-head form")) form.addEventListener("submit", (event) => this.#order(event), true);
    part(this, "undo")?.addEventListener("click", () => this.undo());
    document.addEventListener("castq-undo", () => this.undo(), { signal });
    document.addEventListener("castq-current", () => {
      const playing = this.#rows.findIndex((row) => row?.state === "playing");
      if (playing >= 0) this.#focus(playing);
    }, { signal });
    const find = part(this, "find");
    find?.addEventListener("input", () => this.#find(find.value.trim().toLowerCase()));
    if (!this.#adopt()) this.#refresh();
  }

  disconnectedCallback() { this.#gone.abort(); }

  // MARK: reading

  /** Begins with the rows that came with the page: nothing is asked until they are others. */
  #adopt() {
    const { version, total, from, repeat, shuffle } = this.dataset;
    if (version === undefined) return false;
    const first = Number(from ?? 0);
    const entries = [...this.list.children].map((element) => {
      const entry = Number(element.dataset.entry);
      this.#elements.set(entry, element);
      return { entry, state: element.dataset.state, title: part(element, "title").textContent, length: part(element, "length").textContent,
        second: part(element, "state").textContent, art: part(element, "art").querySelector("img")?.getAttribute("src") ?? null,
        failure: part(element, "state").title ? { message: part(element, "state").title } : null };
    });
    this.classList.add("live");
    performance.mark("castq-rows");
    this.#receive({ version: Number(version), total: Number(total), from: first, repeat, shuffle: shuffle === "true", entries });
    if (first > 0) this.scroll.scrollTop = first * height;
    const known = store.state.versions.get(this.label);
    return known === undefined || known === this.#version;
  }

  /** Reads the list again. Done when rows are here that were read after the call. */
  async #refresh() {
    if (this.#drag) { this.#isStale = true; return; }
    this.#isStale = false;
    this.#wanted += 1;
    this.#refreshing ??= this.#readAgain();
    await this.#refreshing;
  }

  /** One question at a time, and another one if anybody wished for it meanwhile. */
  async #readAgain() {
    try {
      for (let done = 0; done !== this.#wanted;) {
        done = this.#wanted;
        const changes = this.#changes;
        const first = Math.floor(this.scroll.scrollTop / height);
        const from = Math.max(Math.floor(first / chunk) * chunk - (first % chunk < 30 ? chunk : 0), 0);
        const answer = await ask("GET", api(this.label, `/queue?from=${from}&count=${chunk * 2}`));
        if (!answer.ok || !answer.json?.entries) {
          // Whatever happens next to the list has it read.
          this.#isAhead = true;
          return;
        }
        if (this.#drag) { this.#isStale = true; return; }
        if (changes !== this.#changes) {
          // Perhaps read before that change was made: castq is asked again when it has answered.
          this.#wanted += 1;
          await this.#underWay;
          continue;
        }
        this.#isAhead = false;
        this.#rows = [];
        this.#receive(answer.json);
      }
    } finally {
      this.#refreshing = null;
    }
  }

  #receive(document) {
    this.#version = document.version;
    this.#total = document.total ?? document.entries.length;
    this.#rows.length = Math.min(this.#total, 1e6);
    document.entries.forEach((entry, index) => { if (document.from + index < this.#rows.length) this.#rows[document.from + index] = entry; });
    setText(part(this, "count"), this.#total === 1 ? "1 entry" : `${this.#total} entries`);
    part(this, "empty").hidden = this.#total > 0;
    if (part(this, "first")) part(this, "first").hidden = this.#total > 0;
    const again = part(this, "repeat");
    setAttribute(again, "aria-pressed", document.repeat === "off" ? "false" : "true");
    if (part(this, "find")) part(this, "find").hidden = this.#total < 12;
    part(this, "end").hidden = this.#total === 0;
    if (again) setText(again, document.repeat === "one" ? "Repeat one" : "Repeat");
    setAttribute(part(this, "shuffle"), "aria-pressed", document.shuffle ? "true" : "false");
    this.repeatMode = document.repeat;
    this.isShuffled = document.shuffle === true;
    if (!this.classList.contains("live")) {
      this.classList.add("live");
      this.list.replaceChildren();
    }
    this.dataset.version = String(document.version);
    this.#draw();
    this.#drawTimes();
  }

  // MARK: when each entry is on

  /** Moments of the entries behind the one that plays, and the end of the list, as far as lengths are known. */
  #drawTimes() {
    const one = look(this.label);
    const playing = this.#rows.findIndex((row) => row?.state === "playing");
    this.#starts.clear();
    let at = playing >= 0 && one?.isOn && one.remaining !== null ? now() + one.remaining * 1000 : null;
    for (let place = playing + 1; at !== null && place < this.#rows.length; place += 1) {
      const row = this.#rows[place];
      if (!row) { at = null; break; }
      if (!["pending", "offered", "queued"].includes(row.state)) continue;
      this.#starts.set(row.entry, minute(at));
      const length = seconds(row);
      at = length === null ? null : at + length * 1000;
    }
    for (const [entry, element] of this.#elements) {
      const row = this.#starts.has(entry) ? null : this.#rows.find((each) => each?.entry === entry);
      setText(part(element, "length"), this.#starts.get(entry) ?? row?.length ?? clock(row?.duration_s ?? NaN));
    }
    setText(part(this, "end"), this.#total === 0 ? "" : this.repeatMode === "all" ? "Then all of it again"
      : this.repeatMode === "one" ? "One entry, again and again" : at !== null ? `Ends about ${minute(at)}, then nothing` : "");
  }

  /** Reads the rows that are to be seen and are not here. */
  async #read(from) {
    const start = Math.floor(from / chunk) * chunk;
    if (this.#reading.has(start)) return this.#reading.get(start);
    const reading = ask("GET", api(this.label, `/queue?from=${start}&count=${chunk}`)).then((answer) => {
      this.#reading.delete(start);
      if (!answer.ok || !answer.json?.entries) return;
      // Another version is another list: what was read of the old one does not belong to it.
      if (answer.json.version !== this.#version) { this.#refresh(); return; }
      this.#receive(answer.json);
    });
    this.#reading.set(start, reading);
    return reading;
  }

  // MARK: drawing

  /** Positions as they are shown: what a search has found, and a lifted row where it would be put. */
  get #shown() { return this.#found?.length ?? this.#total; }

  #at(place) {
    const position = this.#found ? this.#found[place] : place;
    if (!this.#drag) return { entry: this.#rows[position], position };
    const { from, to } = this.#drag;
    if (position === to) return { entry: this.#rows[from], position: to };
    const source = position > to && position <= from ? position - 1 : position < to && position >= from ? position + 1 : position;
    return { entry: this.#rows[source], position };
  }

  #draw() {
    if (!this.classList.contains("live")) return;
    const all = `${this.#shown * height}px`;
    if (this.list.style.height !== all) this.list.style.height = all;
    const first = Math.max(Math.floor(this.scroll.scrollTop / height) - overscan, 0);
    const last = Math.min(first + Math.ceil(this.scroll.clientHeight / height || 12) + overscan * 2, this.#shown);
    const keep = new Set();
    let hole = null;
    for (let place = first; place < last; place += 1) {
      const { entry, position } = this.#at(place);
      if (!entry) { hole ??= position; continue; }
      keep.add(entry.entry);
      this.#row(entry, place, position);
    }
    const focused = this.#active;
    for (const [number, element] of this.#elements) {
      if (keep.has(number) || (this.#drag && this.#drag.entry === number)) continue;
      // The row that has the focus stays, so that the focus does.
      if (number === focused && element.contains(document.activeElement) && this.#rows.some((row) => row?.entry === number)) continue;
      element.remove();
      this.#elements.delete(number);
    }
    if (hole !== null && !this.#drag) this.#read(hole);
    if (this.#active === null || !this.#rows.some((row) => row?.entry === this.#active)) {
      const one = [...keep][0];
      if (one !== undefined) this.#setActive(one);
    }
  }

  #row(entry, place, position) {
    let element = this.#elements.get(entry.entry);
    if (!element) {
      element = document.getElementById("entry").content.firstElementChild.cloneNode(true);
      element.dataset.entry = entry.entry;
      this.#elements.set(entry.entry, element);
      this.list.append(element);
    }
    element.style.transform = `translateY(${place * height}px)`;
    setAttribute(element, "data-state", entry.state);
    setAttribute(element, "aria-posinset", position + 1);
    setAttribute(element, "aria-setsize", this.#total);
    setAttribute(element, "tabindex", entry.entry === this.#active ? "0" : "-1");
    element.classList.toggle("lifted", this.#drag?.entry === entry.entry);
    setText(part(element, "position"), String(position + 1));
    setText(part(element, "title"), entry.title);
    const word = { playing: "Playing", finished: "Played", failed: "Failed" }[entry.state] ?? "";
    setText(part(element, "state"), entry.failure ? `${word}: ${entry.failure.message}` : entry.second ?? [word, entry.subtitle].filter(Boolean).join(" · "));
    this.#drawArt(part(element, "art"), entry);
    setAttribute(part(element, "state"), "title", entry.failure?.message ?? "");
    setText(part(element, "length"), this.#starts.get(entry.entry) ?? entry.length ?? clock(entry.duration_s ?? NaN));
    const menu = part(element, "menu");
    if (menu) {
      setAttribute(menu, "aria-label", `Actions for ${entry.title}`);
      setAttribute(menu, "tabindex", entry.entry === this.#active ? "0" : "-1");
      if (document.body.dataset.role === "look") menu.remove();
    }
  }

  #drawArt(node, entry) {
    const key = entry.art ?? "";
    if (!node || node.dataset.art === key) return;
    node.dataset.art = key;
    // What came with the page has its picture.
    if (key.startsWith("/")) return;
    setArt(node, entry.art, 160, "film");
  }

  #position(entry) { return this.#rows.findIndex((row) => row?.entry === entry); }

  #speak(text) { setText(part(this, "spoken"), text); }

  // MARK: focus

  #activate(row) { if (row) this.#setActive(Number(row.dataset.entry)); }

  #setActive(entry) {
    if (entry === this.#active) return;
    const before = this.#elements.get(this.#active);
    this.#active = entry;
    for (const [element, index] of [[before, "-1"], [this.#elements.get(entry), "0"]]) {
      if (!element) continue;
      element.setAttribute("tabindex", index);
      part(element, "menu")?.setAttribute("tabindex", index);
    }
  }

  async #focus(position) {
    const place = Math.min(Math.max(position, 0), this.#total - 1);
    const top = place * height;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top + height > this.scroll.scrollTop + this.scroll.clientHeight) this.scroll.scrollTop = top + height - this.scroll.clientHeight;
    if (!this.#rows[place]) await this.#read(place);
    this.#draw();
    const entry = this.#rows[place];
    if (!entry) return;
    this.#setActive(entry.entry);
    this.#elements.get(entry.entry)?.focus({ preventScroll: true });
  }

  #key(event) {
    const row = event.target.closest("li");
    if (!row || event.target !== row) return;
    const entry = Number(row.dataset.entry);
    const position = this.#position(entry);
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[event.key];
    // The letters of the terminal, where single letters are shortcuts.
    const letter = event.ctrlKey || event.metaKey || event.altKey || remembered("letters") === "off" ? null : event.key;
    if (letter === "J" || letter === "K") {
      event.preventDefault();
      this.move(entry, position + (letter === "J" ? 1 : -1));
    } else if (letter === "g" || letter === "G") {
      event.preventDefault();
      this.#focus(letter === "g" ? 0 : this.#total - 1);
    } else if (letter === "d") {
      event.preventDefault();
      this.#remove(entry);
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      this.move(entry, position + step);
    } else if (step && !event.altKey) {
      event.preventDefault();
      this.#focus(position + step);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      this.#focus(event.key === "Home" ? 0 : this.#total - 1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#play(entry);
    } else if (event.key === "Delete") {
      event.preventDefault();
      this.#remove(entry);
    }
  }

  // MARK: acting

  get #mayAct() { return document.body.dataset.role !== "look" && document.body.dataset.link !== "down"; }

  #play(entry) { if (entry && this.#mayAct) command(this.label, "play", { entry }); }

  async #remove(entry) {
    if (!this.#mayAct) return;
    const position = this.#position(entry);
    const title = this.#rows[position]?.title ?? "";
    const version = this.#version;
    setAttribute(this.#elements.get(entry), "data-pending", "true");
    const answer = await this.#sent(ask("DELETE", api(this.label, `/queue/${entry}`)));
    if (!answer.ok) { setAttribute(this.#elements.get(entry), "data-pending", null); toast(answer.problem, true); return; }
    const change = this.#remember(`${title} is back`, () => ask("POST", api(this.label, "/queue/restore"), { entries: [entry], version }));
    toast(`${title} is removed`, false, { words: "Undo", run: () => this.undo(change) });
    await this.#refresh();
    // It may be back already.
    setAttribute(this.#elements.get(entry), "data-pending", null);
    if (this.#total > 0) this.#focus(Math.min(position, this.#total - 1));
  }

  /**
   * Moves an entry to a position from 0. It is named, never counted: what changes meanwhile cannot misplace it.
   * @returns whether it was moved
   */
  async move(entry, to) {
    if (!this.#mayAct) return false;
    const from = this.#position(entry);
    const before = from > 0 ? this.#rows[from - 1]?.entry : null;
    const place = Math.min(Math.max(to, 0), this.#total - 1);
    if (from < 0 || place === from) return false;
    const row = this.#rows[from];
    // The entry that will stand above it.
    const above = place === 0 ? null : place > from ? place : place - 1;
    if (above !== null && !this.#rows[above]) await this.#read(above);
    if (above !== null && !this.#rows[above]) return false;
    const after = above === null ? null : this.#rows[above].entry;
    const version = this.#version;
    const hadFocus = this.#elements.get(entry)?.contains(document.activeElement);
    this.#changes += 1;
    this.#isAhead = true;
    this.#rows.splice(from, 1);
    this.#rows.splice(place, 0, row);
    this.#draw();
    const element = this.#elements.get(entry);
    setAttribute(element, "data-pending", "true");
    if (hadFocus) this.#focus(place);
    const answer = await this.#sent(ask("POST", api(this.label, "/queue/moves"), { entry, after, version }));
    setAttribute(this.#elements.get(entry), "data-pending", null);
    if (!answer.ok) {
      toast(answer.status === 409 ? "The queue changed meanwhile: nothing was moved. This is how it is now." : answer.problem, true);
      await this.#refresh();
      return false;
    }
    // The version of the rows that are here stays: another's move may have come between, and then they are read again.
    if (before !== undefined) this.#remember(`${row.title} is back`, () => this.#moveBack(entry, before));
    const now = answer.json?.position ?? place + 1;
    this.#speak(`${row.title}, moved to ${now} of ${this.#total}`);
    if (now !== place + 1) this.#refresh();
    return true;
  }

  async #clear() {
    const total = this.#total;
    const answer = await this.#sent(ask("DELETE", api(this.label, "/queue")));
    if (!answer.ok) return toast(answer.problem, true);
    const version = answer.json?.version;
    if (total) {
      const change = this.#remember("The queue is back", () => ask("POST", api(this.label, "/queue/restore"), { version }));
      toast("The queue is empty", false, { words: "Undo", run: () => this.undo(change) });
    }
    return this.#refresh();
  }

  // MARK: undoing

  #remember(words, back) {
    const change = { words, back };
    this.#undo.push(change);
    if (this.#undo.length > 50) this.#undo.shift();
    this.#drawUndo();
    return change;
  }

  /** The event of a change may come before the answer to it: undoing waits for the answer. */
  #sent(answer) {
    this.#underWay = Promise.allSettled([this.#underWay, answer]);
    return answer;
  }

  #drawUndo() {
    const button = part(this, "undo");
    if (button) button.hidden = this.#undo.length === 0;
  }

  /** Behind the entry that stood before it; the version is that of now, since only these two may not have changed. */
  async #moveBack(entry, after) {
    const fresh = await ask("GET", api(this.label, "/queue?from=0&count=1"));
    return ask("POST", api(this.label, "/queue/moves"), { entry, after, version: fresh.json?.version ?? this.#version });
  }

  /** Takes a change back that was made here, or the last one. */
  async undo(change = null) {
    if (!this.#mayAct) return;
    await this.#underWay;
    const place = change ? this.#undo.indexOf(change) : this.#undo.length - 1;
    const [last] = place < 0 ? [] : this.#undo.splice(place, 1);
    this.#drawUndo();
    if (!last) return toast("There is nothing to undo");
    const answer = await last.back();
    toast(answer.ok ? last.words : answer.problem, !answer.ok);
    this.#speak(answer.ok ? last.words : "");
    await this.#refresh();
  }

  #order(event) {
    const value = event.submitter?.value;
    if (!["shuffle", "repeat", "clear"].includes(value)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.#mayAct) return;
    if (value === "shuffle") command(this.label, "shuffle", { on: !this.isShuffled });
    else if (value === "clear") this.#clear();
    else command(this.label, "repeat", { mode: this.repeatMode === "off" ? "all" : "off" });
  }

  // MARK: the menu

  #openMenu(entry, button) {
    this.#menuEntry = entry;
    this.#setActive(entry);
    const state = button.closest("[data-state]")?.dataset.state;
    setText(this.menu.querySelector("[data-do=play]"), state === "failed" ? "Try again" : "Play now");
    this.menu.showPopover();
    const place = button.getBoundingClientRect();
    const size = this.menu.getBoundingClientRect();
    this.menu.style.left = `${Math.max(Math.min(place.right - size.width, innerWidth - size.width - 8), 8)}px`;
    this.menu.style.top = `${place.bottom + size.height > innerHeight ? Math.max(place.top - size.height, 8) : place.bottom}px`;
    this.menu.querySelector("button").focus();
  }

  #menuKey(event) {
    const items = [...this.menu.querySelectorAll("button")];
    const index = items.indexOf(document.activeElement);
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items[(to + items.length) % items.length].focus();
  }

  async #choose(what) {
    if (!what) return;
    const entry = this.#menuEntry;
    const position = this.#position(entry);
    this.menu.hidePopover();
    this.#elements.get(entry)?.focus({ preventScroll: true });
    if (what === "play") this.#play(entry);
    else if (what === "up") this.move(entry, position - 1);
    else if (what === "down") this.move(entry, position + 1);
    else if (what === "top") this.move(entry, 0);
    else if (what === "next") {
      // What stands above the one that plays and has not had its turn would come before it.
      const first = this.#rows.findIndex((row) => row && row.entry !== entry && ["pending", "offered", "queued"].includes(row.state));
      if (first >= 0) this.move(entry, first > position ? first - 1 : first);
    } else if (what === "position") this.#askPosition(entry);
    else if (what === "why") (await import("./why.js")).openWhy(this.label, String(entry));
    else if (what === "remove") this.#remove(entry);
  }

  #askPosition(entry) {
    const dialog = document.getElementById("position-dialog");
    const field = dialog.querySelector("input");
    field.max = String(this.#total);
    field.value = String(this.#position(entry) + 1);
    dialog.showModal();
    field.select();
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "move") this.move(entry, Number(field.value) - 1);
      dialog.returnValue = "";
    }, { once: true });
  }

  // MARK: dragging

  #lift(event) {
    const grip = event.target.closest('[data-part="grip"]');
    if (!grip || event.button !== 0 || !this.#mayAct || this.#found) return;
    event.preventDefault();
    const entry = Number(grip.closest("li").dataset.entry);
    const from = this.#position(entry);
    if (from < 0) return;
    this.#drag = { entry, from, to: from, y: event.clientY };
    // The list keeps the pointer: rows come and go below it.
    this.list.setPointerCapture(event.pointerId);
    const end = (isDropped) => {
      this.list.removeEventListener("pointermove", move);
      this.list.removeEventListener("pointerup", drop);
      this.list.removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", escape, true);
      clearInterval(timer);
      const { to } = this.#drag;
      this.#drag = null;
      this.#draw();
      const moved = isDropped && to !== from ? this.move(entry, to) : Promise.resolve();
      moved.then(() => { if (this.#isStale) this.#refresh(); });
      if (!isDropped) this.#speak("Not moved");
    };
    const move = (one) => { this.#drag.y = one.clientY; this.#hover(); };
    const drop = () => end(true);
    const cancel = () => { if (this.#drag) end(false); };
    this.#gone.signal.addEventListener("abort", cancel, { once: true });
    const escape = (one) => { if (one.key === "Escape") { one.preventDefault(); end(false); } };
    this.list.addEventListener("pointermove", move);
    this.list.addEventListener("pointerup", drop);
    this.list.addEventListener("pointercancel", cancel);
    addEventListener("keydown", escape, true);
    // Near an edge the list moves on by itself.
    const timer = setInterval(() => {
      const box = this.scroll.getBoundingClientRect();
      const by = this.#drag.y < box.top + 30 ? -12 : this.#drag.y > box.bottom - 30 ? 12 : 0;
      if (by) { this.scroll.scrollTop += by; this.#hover(); }
    }, 16);
    this.#draw();
  }

  #hover() {
    const box = this.scroll.getBoundingClientRect();
    const place = Math.floor((this.#drag.y - box.top + this.scroll.scrollTop) / height);
    const to = Math.min(Math.max(place, 0), this.#total - 1);
    // Only between rows that are here: the one above is named.
    if (to === this.#drag.to || !this.#rows[to]) return;
    this.#drag.to = to;
    this.#draw();
  }

  // MARK: searching

  async #find(wanted) {
    if (!wanted) {
      this.#found = null;
      this.#draw();
      return;
    }
    for (let from = 0; from < Math.min(this.#total, 20000); from += chunk) {
      if (!this.#rows[from] || !this.#rows[Math.min(from + chunk, this.#total) - 1]) await this.#read(from);
      if (part(this, "find").value.trim().toLowerCase() !== wanted) return;
    }
    this.#found = [];
    this.#rows.forEach((row, position) => { if (row?.title.toLowerCase().includes(wanted)) this.#found.push(position); });
    this.scroll.scrollTop = 0;
    this.#draw();
    this.#speak(`${this.#found.length} found`);
  }
}
customElements.define("castq-queue", Queue);
