import CastProtocol

/// A list of the web that a reading needs.
package struct WebListRequest: Sendable, Hashable {
  package var address: String
  /// Most bytes.
  package var limit: Int
  /// Addresses that the same list names next and that look like lists: whoever fetches may begin with them.
  package var following: [String]
}

/// A list of the web that was asked for, and what names it.
struct AwaitedList {
  var address: WebAddress
  var format: PlaylistFormat
  var item: PlaylistItem?
  var base: PlaylistBase
  var place: PlaylistReading.Place
}

/// Lists of the web, each of which is fetched and read once.
extension PlaylistReading {
  /// How many of the next addresses are named in advance.
  private static let lookahead = 3

  mutating func includeAddress(
    _ address: WebAddress, format: PlaylistFormat, item: PlaylistItem?, base: PlaylistBase, at place: Place
  ) {
    guard mayRead(key: address.text, shown: address.text, format: format, at: place),
      admitFetch(at: place)
    else { return }
    awaited = AwaitedList(address: address, format: format, item: item, base: base, place: place)
  }

  /// Brings the list that `next()` asked for.
  package mutating func supply(_ fetched: Result<FetchedPlaylist, PlaylistLoadError>) {
    guard let list = awaited else { return }
    awaited = nil
    do {
      try include(list, fetched.get())
    } catch PlaylistLoadError.failed(let reason) where list.format == .m3u8 {
      // The device may reach the address; such a name is a stream far more often than a list.
      report(
        .warning, .unreadable, at: list.place,
        TextError("cannot be read, so an HLS stream is assumed: \(reason)"))
      append(
        list.item, at: .address(list.address), knownType: ContentTypes.hls, base: list.base, place: list.place
      )
    } catch {
      report(
        .error, .unreadable, at: list.place,
        TextError("cannot fetch \(TerminalText.excerpt(list.address.text, limit: 200)): \(error.message)"))
    }
  }

  private mutating func include(_ list: AwaitedList, _ fetched: FetchedPlaylist) {
    let location = MediaLocation.address(list.address)
    if let type = fetched.mediaType {
      return append(list.item, at: location, knownType: type, base: list.base, place: list.place)
    }
    let final = (try? WebAddress(fetched.address)) ?? list.address
    let content = Content(
      bytes: fetched.bytes, format: list.format, shown: list.address.text, base: .address(final))
    if include(content, key: list.address.text, item: list.item, at: list.place) == .isMedia {
      append(
        list.item, at: location, knownType: ContentTypes.hls, base: list.base, place: list.place)
    }
  }

  /// Addresses after the awaited one that will be needed if nothing intervenes.
  var followingLists: [String] {
    guard let list = open.last else { return [] }
    let base = list.content.base
    let isOnWeb = if case .address = base { true } else { false }
    let addresses = list.items.prefix(100).lazy.compactMap { [resolver] item -> String? in
      guard item.attributes.contentType == nil, isOnWeb || item.location.value.contains("://"),
        case .media(.address(let address))? = try? resolver.resolve(item.location.value, base: base),
        let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: address.path)),
        format != .m3u8
      else { return nil }
      return address.text
    }
    return Array(addresses.prefix(min(Self.lookahead, limits.fetches - fetches)))
  }
}
