import CastqText

/// The fallback list while it is read.
struct OpenFallback {
  var items: ArraySlice<PlaylistItem>
  /// Where the list names it.
  let place: PlaylistReading.Place
  /// The entries of the list itself.
  let main: [EntryDraft]
  /// Issues before it.
  let issues: Int
}

extension PlaylistReading {
  /// Reads the fallback list. Only the fallback of the outermost list counts; settings of a fallback list, including a fallback
  /// of its own, are ignored.
  mutating func beginFallback(_ fallback: PlaylistDocument.Fallback, of content: Content) {
    let (items, place) =
      switch fallback {
      // A name counts as an entry, because it may be a single file.
      case .named(let name):
        (
          [PlaylistItem(location: name, attributes: EntryAttributes())],
          Place(file: content.shown, line: name.line, column: name.column)
        )
      case .inline(let items, let line, let column):
        (items, Place(file: content.shown, line: line, column: column))
      }
    open[open.count - 1].fallback = OpenFallback(
      items: items[...], place: place, main: playlist.drafts, issues: log.issues.count)
    playlist.drafts = []
  }

  mutating func readNextFallbackItem() {
    guard let list = open.last, let fallback = list.fallback else { return }
    guard let item = fallback.items.first else { return finishFallback(fallback) }
    open[open.count - 1].fallback?.items.removeFirst()
    let place = Place(file: list.content.shown, line: item.location.line, column: item.location.column)
    guard admitCandidate(at: place) else {
      open[open.count - 1].fallback?.items = []
      return
    }
    include(item, of: list.content, at: place)
  }

  private mutating func finishFallback(_ fallback: OpenFallback) {
    if playlist.drafts.isEmpty, log.issues.count == fallback.issues {
      report(
        .warning, .content, at: fallback.place,
        TextError("the fallback list is empty", hint: "nothing will play when the list cannot"))
    }
    playlist.fallback = playlist.drafts
    playlist.drafts = fallback.main
    open.removeLast()
  }
}
