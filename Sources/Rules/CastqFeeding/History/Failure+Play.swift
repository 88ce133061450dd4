package import CastqPlaylists
package import CastqText

extension Failure {
  /// An entry that could not be played, with the receiver's words.
  package init(_ play: EndedPlay, title: String, entry: EntryID) {
    let words = play.reason?.words ?? "no reason given"
    self.init(
      "load_failed", "\(title) (entry \(entry.rawValue)) could not be played: \(words)", exit: .refused,
      receiver: play.reason?.receiver)
  }
}
