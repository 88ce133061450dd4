import CastProtocol
import CastqText

/// One line of a proof.
enum ProofLine {
  case header(ProofHeader, hash: String)
  case play(ProofRow)
  /// A line that says it is a play, and does not fit its hash; `words` is nil for what is no line of a proof at all.
  case broken(claimed: Int64?, words: String?)
  case end(ProofEnd)

  /// The most bytes of a line: a play has a title and an address, which lists limit.
  static let limit = 1 << 20

  /// Reads the bytes of line `number`.
  init(_ bytes: [UInt8], number: Int, hash: (String) -> String?) {
    guard let value = try? JSONValue(parsing: bytes), let members = value.object,
      let text = CanonicalText.of(value), Array(text.utf8) == bytes
    else {
      self = .broken(
        claimed: Self.claimed((try? JSONValue(parsing: bytes)) ?? .null), words: Self.words(bytes))
      return
    }
    switch members["type"]?.string {
    case "header":
      guard let header = ProofHeader(members), let own = hash(text) else { break }
      self = .header(header, hash: own)
      return
    case "play":
      guard let row = ProofRow(members, line: number, hash: hash) else { break }
      self = .play(row)
      return
    case "hidden":
      guard let row = ProofRow(hidden: members, line: number, hash: hash) else { break }
      self = .play(row)
      return
    case "end":
      guard let end = ProofEnd(members) else { break }
      self = .end(end)
      return
    default: break
    }
    self = .broken(claimed: Self.claimed(value), words: Self.words(bytes))
  }

  private static func claimed(_ value: JSONValue) -> Int64? {
    guard ["play", "hidden"].contains(value["type"]?.string), case .integer(let chain)? = value["chain"]
    else { return nil }
    return chain
  }

  private static func words(_ bytes: [UInt8]) -> String? {
    guard let members = (try? JSONValue(parsing: bytes))?.object else { return nil }
    return switch members["type"]?.string {
    case "play": ProofRow.words(members)
    case "hidden": ProofRow.hiddenWords(members)
    case "header": "the header"
    case "end": "the end"
    default: nil
    }
  }
}

/// The first line.
package struct ProofHeader: Sendable, Hashable {
  package let site: String
  /// RFC 3339; nil where the period is open.
  package let since: String?
  package let until: String?
  /// The key that the file says signed it. It proves nothing.
  package let publicKey: String
  /// The place and the hash before the first play.
  let previousChain: Int64
  let previousHash: String

  /// The word for this form of file.
  package static let format = "castq-proof-2"
  /// Those that are read.
  private static let formats: Set<String> = ["castq-proof-1", format]

  init?(_ members: [String: JSONValue]) {
    guard let format = members["format"]?.string, Self.formats.contains(format),
      let site = members["site"]?.string,
      let key = members["public_key"]?.string, case .integer(let chain)? = members["previous_chain"],
      ProofRow.chains.contains(chain), let hash = members["previous_hash"]?.string
    else { return nil }
    self.site = site
    since = members["since"]?.string
    until = members["until"]?.string
    publicKey = key
    previousChain = chain
    previousHash = hash
  }
}

/// A play whose words fit its hash.
struct ProofRow: Sendable, Hashable {
  let line: Int
  let chain: Int64
  let previous: String
  let hash: String
  let isClockSynchronised: Bool?
  let words: String
  /// What it says beyond what a clock can hold; nil is nothing.
  let excess: String?
  var isHidden = false

  /// Numbers that every reader of JSON has.
  static let chains: ClosedRange<Int64> = 0...(1 << 53)

  init?(_ members: [String: JSONValue], line: Int, hash: (String) -> String?) {
    guard case .integer(let chain)? = members["chain"], Self.chains.contains(chain), chain > 0,
      let stated = members["hash"]?.string
    else { return nil }
    var rest = members
    rest["hash"] = nil
    let own =
      switch members["format"] {
      case nil: CanonicalText.of(.object(rest)).flatMap(hash)
      case .integer(2): Self.secondHash(rest, chain: chain, hash)
      default: String?.none
      }
    guard own == stated else { return nil }
    self.line = line
    self.chain = chain
    previous = members["previous"]?.string ?? ""
    self.hash = stated
    isClockSynchronised = members["clock_synchronised"]?.bool
    words = Self.words(members)
    excess = ProofExcess.words(members)
  }

  /// The hash of format 2; nil when address, source and line are there and do not fit their hash.
  private static func secondHash(
    _ members: [String: JSONValue], chain: Int64, _ hash: (String) -> String?
  ) -> String? {
    var content = members
    var place: [String: JSONValue] = [:]
    for name in PlayHash.placeNames { place[name] = content.removeValue(forKey: name) }
    guard place.isEmpty || PlayHash.place(place, hash) == content["place"]?.string else { return nil }
    content["chain"] = nil
    let previous = content.removeValue(forKey: "previous")?.string
    guard let text = CanonicalText.of(.object(content)), let inner = hash(text) else { return nil }
    return PlayHash.chained(inner, chain: chain, previous: previous, hash)
  }

  /// A play that is not shown. Of format 1 its hash alone is there, which what follows and the end confirm.
  init?(hidden members: [String: JSONValue], line: Int, hash: (String) -> String?) {
    guard case .integer(let chain)? = members["chain"], Self.chains.contains(chain), chain > 0,
      let stated = members["hash"]?.string
    else { return nil }
    if let content = members["content"] {
      let own = content.string.flatMap {
        PlayHash.chained($0, chain: chain, previous: members["previous"]?.string, hash)
      }
      guard own == stated else { return nil }
    }
    self.line = line
    self.chain = chain
    previous = members["previous"]?.string ?? ""
    self.hash = stated
    isClockSynchronised = nil
    words = Self.hiddenWords(members)
    excess = nil
    isHidden = true
  }

  static func hiddenWords(_ members: [String: JSONValue]) -> String {
    guard case .integer(let chain)? = members["chain"] else { return "a play that is not shown" }
    return "the play at place \(chain), which is not shown,"
  }

  /// `play 12 "Welcome" on lobby`.
  static func words(_ members: [String: JSONValue]) -> String {
    var words = "a line"
    if case .integer(let play)? = members["play"] { words = "play \(play)" }
    if let title = members["title"]?.string {
      // Rows of earlier versions have the address where the list gave no title.
      let url = members["url"]?.string ?? ""
      words += " \"\(TerminalText.excerpt(title == url ? MediaTitle.shown(nil, url: url) : title))\""
    }
    if let device = members["device"]?.string { words += " on \(TerminalText.excerpt(device))" }
    return words
  }
}

/// The last line.
struct ProofEnd: Sendable, Hashable {
  let lastChain: Int64
  let lastHash: String
  let headerHash: String
  /// `HashOfRows`; nil in files of castq-proof-1.
  let rowsHash: String?
  let signature: String
  /// What the signature is over.
  let text: String

  init?(_ members: [String: JSONValue]) {
    var rest = members
    rest["signature"] = nil
    guard case .integer(let chain)? = members["last_chain"], ProofRow.chains.contains(chain),
      let hash = members["last_hash"]?.string, let header = members["header_hash"]?.string,
      let signature = members["signature"]?.string, let text = CanonicalText.of(.object(rest))
    else { return nil }
    lastChain = chain
    lastHash = hash
    headerHash = header
    rowsHash = members["rows_hash"]?.string
    self.signature = signature
    self.text = text
  }
}
