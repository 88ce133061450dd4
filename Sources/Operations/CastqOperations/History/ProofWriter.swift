package import CastProtocol
package import CastqDaemon
import CastqFeeding
package import CastqStore
package import CastqText
import Glibc

/// Writes a proof of play: a header, a line for each play, and the end with the signature.
package struct ProofWriter {
  package let key: SiteKey
  package let site: String
  package let since: WallTime?
  package let until: WallTime?
  package var selection = ProofStore.Selection()
  /// What was asked for, by the names of the options.
  package var asked: [String: JSONValue] = [:]
  /// Whether addresses, sources and lines are in the file.
  package var showsPlaces = false

  package init(key: SiteKey, site: String, since: WallTime?, until: WallTime?) {
    self.key = key
    self.site = site
    self.since = since
    self.until = until
  }

  /// What was written.
  package struct Summary {
    var plays = 0
    package var unsealed = 0
    /// Plays with their words.
    package var shown = 0
    /// Plays of format 1 that were asked for, and cannot be shown without their addresses.
    package var withheld = 0
    /// Plays whose row no longer fits its hash, in words.
    var altered: [String] = []

    /// That the database was changed; nil when every row fits its hash.
    package var failure: Failure? {
      guard !altered.isEmpty else { return nil }
      let first = altered.prefix(10).joined(separator: ", ")
      let more = altered.count > 10 ? " and \(altered.count - 10) more" : ""
      return Failure(
        "altered",
        "the database was changed: \(first)\(more) \(altered.count == 1 ? "does" : "do") not fit the recorded hash",
        exit: .badData)
    }
  }

  /// - Parameter path: nil is standard output.
  package func write(_ store: ProofStore, to path: String?) throws -> Summary {
    var file = try LineFile(path)
    let summary = try write(store) { (line) throws(Failure) in try file.write(line) }
    try file.close()
    return summary
  }

  /// The lines of a proof, for whoever keeps them elsewhere.
  /// - Parameter limit: the most bytes.
  package func bytes(_ store: ProofStore, limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let summary = try write(store) { (line) throws(Failure) in
      guard bytes.count + line.utf8.count < limit else {
        throw Failure(
          "too_large", "the proof is longer than \(limit >> 20) MiB; choose a shorter time", exit: .badData)
      }
      bytes += Array(line.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    if let failure = summary.failure { throw failure }
    return bytes
  }

  /// Shows the plays of these devices alone.
  package mutating func select(_ devices: [KnownDevice]) {
    selection.devices = devices.map(\.id)
    asked["devices"] = .array(devices.map { .string($0.label) })
  }

  private func write(_ store: ProofStore, _ receive: (String) throws(Failure) -> Void) throws -> Summary {
    var summary = Summary()
    var headerHash = ""
    var last = (chain: Int64(0), hash: PlayWords.firstHash)
    var rows = HashOfRows()
    let sha = ProofChecks.openSSL.hash
    let publicKey = try publicKey()
    var problem: Failure?
    func put(_ members: [String: JSONValue]) -> String? {
      guard problem == nil, let text = CanonicalText.of(.object(members)) else { return nil }
      do throws(Failure) { try receive(text) } catch { problem = error }
      return problem == nil ? text : nil
    }
    do throws(StoreError) {
      try store.read(since: since, until: until, selection) { part in
        switch part {
        case .extent(let extent):
          summary.unsealed = extent.unsealed
          last = (extent.previousChain, extent.previousHash)
          guard let text = put(header(extent, publicKey)), let hash = ProofChecks.openSSL.hash(text) else {
            return false
          }
          headerHash = hash
        case .play(let words, let hash, let isMeant):
          if words.hash(sha) != hash { summary.altered.append("play \(words.play)") }
          let isShown = isMeant && (showsPlaces || words.format > 1)
          let members =
            isShown
            ? words.members(hash: hash, showsPlace: showsPlaces, sha) : words.hiddenMembers(hash: hash, sha)
          guard let members, put(members) != nil else { return false }
          last = (words.chain, hash)
          rows.add(hash, sha)
          summary.plays += 1
          if isShown { summary.shown += 1 } else if isMeant { summary.withheld += 1 }
        }
        return true
      }
    } catch {
      throw Failure(error)
    }
    var end = end(plays: summary.plays, last: last, headerHash: headerHash)
    end["shown"] = .integer(Int64(summary.shown))
    end["rows_hash"] = .string(rows.value)
    guard problem == nil, !headerHash.isEmpty, let text = CanonicalText.of(.object(end)) else {
      throw problem ?? Failure("bug", "the proof cannot be hashed", exit: .bug)
    }
    var signed = end
    do throws(SiteKeyError) { signed["signature"] = .string(try key.signature(over: text)) } catch {
      throw Failure(error)
    }
    _ = put(signed)
    if let problem { throw problem }
    return summary
  }

  private func publicKey() throws(Failure) -> String {
    do throws(SiteKeyError) { return try key.publicKey } catch { throw Failure(error) }
  }

  private func header(_ extent: ProofStore.Extent, _ publicKey: String) -> [String: JSONValue] {
    [
      "type": "header", "format": .string(ProofHeader.format), "site": .string(site),
      "made_at": JSONOutput.time(.now), "since": JSONOutput.time(since), "until": JSONOutput.time(until),
      "devices": .array(
        extent.devices.map {
          [
            "name": .string($0.name), "uuid": JSONOutput.text($0.uuid.map(JSONOutput.dashed)),
            "key": JSONOutput.text($0.key),
          ]
        }), "public_key": .string(publicKey), "previous_chain": .integer(extent.previousChain),
      "previous_hash": .string(extent.previousHash), "unsealed": .integer(Int64(extent.unsealed)),
      "asked": .object(asked),
    ]
  }

  private func end(plays: Int, last: (chain: Int64, hash: String), headerHash: String) -> [String: JSONValue]
  {
    [
      "type": "end", "plays": .integer(Int64(plays)), "last_chain": .integer(last.chain),
      "last_hash": .string(last.hash), "header_hash": .string(headerHash),
    ]
  }

  /// The name of this computer.
  package static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Failure {
  /// A failure of the site's key.
  package init(_ error: SiteKeyError) {
    let exit: ExitStatus =
      switch error.kind {
      case .notPermitted: .notPermitted
      case .notMade: .cannotCreate
      case .unusable: .configuration
      }
    self.init("site_key", "\(error)", exit: exit)
  }
}
