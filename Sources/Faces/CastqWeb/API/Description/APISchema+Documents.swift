import CastProtocol
import CastqFeeding

/// What the API answers.
extension APISchema {
  static let problemShape: Schema = .object([
    .has("type", .text), .has("title", .text), .has("status", .integer), .has("detail", .text),
    .has("code", .text), .has("exit", .integer.orNull), .may("receiver", .object.orNull),
    .may("present", .of(.queue)),
  ])

  static let deviceShape: Schema = .object([
    .has("name", .text), .has("alias", .text.orNull), .has("uuid", .text.orNull), .has("model", .text.orNull),
    .has("address", .text), .has("seen", .text), .has("last_seen_at", .text.orNull), .has("default", .flag),
    .has("pinned", .flag), .has("group", .flag), .has("capabilities", .list(of: .text)),
    .has("status", .text.orNull),
    .may("announced_name", .text.orNull), .may("friendly_name", .text.orNull),
    .may("given_address", .text.orNull), .may("pinned_at", .text.orNull), .may("pinned_key", .text.orNull),
    .may("roots", .text.orNull), .may("silent_at", .text.orNull), .may("trust", .text.orNull),
    .may("used", .flag.saying("Whether somebody has chosen it; others were only found on the network.")),
    .may("can_prove", .flag.orNull), .may("gaps", .object.orNull),
  ])

  static let devicesShape: Schema = .object([
    .has("devices", .list(of: .of(.device))), .has("problems", .list(of: .object)),
  ])

  static let statusShape: Schema = .object([
    .has("device", .text), .has("address", .text),
    .has("connection", .choice("connected", "connecting", "offline")), .has("at", .text.orNull),
    .has("application", .object.orNull), .has("player_state", .text.orNull), .has("entry", .integer.orNull),
    .has("item_id", .integer.orNull), .has("title", .text.orNull), .has("subtitle", .text.orNull),
    .has("url", .text.orNull), .has("image", .text.orNull), .has("art", .text.orNull),
    .has("live", .flag.orNull), .has("position_s", .number.orNull), .has("duration_s", .number.orNull),
    .has("rate", .number.orNull),
    .has(
      "speed",
      .number.orNull.saying("How fast the position goes on, in seconds a second; 0 while it stands.")),
    .has("volume", .object.orNull), .has("video", .object.orNull),
    .has("tracks", .list(of: .object)), .has("ad", .object.orNull),
    .may(
      "configured_volume", .integer.orNull.saying("What the configuration sets before something is played.")),
    .may("ad_marks_s", .list(of: .number).orNull.saying("Where ads interrupt it.")), .has("queue", .object),
    .has("waiting_for", .text.orNull),
    .has(
      "reason", .text.orNull.saying("Why castq has nothing on the screen, more exactly than waiting_for.")),
    .has("why", .text.orNull.saying("The same in words, with its moments.")), .has("until", .text.orNull),
    .has("rule", .any),
    .has("kind", .text.orNull), .has("programme", .text.orNull), .has("since", .text.orNull),
    .has("calls", .integer.orNull), .has("daemon_silent_s", .number.orNull),
    .has("media_answers", .flag.orNull), .has("lists", .list(of: .object)),
    .may("volume_control", .text.orNull.saying("How the device sets its level; fixed cannot be set.")),
    .may("need", .object.orNull.saying("What the screen needs of a person: act, and text behind its name.")),
  ])

  static let statusesShape: Schema = .object([.has("devices", .list(of: .of(.status)))])

  static let entryShape: Schema = .object([
    .has("device", .text), .has("entry", .integer), .has("position", .integer),
    .has("state", .choice(EntryState.allCases.map(\.rawValue))), .has("title", .text), .has("url", .text),
    .may("subtitle", .text.orNull), .may("art", .text.orNull.saying("The digest of its picture.")),
    .has("content_type", .text.orNull),
    .has("stream_type", .text), .has("duration_s", .number.orNull), .has("attempts", .integer),
    .has("not_before", .text.orNull), .has("not_after", .text.orNull), .has("source", .text.orNull),
    .has("line", .integer.orNull),
    .has(
      "failure",
      .object([.has("message", .text), .has("at", .text)]).orNull.saying(
        "Why it was given up, and when its last attempt ended; null for an entry that was not.")),
  ])

  static let libraryItemShape: Schema = .object([
    .has("name", .text.saying("Its name in the folders, as `library:NAME` it is a source.")),
    .has("title", .text),
    .has("subtitle", .text.orNull.saying("Artist and album, say.")),
    .has("kind", .choice("film", "music", "picture")),
    .has("ad", .flag.saying("Whether only what shares play was asked for.")),
    .has("duration_s", .number.orNull), .has("art", .text.orNull),
    .has("plays", .text.orNull.saying("On which screens, in words; null where nobody knows.")),
    .has("plays_week", .integer.saying("Plays of the last seven days, as `report/plays` counts them.")),
  ])

  static let libraryShape: Schema = .object([
    .has("configured", .flag.saying("Whether the configuration names a folder.")), .has("kind", .text),
    .has("q", .text), .has("folder", .text), .has("from", .integer), .has("count", .integer),
    .has("total", .integer), .has("items", .list(of: .of(.libraryItem))),
    .has("open", .integer.saying("Files of `items` that nobody has read yet: ask again.")),
    .has("problems", .list(of: .text.saying("A folder that cannot be read, in words."))),
    .has("folders", .list(of: .object([.has("name", .text), .has("title", .text)]))),
  ])

