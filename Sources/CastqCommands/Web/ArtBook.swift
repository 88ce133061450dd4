import CastHTTP
import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqDocuments
import Synchronization

/// The artwork that documents have named: only that is fetched, by its digest, and what is no picture is not passed on.
final class ArtBook: Sendable {
  typealias Picture = (type: String, bytes: [UInt8])

  private struct State {
    var addresses: [String: String] = [:]
    var order: [String] = []
    var pictures: [String: Picture] = [:]
    var kept: [String] = []
    var bytes = 0
  }

  private let state = Mutex(State())
  private let client = HTTPClient()
  private let scaler: PictureScaler?
  private let turns = Slots(2)
  /// Addresses that are remembered, bytes of one picture, and bytes of all that are kept.
  private static let (most, largest, budget) = (4096, 4 << 20, 32 << 20)

  private static let widths = [160, 320, 640, 960, 1280, 2048]

  /// - Parameter scaler: nil passes pictures on as they are.
  init(_ scaler: PictureScaler? = nil) { self.scaler = scaler }

  /// Remembers the picture of an entry.
  func keep(_ entry: QueueEntry) {
    guard let metadata = entry.draft.media.metadata,
      let image = FirstImagePicker().image(from: metadata, hints: ImageHints(kind: .miniController))
    else { return }
    keep(image.url)
  }

  /// Remembers an address that a document names.
  func keep(_ address: String) {
    let digest = WebArt.digest(of: address)
    state.withLock { state in
      guard state.addresses.updateValue(address, forKey: digest) == nil else { return }
      state.order.append(digest)
      if state.order.count > Self.most { state.addresses[state.order.removeFirst()] = nil }
    }
  }

  /// A picture.
  /// - Parameter width: pixels that are shown; a wider picture is made smaller where `ffmpeg` is installed. Nil leaves it as it is.
  /// - Throws: `art_unknown` when no document named it, or it is none.
  func picture(_ digest: String, width: Int? = nil) async throws(ControlFailure) -> Picture {
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

  private func whole(_ digest: String) async throws(ControlFailure) -> Picture {
    if let kept = kept(digest) { return kept }
    guard let address = state.withLock({ $0.addresses[digest] }), address.hasPrefix("http") else {
      throw Self.unknown
    }
    var fetch = HTTPFetch(address, byteLimit: Self.largest)
    fetch.accept = "image/*"
    guard let fetched = try? await client.fetch(fetch), let type = Self.type(of: fetched.body) else {
      throw Self.unknown
    }
    keep((type, fetched.body), as: digest)
    return (type, fetched.body)
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

  private static let unknown = ControlFailure("art_unknown", "there is no such picture", exit: .badData)

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

extension WebDesk {
  /// - Parameter width: pixels that the page shows.
  func picture(_ digest: String, width: Int? = nil) async throws(ControlFailure) -> WebDocument {
    for address in await board.artwork() { art.keep(address) }
    var answer = WebDocument([:])
    answer.bytes = try await art.picture(digest, width: width)
    return answer
  }
}
