import CastProtocol
import CastqFeeding

/// What the API is sent.
extension APISchema {
  static let ruleChangeShape: Schema = .object([
    .has("play", .text), .has("devices", .text), .may("always", .flag), .may("daily", .text),
    .may("daypart", .text), .may("cron", .text), .may("calendar", .text), .may("once", .text),
    .may("days", .text), .may("for", .text),
    .may(
      "interrupt",
      .flag.saying(
        "An announcement: it interrupts what is on, and gives the screen back. With cron, calendar and once.")
    ), .may("tz", .text), .may("priority", .integer(from: -1000000, to: 1000000)), .may("start", .text),
    .may("end", .text), .may("resume", .text), .may("missed", .text), .may("only_on", .text),
    .may("not_on", .text), .may("valid", .text), .may("volume", .number), .may("enabled", .flag),
    .may("note", .text),
    .may(
      "exceptions",
      .object(
        [],
        others: .either(
          .constant("skip"), .object([.has("move", .text)], isClosed: true),
          .object([.has("replace", .text)], isClosed: true))
      ).saying("By the local time that the rule itself gives.")),
  ]).saying("A rule as a file of castq schedule apply has it.")

  static let exceptionShape: Schema = .object(
    [
      .has("occurrence", .text), .has("action", .choice("skip", "move", "replace")), .may("to", .text),
      .may("programme", .text),
    ], isClosed: true)

  static let commandShape: Schema = .object([
    .has("verb", .choice(PlaybackVerb.Name.allCases.map(\.rawValue))), .may("entry", .integer),
    .may("quit", .flag), .may("position_s", .number), .may("offset_s", .number), .may("fraction", .number),
    .may("rate", .number), .may("level", .number), .may("change", .number), .may("on", .any),
    .may("off", .flag),
    .may("style", .object), .may("mode", .text), .may("stop", .flag), .may("to", .text),
  ])

  static let enqueueShape: Schema = .object(
    [
      .has("sources", .list(of: .text, atLeast: 1, atMost: 1000)),
      .may("at", .text.or(.integer).orNull.saying("end, next, or a position from 1 on")), .may("play", .flag),
      .may("strict", .flag), .may("recursive", .flag),
    ], isClosed: true)

  private static let files: Schema = .list(of: .name, atLeast: 1, atMost: 1000).saying(
    "Files and folders by their names in the library, in the order in which they play.")

  static let newProgrammeShape: Schema = .object(
    [
      .has("programme", .name), .may("source", .text.saying("A list, a folder or an address.")),
      .may("files", files), .may("shuffle", .flag), .may("filler", .name),
    ], isClosed: true
  ).saying("Either `source` or `files`.")

  static let programmeFilesShape: Schema = .object([.has("files", files)], isClosed: true)

  static let moveShape: Schema = .object(
    [
      .has("entry", .integer(from: 0)), .may("after", .integer(from: 0).orNull),
      .has("version", .integer(from: 0)),
    ], isClosed: true)

  static let announcementShape: Schema = .object(
    [
      .has("source", .text),
      .may(
        "devices",
        .list(of: .name, atLeast: 1).saying(
          "Names of devices, or @GROUP. Without it the default device, as without -d.")),
      .may("at", .choice("now", "next", "wait")), .may("wait_s", .integer), .may("volume", .integer),
      .may("resume", .choice("second", "item", "restart")),
    ], isClosed: true)

  static let previewRequestShape: Schema = .object(
    [
      .may("rule", .of(.ruleChange)), .may("changes", .object), .may("occurrence", .text),
      .may("action", .choice("skip", "move", "replace")), .may("to", .text), .may("programme", .text),
      .may("from", .text.saying("As castq plan --from.")), .may("until", .text.saying("As castq plan --to.")),
      .may("tz", .text), .may("device", .text.saying("The one screen whose plan is compared.")),
    ], isClosed: true
  ).saying("A rule as it is put, changes of some of its members, or the members of an exception.")

  static let restoreShape: Schema = .object(
    [
      .has("version", .integer(from: 0).saying("The list as it was before.")),
      .may("entries", .list(of: .integer(from: 1)).orNull.saying("Null is all that were removed since.")),
    ], isClosed: true)
}
