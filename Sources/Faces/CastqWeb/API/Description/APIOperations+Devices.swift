import CastProtocol

extension APIOperation {
  private static let daemon: Schema = .object([
    .has("running", .flag), .has("startable", .flag.saying("Whether this server starts one.")),
    .has("service", .text.orNull.saying("The service that is the daemon of castq's computer.")),
  ])

  static let devices: [String: APIOperation] = [
    "GET /devices": .init(
      "castq devices", .document(.of(.devices)),
      given: [.query("scan", .choice("true", "false"), "true searches the network for two seconds first.")]),
    "POST /devices": .init(
      "castq device add; without an address it is searched for by its name",
      .made(.of(.device), "The device."),
      body: .object([.has("name", .text), .may("address", .text)], isClosed: true)),
    "GET /devices/{device}": .init("castq device show", .document(.of(.device))),
    "GET /devices/{device}/status": .init("castq status", .document(.of(.status))),
    "GET /devices/{device}/doctor": .init("castq doctor --no-launch", .document(.list(of: .object))),
    "GET /statuses": .init("castq status --all", .document(.of(.statuses))),
    "GET /devices/{device}/queue": .init(
      "castq queue", .document(.of(.queue)),
      given: [
        .query("since", .integer(from: 0, to: 9007199254740992), "The version that the reader has."),
        .query("from", .integer(from: 0, to: 10000000), "Entries before the part."),
        .query("count", .integer(from: 1, to: 1000), "The most entries of the part."),
      ]),
    "POST /devices/{device}/queue": .init(
      "castq enqueue", .made(.of(.enqueued), "The entries."),
      given: [
        .header("Idempotency-Key", .text(atMost: 200), "A request that is sent twice with it is done once.")
      ], body: .of(.enqueue)),
    "DELETE /devices/{device}/queue": .init(
      "castq clear; the entries can be brought back", .done(.of(.cleared))),
    "POST /devices/{device}/queue/moves": .init("castq move", .done(.of(.moved)), body: .of(.move)),
    "POST /devices/{device}/queue/restore": .init(
      "Brings removed entries back under their numbers", .done(.of(.restored)), body: .of(.restore)),
    "DELETE /devices/{device}/queue/{entry}": .init("castq remove", .nothing),
    "POST /devices/{device}/commands": .init("The remote control.", .begun, body: .of(.command)),
    "POST /announcements": .init("castq announce", .begun, body: .of(.announcement)),
    "GET /daemon": .init(
      "Whether castq daemon runs, and who starts it where it does not.", .document(daemon)),
    "POST /daemon": .init(
      "Starts castq daemon with the database and the configuration of the page; it outlives the page. Where one runs already, nothing else is started, and the answer is the same.",
      .done(daemon, "A daemon answers.")),
    "POST /check": .init(
      "castq check", .done(.of(.check)),
      body: .object([.has("sources", .list(of: .text, atLeast: 1))], isClosed: true)),
  ]
}
