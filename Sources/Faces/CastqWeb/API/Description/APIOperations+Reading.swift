import CastProtocol

extension APIOperation {
  static let reading: [String: APIOperation] = [
    "GET /history": .init(
      "castq history", .document(.of(.history)),
      given: [
        .device, .since, .time("until"), .zone,
        .query("outcome", .text, "finished, interrupted, cancelled, skipped, failed or unknown."),
        .query("limit", .integer(from: 1), "The newest plays."),
      ]),
    "GET /report/{kind}": .init(
      "castq report", .content(["application/json": .of(.report), "text/csv": .text], "The document."),
      given: [
        .device, .since, .time("until"), .zone, .query("by", .text, "media, device, day, hour or rule"),
        .query("format", .choice("json", "csv"), "json, or csv for a spreadsheet"),
      ]),
    "GET /plan": .init(
      "castq plan", .document(.of(.plan)), given: [.device, .time("from"), .time("to"), .zone]),
    "GET /why": .init(
      "castq why", .document(.of(.why)),
      given: [.device, .query("what", .text, "A time, an entry, or play:NUMBER; now without it."), .zone]),
    "GET /events": .init(
      "Server-sent events: hello, status, queue, plan, history, health, outcome, reset.",
      .content(["text/event-stream": .text], "The stream."),
      given: [
        .query("topics", .text, "Of status, queue, plan, history, health, with commas; all without it."),
        .query("device", .text, "Only what concerns this device."),
        .header("Last-Event-ID", .text, "Where the reader was."),
      ]),
    "GET /art/{digest}": .init(
      "The picture that `art` of a status names.", .content(["image/*": .any], "The document."),
      given: [.query("w", .integer(from: 16, to: 2048), "Pixels that the page shows.")]),
    "GET /healthz": .init("Whether the server answers.", .plain(200, "The document.")),
    "GET /readyz": .init(
      "Whether the database can be read.", .plain(200, "The document."), .plain(503, "Not now.")),
    "GET /metrics": .init("For Prometheus.", .plain(200, "The document.")),
    "GET /openapi.json": .init("This document.", .document(.object)),
  ]
}
