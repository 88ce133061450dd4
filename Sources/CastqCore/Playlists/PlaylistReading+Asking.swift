import CastProtocol

/// Addresses whose name does not show what they are: their server is asked.
extension PlaylistReading {
  /// Whether the server must be asked what an address is.
  func mustAsk(_ address: WebAddress, item: PlaylistItem?) -> Bool {
    reader.asksServers && askedAddresses < limits.questions && item?.attributes.contentType == nil
      && reader.types.type(path: address.path) == nil
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
    case .failure(let error): assume(awaited, because: error.message)
    }
  }

  private mutating func include(_ asked: AwaitedDocument, _ answer: WebAnswer) {
    switch answer.kind {
    case .media(let type):
      var item = asked.item ?? plainItem(at: asked.place)
      if answer.isEndless { item.attributes.isUnending = true }
      append(
        item, at: .address(asked.address), knownType: type, base: asked.base, place: asked.place)
    case .page:
      report(.warning, .content, at: asked.place, TextError("it is a web page, and is shown as one"))
      append(
        asked.item, at: .address(asked.address), knownType: ContentTypes.page, base: asked.base,
        place: asked.place)
    case .list(let format):
      includeAddress(asked.address, format: format, item: asked.item, base: asked.base, at: asked.place)
    case .unknown:
      assume(asked, because: answer.contentType.map { "the server calls it \($0)" } ?? "nor does its server")
    }
  }

  /// The device may know more than this computer.
  private mutating func assume(_ asked: AwaitedDocument, because reason: String) {
    let assumption = EntryBuilder.assumption(asked.item, because: reason)
    report(.warning, .content, at: asked.place, assumption.error)
    append(
      asked.item, at: .address(asked.address), knownType: assumption.type, base: asked.base,
      place: asked.place)
  }
}
