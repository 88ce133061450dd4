import CastProtocol
import CastqFeeding
import CastqSchedule

/// What a document says of a screen by the `kind` and the `cause` of a segment.
enum ShownContent {
  case play(PlayKind)
  /// castq had nothing on the screen; nil where nothing kept it from that.
  case dark(DarkReason?)
  /// castq did not see the screen.
  case unobserved

  /// - Returns: nil where the document says nothing.
  init?(_ segment: JSONValue) {
    guard let kind = segment["kind"]?.string else { return nil }
    if let play = PlayKind(rawValue: kind) {
      self = .play(play)
    } else if kind == "unobserved" {
      self = .unobserved
    } else {
      self = .dark(segment["cause"]?.string.flatMap(DarkReason.init))
    }
  }
}
