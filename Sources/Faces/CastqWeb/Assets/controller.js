// The expanded controller.
import { api, ask, clockNow, command, eachSecond, look, part, seenStatus, setArt, setAttribute, setText, store, toggle, turnVolume } from "./live.js";
import { clock, sentence } from "./store.js";

class Controller extends HTMLElement {
  #isSeeking = false;
  #isTurning = false;
  #turning = null;
  #next = null;
  /** The ad that may be skipped by now. */
  #free = null;
  #marks = "";
  #tracks = null;

  #ends = [];

  connectedCallback() {
    this.label = this.dataset.device;
    this.#ends = [store.subscribe((state, before) => {
      const { label } = this;
      if (state.statuses.get(label) !== before.statuses.get(label) || state.pending.get(label) !== before.pending.get(label)) this.draw();
      if (state.versions.get(label) !== before.versions.get(label)) this.#next = null;
    }), eachSecond(() => { if (this.dataset.state === "playing") this.draw(); })];
    const seek = part(this, "seek");
    seek.addEventListener("input", () => {
      this.#isSeeking = true;
      const one = look(this.label);
      if (one?.duration) setText(part(this, "elapsed"), clock((seek.value / 1000) * one.duration));
    });
    seek.addEventListener("change", () => {
      this.#isSeeking = false;
      const one = look(this.label);
      if (one?.duration) this.seek((seek.value / 1000) * one.duration);
    });
    const volume = part(this, "volume");
    volume.addEventListener("input", () => {
      this.#isTurning = true;
      setText(part(this, "level"), volume.value);
      this.turn();
    });
    volume.addEventListener("change", () => {
      this.#isTurning = false;
      clearTimeout(this.#turning);
      this.#turning = null;
      turnVolume(this.label, volume.value);
    });
    part(this, "mute").addEventListener("click", (event) => {
      event.preventDefault();
      this.mute();
    });
    part(this, "back")?.addEventListener("click", () => this.skip(-10));
    part(this, "ahead")?.addEventListener("click", () => this.skip(10));
    part(this, "text-styles")?.addEventListener("click", (event) => {
      const scale = event.target.closest("[data-scale]")?.dataset.scale;
      if (scale) command(this.label, "style", { style: { fontScale: Number(scale) } });
    });
    part(this, "rates")?.addEventListener("click", (event) => {
      const rate = event.target.closest("[data-rate]")?.dataset.rate;
      if (rate) command(this.label, "rate", { rate: Number(rate) }, { rate: Number(rate) });
    });
    part(this, "tracks")?.addEventListener("change", () => this.chooseTracks());
    part(this, "skip-ad")?.addEventListener("click", () => command(this.label, "skip_ad"));
    part(this, "play-now")?.addEventListener("click", () => command(this.label, "next"));
    part(this, "hold")?.addEventListener("click", () => command(this.label, "pause", {}, { player_state: "PAUSED" }));
    part(this, "halt")?.addEventListener("click", () => command(this.label, "stop"));
    const more = part(this, "more");
    if (more && location.hash === "#more") more.open = true;
    this.draw();
  }

  disconnectedCallback() {
    for (const end of this.#ends) end();
  }

  /** A slider that is drawn is heard while it moves, ten times a second. */
  turn() {
    this.#turning ??= setTimeout(() => {
      this.#turning = null;
      if (this.#isTurning) turnVolume(this.label, part(this, "volume").value);
    }, 100);
  }

  skip(seconds) {
    const one = look(this.label);
    if (!one?.isOn || one.live || one.position === null) return undefined;
    return this.seek(Math.max(Math.min(one.position + seconds, one.duration ?? Infinity), 0));
  }

  seek(seconds) {
    return command(this.label, "seek", { position_s: Math.round(seconds * 1000) / 1000 }, { position_s: seconds, at: clockNow() });
  }

  mute() {
    const volume = seenStatus(this.label)?.volume;
    const muted = volume?.muted === true;
    return command(this.label, muted ? "unmute" : "mute", {}, volume ? { volume: { ...volume, muted: !muted } } : null);
  }

  chooseTracks() {
    const ids = [...part(this, "tracks").querySelectorAll("input:checked")].map((one) => Number(one.value)).filter((id) => id > 0);
    command(this.label, "tracks", ids.length ? { on: ids } : { off: true });
  }

  draw() {
    const one = look(this.label);
    if (!one) return;
    const status = seenStatus(this.label);
    setAttribute(this, "data-air", one.air);
    setAttribute(this, "data-state", one.token);
    setAttribute(this, "data-live", one.live ? "true" : null);
    setAttribute(this, "data-pending", one.pending ? "true" : null);
    setText(part(this, "word"), one.word);
    setText(part(this, "title"), one.title);
    setText(part(this, "subtitle"), one.subtitle);
    part(this, "by-rule").hidden = !one.isOn || !one.rule;
    setText(part(this, "rule"), one.rule ?? "");
    setText(part(this, "total"), one.total);
    setArt(part(this, "art"), one.art, 960);
    part(this, "seek-row").hidden = one.isPicture;
    const seek = part(this, "seek");
    const link = document.body.dataset.link !== "down";
    const mayAct = document.body.dataset.role !== "look";
    seek.disabled = !one.isOn || one.live || !one.duration || Boolean(one.ad) || !link || !mayAct;
    if (!this.#isSeeking) {
      setText(part(this, "elapsed"), one.elapsed);
      seek.value = one.permille;
      setAttribute(seek, "aria-valuetext", one.duration ? `${one.elapsed} of ${one.total}` : one.elapsed || "nothing plays");
    }
    part(this, "guest").hidden = status.waiting_for !== "guest";
    // Where nothing is on the screen, that is the state itself.
    const why = sentence(status.why ?? "");
    setText(part(this, "guest-why"), why === one.word ? "" : why);
    this.drawMarks(one.marks);
    this.drawAd(one.ad, link);
    const volume = part(this, "volume");
    volume.disabled = one.isOff || !one.volume || one.isFixed || !link || !mayAct;
    volume.hidden = one.isFixed;
    part(this, "fixed").hidden = !one.isFixed;
    if (one.volume && !this.#isTurning) {
      volume.value = one.volume.level;
      setText(part(this, "level"), String(one.volume.level));
    }
    setText(part(this, "configured"), one.configured);
    setAttribute(part(this, "mute"), "aria-pressed", one.volume?.muted ? "true" : "false");
    setAttribute(this.querySelector('[value="toggle"]'), "aria-label", one.isMoving ? (one.live ? "Stop" : "Pause") : "Play");
    for (const act of this.querySelectorAll(".transport [data-act]")) act.disabled = one.isOff || !link;
    for (const name of ["back", "ahead"]) {
      const skip = part(this, name);
      if (skip) skip.disabled = !one.isOn || one.live || one.isPicture || Boolean(one.ad) || !link;
    }
    const rate = status.rate ?? 1;
    setText(part(this, "rate-word"), `${rate}×`);
    setText(part(this, "pace"), one.isOn && rate !== 1 && !one.live ? `${rate}×` : "");
    const text = (status.tracks ?? []).find((track) => track.type === "TEXT" && track.active);
    setText(part(this, "tracks-word"), text ? text.name || text.language || "Subtitles" : "Tracks");
    for (const rate of this.querySelectorAll("[data-rate]")) {
      setAttribute(rate, "aria-pressed", Number(rate.dataset.rate) === (status.rate ?? 1) ? "true" : "false");
    }
    this.drawTracks(status.tracks ?? []);
    this.drawNext(one);
  }

  /** The tracks of what plays now; which of them are on follows whoever chose them. */
  drawTracks(tracks) {
    const box = part(this, "tracks");
    if (!box) return;
    const text = JSON.stringify(tracks);
    if (text === this.#tracks) return;
    this.#tracks = text;
    const sets = [["TEXT", "Subtitles"], ["AUDIO", "Sound"]].map(([type, title]) => {
      const own = tracks.filter((track) => track.type === type);
      if (!own.length) return null;
      const set = document.createElement("fieldset");
      set.dataset.type = type;
      const legend = document.createElement("legend");
      legend.textContent = title;
      const off = { id: 0, name: "Off", active: !own.some((track) => track.active) };
      const rows = (type === "TEXT" ? [off, ...own] : own).map((track) => {
        const row = document.getElementById("track").content.firstElementChild.cloneNode(true);
        const input = row.querySelector("input");
        Object.assign(input, { name: type.toLowerCase(), value: track.id, checked: track.active === true });
        const name = track.name || (track.language ?? `Track ${track.id}`);
        setText(part(row, "name"), track.name && track.language ? `${name} (${track.language})` : name);
        return row;
      });
      set.append(legend, ...rows);
      return set;
    });
    // A choice that has the focus keeps it.
    const focused = box.contains(document.activeElement) ? document.activeElement : null;
    const [name, value] = [focused?.name, focused?.value];
    box.replaceChildren(...sets.filter(Boolean));
    if (focused) box.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`)?.focus();
  }

  /** Marks of ads on the seek bar. */
  drawMarks(marks) {
    const text = marks.join();
    if (text === this.#marks) return;
    this.#marks = text;
    part(this, "marks").replaceChildren(...marks.map((place) => {
      const mark = document.createElement("i");
      mark.style.setProperty("--at", place);
      return mark;
    }));
    setText(part(this, "marks-words"), marks.length === 0 ? "" : marks.length === 1 ? "1 ad break" : `${marks.length} ad breaks`);
  }

  /** The ad that plays, and when it may be skipped. */
  drawAd(ad, link) {
    const box = part(this, "ad");
    box.hidden = !ad;
    // A status may put the clock of an ad back by a moment: what may be skipped stays so, and a click that was aimed at it is not lost.
    if (!ad || ad.left === 0) this.#free = ad?.name ?? null;
    if (!ad) return;
    const left = ad.left === 1 && this.#free === ad.name ? 0 : ad.left;
    setText(part(box, "ad-name"), ad.name);
    setText(part(box, "ad-rest"), ad.rest);
    const button = part(box, "skip-ad");
    if (!button) return;
    button.hidden = left === null;
    button.disabled = left > 0 || !link;
    setText(button, left > 0 ? `Skip in ${left} s` : "Skip ad");
  }

  /** What comes next is shown half a minute before the end, which an ad puts off. */
  async drawNext(one) {
    const box = part(this, "up-next");
    const isNear = one.isMoving && one.remaining !== null && one.remaining <= 30 && one.waiting > 0 && !one.ad;
    box.hidden = !isNear;
    if (!isNear) return;
    setText(part(box, "next-in"), `${Math.ceil(one.remaining)} s`);
    if (one.next) return setText(part(box, "next"), one.next);
    if (this.#next === null) {
      this.#next = "";
      const answer = await ask("GET", api(this.label, "/queue?from=0&count=200"));
      const entries = answer.json?.entries ?? [];
      const playing = entries.findIndex((entry) => entry.state === "playing");
      this.#next = entries.slice(playing + 1).find((entry) => ["pending", "offered", "queued"].includes(entry.state))?.title ?? "";
    }
    setText(part(box, "next"), this.#next || "the next entry");
    return undefined;
  }
}
customElements.define("castq-controller", Controller);
