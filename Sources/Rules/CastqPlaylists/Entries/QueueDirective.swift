import CastqText

/// The keys of `#CASTQ-QUEUE:`, which apply to the whole list.
enum QueueDirective: String, CaseIterable {
  case `repeat`, shuffle, name, fallback

  static let names = allCases.map(\.rawValue)

  /// Sets the attribute of this key.
  func apply(
    _ value: DirectiveValue, line: Int, limits: PlaylistLimits, to document: inout PlaylistDocument
  ) throws(DirectiveError) {
    do throws(TextError) {
      switch self {
      case .repeat:
        document.repeatMode = try EntryDirective.word(
          value.text, of: QueueRepeat.allCases.map { ($0.rawValue, $0) })
      case .shuffle: document.isShuffled = try EntryDirective.flag(value.text)
      case .name: document.name = try EntryDirective.text(value.text, limits)
      case .fallback:
        guard !value.isEmpty else { throw TextError("the fallback list has no name") }
        document.fallback = .named(Located(value.text, line: line, column: value.column))
      }
    } catch {
      throw DirectiveError(value.column, error)
    }
  }
}
