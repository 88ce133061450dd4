package import CastGuard
import CastProtocol
import CastqText

/// A document of the web that a reading needs.
package struct WebRequest: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The whole of a list, which has that many bytes at most.
    case list(limit: Int)
    /// What the server calls it.
    case type
  }

  package var address: String
  package var kind: Kind
  /// Whose words name it.
  package var origin: FetchOrigin
  /// What the same list probably needs next: it may be fetched meanwhile.
  package var following: [WebRequest] = []
}

/// A document of the web that was requested, and what names it.
struct AwaitedDocument {
  enum Purpose {
    case list(PlaylistFormat)
    case type
  }

  var address: WebAddress
  var purpose: Purpose
  var item: PlaylistItem?
  var base: PlaylistBase
  var place: PlaylistReading.Place
}

/// Lists of the web, each of which is fetched and read once.
extension PlaylistReading {
  /// How many of the next documents are named in advance.
  private static let lookahead = 3

  mutating func includeAddress(
    _ address: WebAddress, format: PlaylistFormat, item: PlaylistItem?, base: PlaylistBase, at place: Place
  ) {
    guard mayRead(key: address.text, shown: address.text, format: format, at: place),
      admitFetch(at: place)
    else { return }
    awaited = AwaitedDocument(
      address: address, purpose: .list(format), item: item, base: base, place: place)
  }

  /// Brings the list that `next()` asked for.
  package mutating func supply(_ fetched: Result<FetchedPlaylist, PlaylistLoadError>) {
    guard let list = awaited, case .list(let format) = list.purpose else { return }
    awaited = nil
    do throws(PlaylistLoadError) {
      try include(list, format, fetched.get())
    } catch PlaylistLoadError.failed(let reason) where format == .m3u8 {
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

  private mutating func include(
    _ list: AwaitedDocument, _ named: PlaylistFormat, _ fetched: FetchedPlaylist
  ) throws(PlaylistLoadError) {
    let location = MediaLocation.address(list.address)
    let format: PlaylistFormat
    switch fetched.kind(named: named) {
    case .media(let type):
      return append(list.item, at: location, knownType: type, base: list.base, place: list.place)
    case .page: throw .failed("it is a web page, not a playlist")
    case .otherList(let name): throw .failed("it is a list of a kind that is not read: \(name)")
    case .list(let found): format = found
    case .unknown: format = named
    }
    let final = (try? WebAddress(fetched.address)) ?? list.address
    // Its words are those of the host that sent it, which entries remember by this name.
    let shown = final.host == list.address.host ? list.address.text : final.text
    let content = Content(
      bytes: fetched.bytes, format: format, shown: shown, base: .address(final),
      origin: .network(host: final.host, address: fetched.peer), declaredSet: fetched.declaredSet)
    if include(content, key: list.address.text, item: list.item, at: list.place) == .isMedia {
      append(
        list.item, at: location, knownType: ContentTypes.hls, base: list.base, place: list.place)
    }
  }

  /// Documents that will be needed after the awaited one if nothing intervenes.
  var followingRequests: [WebRequest] {
    guard let list = open.last else { return [] }
    let base = list.content.base
    let isOnWeb = if case .address = base { true } else { false }
    let requests = list.items.prefix(100).lazy.compactMap { item -> WebRequest? in
      guard item.attributes.contentType == nil, isOnWeb || item.location.value.contains("://"),
        case .media(.address(let address))? = try? resolver.resolve(item.location.value, base: base)
      else { return nil }
      guard let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: address.path)) else {
        return mustAsk(address, item: item)
          ? WebRequest(address: address.text, kind: .type, origin: origin) : nil
      }
      return format == .m3u8
        ? nil
        : WebRequest(address: address.text, kind: .list(limit: limits.fileBytes), origin: origin)
    }
    return Array(requests.prefix(min(Self.lookahead, limits.fetches - fetches)))
  }
}
