package import CastProtocol
package import CastqPlaylists

/// A list that the configuration gives a device to play whenever no rule wins, as the queue has it: which entries are the list's own, and
/// which of the queue's settings come from it.
///
/// A person's settings stay: the queue gets those of the list when it is taken up, and each one again when the list has another value.
package struct ConfiguredList: Sendable, Hashable {
  /// As the configuration has it.
  package let source: String
  /// What the list wanted when the queue got it last; without words of its own a list plays for ever, in its order.
  package let repeatMode: QueueRepeat
  package let isShuffled: Bool
  /// The files and addresses in which its entries stand.
  package let files: Set<String>

  package init(source: String, repeatMode: QueueRepeat, isShuffled: Bool, files: Set<String>) {
    self.source = source
    self.repeatMode = repeatMode
    self.isShuffled = isShuffled
    self.files = files
  }

  /// The list as it was read from a source.
  package init(_ playlist: Playlist, from source: String) {
    self.init(
      source: source, repeatMode: playlist.repeatMode ?? .all, isShuffled: playlist.isShuffled ?? false,
      files: Set(playlist.drafts.compactMap { $0.source?.file }))
  }

  /// What `json` has written; nil for anything else.
  package init?(json: JSONValue) {
    guard let source = json["source"]?.string,
      let repeatMode = json["repeat"]?.string.flatMap(QueueRepeat.init),
      let isShuffled = json["shuffle"]?.bool, let files = json["files"]?.array
    else { return nil }
    self.init(
      source: source, repeatMode: repeatMode, isShuffled: isShuffled, files: Set(files.compactMap(\.string)))
  }

  package var json: JSONValue {
    [
      "source": .string(source), "repeat": .string(repeatMode.rawValue), "shuffle": .bool(isShuffled),
      "files": .array(files.sorted().map { .string($0) }),
    ]
  }

  /// Whether an entry is the list's own, by the place where it stands. What people put in is not.
  package func owns(_ place: SourceLocation?) -> Bool { place.map { files.contains($0.file) } ?? false }

  /// What the queue gets of this list; nil leaves a setting as it is.
  /// - Parameter known: the list whose settings the queue has got; nil when it had none.
  package func settings(after known: ConfiguredList?) -> (repeatMode: QueueRepeat?, isShuffled: Bool?) {
    guard let known, known.source == source else { return (repeatMode, isShuffled) }
    return (
      known.repeatMode == repeatMode ? nil : repeatMode, known.isShuffled == isShuffled ? nil : isShuffled
    )
  }

  /// What the queue gets when the list has left the configuration: what the list set, and nobody has changed, goes with it.
  package func settings(leaving present: QueueSettings) -> (repeatMode: QueueRepeat?, isShuffled: Bool?) {
    (present.repeatMode == repeatMode ? .off : nil, present.isShuffled == isShuffled ? false : nil)
  }
}