  static let madeProgrammeShape: Schema = .object([
    .has("programme", .text),
    .has("problem", .text.orNull.saying("What is wrong with single entries; null is nothing.")),
  ])

  static let queueShape: Schema = .object([
    .has("device", .text), .has("repeat", .choice("off", "all", "one")), .has("shuffle", .flag),
    .has("version", .integer), .has("total", .integer), .has("from", .integer),
    .has("entries", .list(of: .of(.entry)).orNull.saying("null where the version is that of `since`.")),
  ])

  static let playShape: Schema = .object([
    .may("explanation", .text.orNull.saying("Why it ended as it did, without a receiver's codes.")),
    .has("play", .integer), .has("entry", .integer), .has("device", .text), .has("title", .text),
    .has("url", .text), .has("source", .text.orNull), .has("line", .integer.orNull),
    .has("schedule", .text.orNull), .has("kind", .text.orNull), .has("rule_revision", .integer.orNull),
    .has("occurrence", .text.orNull), .has("planned_at", .text.orNull), .has("started_at", .text.orNull),
    .has("ended_at", .text.orNull), .has("played_s", .number.orNull), .has("duration_s", .number.orNull),
    .has("outcome", .text.orNull), .has("evidence", .text.orNull), .has("reason", .text.orNull),
    .has("gap_before_s", .number.orNull), .has("ad_breaks", .list(of: .object)),
    .has("cause", .text.orNull), .has("caused_by", .text.orNull), .has("attempt", .integer.orNull),
    .has("rate", .number.orNull), .has("receiver", .object.orNull), .has("unobserved_s", .number.orNull),
  ])

  static let historyShape: Schema = .object([.has("plays", .list(of: .of(.play)))])

  static let reportShape: Schema = .object([
    .has("report", .text), .has("by", .text.orNull), .has("since", .text.orNull), .has("until", .text.orNull),
    .has("rows", .list(of: .object)), .may("total", .object),
  ])

  static let segmentShape: Schema = .object([
    .has("device", .text), .has("start", .text), .has("end", .text), .has("programme", .text.orNull),
    .has("rule", .text.orNull), .has("revision", .integer.orNull), .has("occurrence", .text.orNull),
    .has("priority", .integer.orNull),
    .has(
      "kind",
      .choice("rule", "base", "announcement", "share", "dark", "guest", "stopped", "quiet", "unobserved")),
    .has("tied_with", .list(of: .text)), .has("shares", .list(of: .text)), .has("note", .text.orNull),
    .has("cause", .text.orNull), .has("due", .text.orNull), .has("stopped_at", .text.orNull),
  ])

  static let planShape: Schema = .object([
    .has("from", .text), .has("to", .text), .has("tz", .text), .has("zone_data", .text.orNull),
    .has("segments", .list(of: .of(.segment))), .has("issues", .list(of: .object)),
  ])

  static let whyShape: Schema = .object

  static let ruleShape: Schema = .object([
    .has("rule", .text), .has("revision", .integer), .has("programme", .text), .has("device", .text),
    .has("kind", .choice("window", "trigger", "share")), .has("form", .text),
    .has("expression", .text.orNull), .has("for_s", .integer.orNull), .has("tz", .text.orNull),
    .has("priority", .integer), .has("enabled", .flag), .has("exceptions", .list(of: .object)),
    .has("start", .text.orNull), .has("end", .text.orNull), .has("resume", .text.orNull),
    .has("missed", .text.orNull), .has("only_on", .text.orNull), .has("not_on", .text.orNull),
    .has("note", .text.orNull), .has("valid_from", .text.orNull), .has("valid_until", .text.orNull),
    .has("missed_within_s", .number.orNull), .has("min_gap_s", .number.orNull),
    .has("per_hour_s", .number.orNull), .has("wait_s", .number.orNull), .has("volume", .number.orNull),
    .has("max_plays", .integer.orNull), .may("next", .text.orNull), .may("next_at", .text.orNull),
    .may("sentence", .object.orNull.saying("What the rule does, in words.")),
  ])

  static let rulesShape: Schema = .object([.has("rules", .list(of: .of(.rule)))])

  static let acceptedShape: Schema = .object([
    .has("request", .text), .has("device", .text.orNull), .has("verb", .text),
  ])

  static let enqueuedShape: Schema = .object([
    .has("device", .text), .has("added", .list(of: .object)), .has("skipped", .list(of: .object)),
  ])

  static let movedShape: Schema = .object([
    .has("device", .text), .has("entry", .integer), .has("after", .integer.orNull), .has("version", .integer),
    .has("position", .integer.orNull),
  ])

  static let checkShape: Schema = .object([.has("entries", .integer), .has("issues", .list(of: .object))])

  static let previewShape: Schema = .object([
    .has("dry_run", .constant(true)), .has("changes", .list(of: .object)), .has("lines", .list(of: .text)),
    .has("plan", .object),
    .has(
      "plan_lines",
      .list(of: .object([.has("device", .text), .has("change", .choice("+", "-")), .has("text", .text)]))),
    .has("more", .integer), .may("sentence", .object.orNull.saying("What the rule would do, in words.")),
  ])

  static let restoredShape: Schema = .object([
    .has("device", .text), .has("restored", .list(of: .integer)), .has("version", .integer),
  ])

  static let clearedShape: Schema = .object([.has("device", .text), .has("version", .integer)])
}
