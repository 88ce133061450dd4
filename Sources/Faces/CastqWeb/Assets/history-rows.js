// Rows of the history, in the order in which plays began.
import { part, screenName, setAttribute, setText, words } from "./live.js";
import { clock } from "./store.js";

const outcomes = { finished: "complete", interrupted: "cut short", cancelled: "cut short", playing: "on now" };

class HistoryRows extends HTMLElement {
  #gone = new AbortController();

  connectedCallback() {
    document.addEventListener("castq-history", ({ detail }) => this.receive(detail), { signal: this.#gone.signal });
  }

  disconnectedCallback() { this.#gone.abort(); }

  receive(play) {
    const own = this.dataset.device;
    if (own && play.device !== own) return;
    const filters = new URLSearchParams(location.search);
    if (filters.get("outcome") && filters.get("outcome") !== play.outcome) return;
    // What has an end is not added to, nor what is searched.
    if (filters.get("until") || filters.get("to") || filters.get("q") || /^(yesterday|last-)/.test(filters.get("range") ?? "")) return;
    const rows = part(this, "rows");
    const moment = play.started_at ?? play.ended_at; // A play that failed before its first picture has no beginning.
    let row = [...rows.children].find((one) => one.dataset.play === String(play.play));
    if (!row) {
      row = document.getElementById("play").content.firstElementChild.cloneNode(true);
      row.dataset.play = play.play;
      row.dataset.new = "";
      row.dataset.at = moment ?? "";
      const place = Date.parse(moment);
      rows.insertBefore(row, [...rows.children].find((one) => !(Date.parse(one.dataset.at) > place)) ?? null);
      while (rows.children.length > 500) rows.lastElementChild.remove();
    }
    row.dataset.outcome = play.outcome ?? "playing";
    setText(part(row, "started"), moment ? words(moment, true) : "–");
    setText(part(row, "device"), screenName(play.device));
    setAttribute(part(row, "device-link"), "href", `/d/${encodeURIComponent(play.device)}`);
    setText(part(row, "title"), play.title);
    setText(part(row, "played"), clock(play.played_s));
    setText(part(row, "outcome"), outcomes[play.outcome ?? "playing"] ?? play.outcome);
    setText(part(row, "explanation"), play.explanation ?? "");
    setText(part(row, "schedule"), play.schedule ?? "");
    part(this, "table").hidden = false;
    part(this, "empty").hidden = true;
  }
}
customElements.define("castq-history", HistoryRows);
