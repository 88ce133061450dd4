extension PlaylistReading {
  /// Reads what is to be shown while nothing of the list can be. The outermost list decides, as it does of repeating; what a
  /// fallback list says of itself, a fallback list of its own among it, means nothing.
  mutating func take(_ fallback: PlaylistDocument.Fallback, of content: Content) {
    let main = playlist.drafts
    let known = log.issues.count
    playlist.drafts = []
    let named: Place
    switch fallback {
    case .named(let name):
      named = Place(file: content.shown, line: name.line, column: name.column)
      // A name counts like an entry: it may be a single file.
      if mayTakeCandidate(at: named) {
        include(PlaylistItem(location: name, attributes: EntryAttributes()), of: content, at: named)
      }
    case .inline(let items, let line, let column):
      named = Place(file: content.shown, line: line, column: column)
      for item in items {
        let place = Place(file: content.shown, line: item.location.line, column: item.location.column)
        guard mayTakeCandidate(at: place) else { break }
        include(item, of: content, at: place)
      }
    }
    if playlist.drafts.isEmpty, log.issues.count == known {
      report(
        .warning, .content, at: named,
        TextError("the fallback list is empty", hint: "nothing will be shown when the list cannot be"))
    }
    playlist.fallback = playlist.drafts
    playlist.drafts = main
  }
}
