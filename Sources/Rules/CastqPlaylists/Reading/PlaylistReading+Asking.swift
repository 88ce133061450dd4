import CastProtocol
import CastqText

/// About which addresses a server is asked what they are.
package enum ServerAsking: Sendable {
  case nobody
  /// The sources of a command, which somebody has named, and not those in lists.
  case aboutSources
  case aboutAll
}

/// Addresses whose name does not show what they are, or may be wrong: their server is asked.
extension PlaylistReading {
  /// Whether the server must be asked what an address is: one whose name shows nothing, or is that of a page, as which programs send
  /// anything, and a source, whatever it is called. The names of media in a list are believed: asking thousands of servers would take hours.
  func mustAsk(_ address: WebAddress, item: PlaylistItem?) -> Bool {
    let isMeant =
      switch reader.asking {
      case .nobody: false
      case .aboutSources: item == nil
      case .aboutAll: true
      }
    let named = reader.types.type(path: address.path)
    return isMeant && askedAddresses < limits.questions && item?.attributes.contentType == nil
      && (item == nil || named == nil || named == ContentTypes.page)
  }

  /// Says once in a list that its pages may be something else, where they are not asked for and will be when the list is played.
  mutating func notePage(_ address: WebAddress, at place: Place) {
    guard reader.asking == .aboutSources, let last = open.indices.last, !open[last].saidPages,
      reader.types.type(path: address.path) == ContentTypes.page
    else { return }
    open[last].saidPages = true
    let words = "what is called a web page is asked for when the list is enqueued"
    report(.note, .content, at: place, TextError(words, hint: "check does so with --online"))
  }

  mutating func ask(_ address: WebAddress, item: PlaylistItem?, base: PlaylistBase, at place: Place) {
    askedAddresses += 1
    awaited = AwaitedDocument(address: address, purpose: .type, item: item, base: base, place: place)
  }

  /// Brings the answer that `next()` asked for.
  package mutating func supply(answer: Result<WebAnswer, PlaylistLoadError>) {
    guard let awaited else { return }
    self.awaited = nil
    switch answer {
    case .success(let answer): include(awaited, answer)
    case .failure(let error):
      guard type(namedBy: awaited) == nil else { return append(awaited) }
      assume(awaited, because: error.message)
    }
  }

  /// The type that the name shows; nil when it shows none.
  private func type(namedBy asked: AwaitedDocument) -> String? {
    reader.types.type(path: asked.address.path)
  }

  private mutating func append(_ asked: AwaitedDocument, knownType: String? = nil) {
    append(
      asked.item, at: .address(asked.address), knownType: knownType, base: asked.base, place: asked.place)
  }

  private mutating func include(_ asked: AwaitedDocument, _ answer: WebAnswer) {
    let named = type(namedBy: asked)
    switch named.map(answer.kind(called:)) ?? answer.kind {
    case .media(let type):
      var asked = asked
      // Manifests have no length where a program writes them; they say themselves whether they end.
      if named == nil, answer.isEndless, !ContentTypes.isInPieces(type) {
        asked.item = asked.item ?? plainItem(at: asked.place)
        asked.item?.attributes.isUnending = true
      }
      if named != nil, answer.kind == .page {
        let words = "its server sends a web page; it is played as \(type)"
        report(.warning, .content, at: asked.place, TextError(words, hint: "check the address"))
      }
      append(asked, knownType: type)
    case .page:
      if named == nil {
        report(.warning, .content, at: asked.place, TextError("it is a web page, and is shown as one"))
      }
      append(asked, knownType: ContentTypes.page)
    case .list(let format):
      includeAddress(asked.address, format: format, item: asked.item, base: asked.base, at: asked.place)
    case .otherList(let name):
      report(.error, .content, at: asked.place, Self.unread(name))
    case .unknown:
      assume(asked, because: answer.contentType.map { "the server calls it \($0)" } ?? "nor does its server")
    }
  }

  static func unread(_ name: String) -> TextError {
    TextError(
      "it is a list of a kind that is not read: \(name)",
      hint: "castq reads M3U, PLS, XSPF, JSPF and its own YAML and JSON; convert it to one of them")
  }

  /// The device may know more than this computer.
  private mutating func assume(_ asked: AwaitedDocument, because reason: String) {
    let assumption = EntryBuilder.assumption(asked.item, because: reason)
    report(.warning, .content, at: asked.place, assumption.error)
    append(asked, knownType: assumption.type)
  }
}
