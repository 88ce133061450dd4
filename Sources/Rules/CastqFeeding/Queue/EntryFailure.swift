package import CastqText

/// Why an entry was given up.
package struct EntryFailure: Sendable, Hashable {
  /// What was found out, in one line: what the server of the media answers, else what the receiver said.
  package var words: String
  /// When its last attempt ended.
  package var at: WallTime

  /// Nil for a play that has not ended.
  package init?(_ play: PlayRecord) {
    guard let end = play.endedAt else { return nil }
    // What the receiver says are codes; what castq found out about them is a sentence.
    words = play.reason?.note.map(Self.sentence) ?? play.reasonWords ?? "the receiver could not play it"
    at = end
  }

  private static func sentence(_ note: String) -> String {
    let beginning = "asked from here, "
    return note.hasPrefix(beginning) ? String(note.dropFirst(beginning.count)) : note
  }
}
