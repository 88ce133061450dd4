extension PlaylistReading {
  /// Reads the fallback list. Only the fallback of the outermost list counts; settings of a fallback list, including a fallback
  /// of its own, are ignored.
  mutating func readFallback(_ fallback: PlaylistDocument.Fallback, of content: Content) {
    let main = playlist.drafts
    let known = log.issues.count
    playlist.drafts = []
    let named: Place
    switch fallback {
    case .named(let name):
      named = Place(file: content.shown, line: name.line, column: name.column)
      // A name counts as an entry, because it may be a single file.
      if admitCandidate(at: named) {
        include(PlaylistItem(location: name, attributes: EntryAttributes()), of: content, at: named)
      }
    case .inline(let items, let line, let column):
      named = Place(file: content.shown, line: line, column: column)
      for item in items {
        let place = Place(file: content.shown, line: item.location.line, column: item.location.column)
        guard admitCandidate(at: place) else { break }
        include(item, of: content, at: place)
      }
    }
    if playlist.drafts.isEmpty, log.issues.count == known {
      report(
        .warning, .content, at: named,
        TextError("the fallback list is empty", hint: "nothing will play when the list cannot"))
    }
    playlist.fallback = playlist.drafts
    playlist.drafts = main
  }
}
