/// The keys of `#CASTQ-QUEUE:`, which speak of the whole list.
enum QueueDirective: String, CaseIterable {
  case `repeat`, shuffle, name

  static let names = allCases.map(\.rawValue)

  /// Puts the value where it belongs.
  func apply(_ value: DirectiveValue, limits: PlaylistLimits, to document: inout PlaylistDocument)
    throws(DirectiveError)
  {
    do {
      switch self {
      case .repeat:
        document.repeatMode = try EntryDirective.word(
          value.text, of: QueueRepeat.allCases.map { ($0.rawValue, $0) })
      case .shuffle: document.isShuffled = try EntryDirective.flag(value.text)
      case .name: document.name = try EntryDirective.text(value.text, limits)
      }
    } catch {
      throw DirectiveError(value.column, error)
    }
  }
}
