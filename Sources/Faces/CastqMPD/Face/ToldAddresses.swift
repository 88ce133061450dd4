import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText

/// Addresses that clients know without their secrets, by what they were told.
struct ToldAddresses: Sendable {
  /// Addresses that are kept; beyond it none is.
  private static let most = 20_000

  /// Which version of a queue it is about; nil before it was read.
  var version: Int?
  private var wholes: [String: Set<String>] = [:]
  private var count = 0

  /// Keeps an address that is told without its secrets.
  mutating func keep(_ address: String) {
    let told = SongText.shown(address)
    guard told != address, wholes[told]?.contains(address) != true else { return }
    if count >= Self.most { (wholes, count) = ([:], 0) }
    wholes[told, default: []].insert(address)
    count += 1
  }

  /// The addresses that may be meant.
  subscript(told: String) -> Set<String> { wholes[told] ?? [] }
}

extension MPDFace {
  /// The address that a client means by what it was told. A name without secrets is its own.
  /// - Throws: `missing` when nothing was told so; `argument` when several songs were.
  func whole(_ name: String, _ board: Board, _ partition: String) async throws(MPDFailure) -> String {
    guard name.contains("://"), name.contains("…"), SongText.shown(name) == name else { return name }
    if let shown = board.parts.url, SongText.shown(shown) == name { return shown }
    var found = try await addresses(of: partition, board)[name]
    if found.isEmpty { found = listed[name] }
    guard let whole = found.first else { throw .noSong }
    guard found.count == 1 else {
      throw MPDFailure(
        .argument, "several songs have the address \(name), which differs in what is hidden of it: use the id"
      )
    }
    return whole
  }

  /// The addresses of a queue, read once for each of its versions.
  private func addresses(of partition: String, _ board: Board) async throws(MPDFailure) -> ToldAddresses {
    guard board.addresses.version != board.log.version else { return board.addresses }
    var addresses = ToldAddresses()
    addresses.version = board.log.version
    do throws(Failure) {
      var rest = board.log.songs[...]
      while !rest.isEmpty {
        let page = rest.prefix(Self.page)
        rest = rest.dropFirst(page.count)
        for entry in try await source.entries(Array(page), of: partition, nil) {
          addresses.keep(entry.draft.media.url)
        }
      }
    } catch {
      throw MPDFailure(error)
    }
    boards[partition]?.addresses = addresses
    return addresses
  }
}
