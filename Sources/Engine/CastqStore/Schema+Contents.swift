/// What tables hold, in words for people.
extension Schema {
  /// What is in a table. Names of other tables are those of a file that castq has not made.
  static func contents(of table: String) -> String {
    switch table {
    case "queue", "queue_entry": "the queues"
    case "media_item", "media_metadata", "media_image", "media_track", "ad_break", "ad_break_clip":
      "the media of queues"
    case "play", "ad_break_play": "the history"
    case "device", "proved_place": "the known devices"
    case "programme", "device_group", "group_member", "calendar", "calendar_day", "daypart",
      "daypart_exception", "rule", "rule_exception", "rule_history", "named_history", "zone_history",
      "credit", "decision":
      "the schedule"
    case "outage": "the outages of devices"
    case "media_probe": "what is known of local files"
    case "link", "outbox": "what goes to the centre"
    case "hook_delivery": "the calls of hooks"
    case "list_problem": "the problems of lists"
    case "pending_batch": "what was made up for"
    default: "a table"
    }
  }

  /// Whether a text of a damaged file may be the name of a table of castq.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
      }
  }
}
