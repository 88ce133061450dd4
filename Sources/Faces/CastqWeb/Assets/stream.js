// One stream of server-sent events, opened again for as long as it is wanted. As a shared worker it is the only one of all tabs.

const kinds = ["hello", "status", "queue", "plan", "history", "health", "outcome", "progress", "reset"];

export class Stream {
  #source = null;
  #url = null;
  #retry = 0;
  #heard;
  #receive;

  constructor(receive) { this.#receive = receive; }

  open(url) {
    this.#url = url;
    if (this.#source) return;
    const source = new EventSource(url);
    this.#source = source;
    for (const kind of kinds) {
      source.addEventListener(kind, (event) => {
        let data = {};
        try { data = JSON.parse(event.data || "{}"); } catch { return; }
        if (event.lastEventId) this.#heard = event.lastEventId;
        this.#receive({ type: kind, data });
      });
    }
    source.onerror = () => {
      this.#receive({ type: "lost", data: {} });
      // The browser tries again by itself, except after an answer that it takes for final.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#source = null;
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => {
        if (!this.#url) return;
        const base = this.#url.replace(/&last_event_id=.*/, "");
        this.open(this.#heard ? `${base}&last_event_id=${encodeURIComponent(this.#heard)}` : base);
      }, 1000);
    };
  }

  close() {
    clearTimeout(this.#retry);
    this.#url = null;
    this.#source?.close();
    this.#source = null;
  }
}

// MARK: as a worker

if (globalThis.SharedWorkerGlobalScope && globalThis instanceof SharedWorkerGlobalScope) {
  // What tabs need that come later.
  const ports = new Set();
  const latest = new Map();

  const stream = new Stream((message) => {
    if (message.type === "lost") latest.set("link", message);
    else if (message.type === "hello") { latest.set("link", { ...message, heard: Date.now() }); }
    else if (message.type === "status" || message.type === "queue") latest.set(`${message.type} ${message.data.device}`, message);
    else if (message.type === "health") latest.set("health", message);
    else if (message.type === "reset") for (const key of [...latest.keys()]) if (key !== "link") latest.delete(key);
    for (const port of ports) port.postMessage(message);
  });

  addEventListener("connect", (event) => {
    const [port] = event.ports;
    port.onmessage = ({ data }) => {
      if (data.type === "close") {
        ports.delete(port);
        if (ports.size === 0) { stream.close(); latest.clear(); }
        return;
      }
      ports.add(port);
      for (const message of latest.values()) {
        // A greeting that is given later must not move the clock.
        if (message.type === "hello") {
          const at = new Date(Date.parse(message.data.at) + Date.now() - message.heard).toISOString();
          port.postMessage({ type: "hello", data: { ...message.data, at } });
        } else port.postMessage(message);
      }
      stream.open(data.url);
    };
    port.start();
  });
}
