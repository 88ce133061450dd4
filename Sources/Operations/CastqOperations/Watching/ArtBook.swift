package import CastGuard
import CastHTTP
import CastSender
package import CastqDaemon
package import CastqFeeding
package import CastqPlaylists
package import CastqText
import Synchronization

/// The artwork that documents have named: only that is fetched, by its digest, and what is no picture is not passed on.
package final class ArtBook: Sendable {
  package typealias Picture = (type: String, bytes: [UInt8])

  /// An address, and whose words it is; several may say the same.
  private struct Named {
    let address: String
    var origins: [FetchOrigin]
  }

  private struct State {
    var addresses: [String: Named] = [:]
    var order: [String] = []
    var pictures: [String: Picture] = [:]
    var kept: [String] = []
    var bytes = 0
  }

  private let state = Mutex(State())
  private let client = HTTPClient()
  private let scaler: PictureScaler?
  private let files: FileArt?
  /// Places that may be asked for a picture whoever names it.
  private let allowed: @Sendable (_ address: String) async -> LocalPlaces
  private let turns = Slots(2)
  /// Bytes of a picture on this computer: as much as a camera makes.
  private static let largestFile = 24 << 20
  /// Addresses that are remembered, bytes of one picture, and bytes of all that are kept.
  private static let (most, largest, budget) = (4096, 4 << 20, 32 << 20)
  /// Speakers of one address that are remembered.
  private static let mostOrigins = 8

  private static let widths = [160, 320, 640, 960, 1280, 2048]

  /// - Parameters:
  ///   - scaler: nil passes pictures on as they are.
  ///   - files: the pictures in films and music of this computer; nil knows none.
  ///   - allowed: places that may be asked for a picture whoever names it.
  package init(
    _ scaler: PictureScaler? = nil, _ files: FileArt? = nil,
    allowing allowed: @escaping @Sendable (_ address: String) async -> LocalPlaces
  ) {
    self.scaler = scaler
    self.files = files
    self.allowed = allowed
  }

  /// Remembers the picture of an entry.
  package func keep(_ entry: QueueEntry, _ resolvers: ResolverRules) {
    let image = entry.draft.media.metadata.flatMap {
      FirstImagePicker().image(from: $0, hints: ImageHints(kind: .miniController))
    }
    guard let address = image?.url ?? entry.draft.media.pictureAddress else { return }
    keep(address, named: entry.draft.pictureOrigin(resolvers))
  }

  /// Remembers an address that a document names.
  /// - Parameter origin: whose words it is.
  package func keep(_ address: String, named origin: FetchOrigin) {
    let digest = WebArt.digest(of: address)
    state.withLock { state in
      if var known = state.addresses[digest] {
        guard !known.origins.contains(origin) else { return }
        known.origins = Array((known.origins + [origin]).suffix(Self.mostOrigins))
        state.addresses[digest] = known
        return
      }
      state.addresses[digest] = Named(address: address, origins: [origin])
      state.order.append(digest)
      if state.order.count > Self.most { state.addresses[state.order.removeFirst()] = nil }
    }
  }

  /// A picture.
  /// - Parameter width: pixels that are shown; a wider picture is made smaller where `ffmpeg` is installed. Nil leaves it as it is.
  /// - Throws: `art_unknown` when no document named it, or it is none.
  package func picture(_ digest: String, width: Int? = nil) async throws(Failure) -> Picture {
    let whole = try await whole(digest)
    guard let width, let scaler else { return whole }
    // Few widths, so that few are kept.
    let wanted = Self.widths.first { $0 >= width } ?? width
    let key = "\(digest) \(wanted)"
    if let kept = kept(key) { return kept }
    await turns.enter()
    let made = await scaler.scaled(whole.bytes, width: wanted)
    turns.leave()
    guard let made, let type = Self.type(of: made) else { return whole }
    keep((type, made), as: key)
    return (type, made)
  }

  private func whole(_ digest: String) async throws(Failure) -> Picture {
    if let kept = kept(digest) { return kept }
    guard let named = state.withLock({ $0.addresses[digest] }) else { throw Self.unknown }
    let body: [UInt8]
    if FilePath.isURL(named.address) {
      body = try await read(named)
    } else {
      guard named.address.hasPrefix("http") else { throw Self.unknown }
      body = try await fetched(named)
    }
    guard let type = Self.type(of: body) else { throw Self.unknown }
    keep((type, body), as: digest)
    return (type, body)
  }

  /// A file of this computer, which only its owner's own words may name.
  private func read(_ named: Named) async throws(Failure) -> [UInt8] {
    guard named.origins.contains(.owner), let path = try? FilePath.path(url: named.address) else {
      throw Self.unknown
    }
    let isMedia = ContentTypes.standard.fileType(path: path)?.hasPrefix("image/") == false
    let body =
      isMedia ? await files?.picture(of: path) : LocalPicture.bytes(of: path, limit: Self.largestFile)
    guard let body else { throw Self.unknown }
    return body
  }

  /// By the words of whoever may have it asked.
  private func fetched(_ named: Named) async throws(Failure) -> [UInt8] {
    let places = await allowed(named.address)
    var refusal: HTTPFetchError?
    for origin in named.origins {
      let rule = FetchGuard(origin, allowing: places)
      var fetch = HTTPFetch(named.address, under: rule, byteLimit: Self.largest)
      fetch.accept = "image/*"
      do throws(HTTPFetchError) { return try await client.fetch(fetch).body } catch {
        guard error.kind == .refused else { throw Self.unknown }
        refusal = error
      }
    }
    throw refusal.map {
      Failure("art_unknown", "the picture is not asked for: \($0.reason)", exit: .badData)
    }
      ?? Self.unknown
  }

  private func kept(_ key: String) -> Picture? { state.withLock { $0.pictures[key] } }

  private func keep(_ picture: Picture, as key: String) {
    state.withLock { state in
      guard state.pictures.updateValue(picture, forKey: key) == nil else { return }
      state.kept.append(key)
      state.bytes += picture.bytes.count
      while state.bytes > Self.budget, !state.kept.isEmpty {
        state.bytes -= state.pictures.removeValue(forKey: state.kept.removeFirst())?.bytes.count ?? 0
      }
    }
  }

  private static let unknown = Failure("art_unknown", "there is no such picture", exit: .badData)

  /// By its first bytes, whatever the server says of it; nil for anything but a picture. SVG is left out: it may have a script.
  static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    return nil
  }
}
