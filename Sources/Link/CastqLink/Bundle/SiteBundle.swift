import CastProtocol
package import CastqText

/// What a centre wants sites to show: a schedule, and the files that it names, signed.
///
/// A file of two lines. The first is a JSON object, the payload; the second one has the signature over the bytes of the first.
package struct SiteBundle: Sendable, Hashable {
  /// A file that the schedule names as `media/NAME`.
  package struct Medium: Sendable, Hashable {
    /// One level of a path.
    package let name: String
    /// Where it is fetched: an address, or a path relative to the bundle.
    package let source: String
    /// SHA-256, as 64 hexadecimal digits.
    package let digest: String
    /// Bytes.
    package let size: Int

    package init(name: String, source: String, digest: String, size: Int) {
      self.name = name
      self.source = source
      self.digest = digest
      self.size = size
    }
  }

  /// Why a bundle is not applied.
  package struct Refusal: Error, Sendable, Hashable {
    package let code: String
    package let message: String

    package init(_ code: String, _ message: String) {
      self.code = code
      self.message = message
    }
  }

  /// Each bundle has a higher one than those before.
  package let revision: Int64
  package let createdAt: WallTime
  /// When it is applied; nil is at once.
  package let appliesAt: WallTime?
  /// The sites that it is for; none is all.
  package let sites: [String]
  /// Whether what it does not have is removed at the site.
  package let isWhole: Bool
  /// As `castq schedule export` writes it.
  package let schedule: String
  package let media: [Medium]

  /// The largest bundle that is read, in bytes.
  package static let longest = 16 << 20
  /// The most files of one bundle.
  package static let mostMedia = 10_000
  private static let format = "castq-bundle-1"

  package init(
    revision: Int64, createdAt: WallTime, appliesAt: WallTime?, sites: [String], isWhole: Bool,
    schedule: String,
    media: [Medium]
  ) {
    self.revision = revision
    self.createdAt = createdAt
    self.appliesAt = appliesAt
    self.sites = sites
    self.isWhole = isWhole
    self.schedule = schedule
    self.media = media
  }

  /// The first line, which is signed.
  package var payload: String {
    let document: JSONValue = [
      "format": .string(Self.format), "revision": .integer(revision),
      "created_at": .string(RFC3339.text(createdAt)),
      "applies_at": appliesAt.map { .string(RFC3339.text($0)) } ?? .null,
      "sites": .array(sites.map { .string($0) }),
      "prune": .bool(isWhole), "schedule": .string(schedule),
      "media": .array(
        media.map {
          [
            "name": .string($0.name), "source": .string($0.source), "sha256": .string($0.digest),
            "size": .integer(Int64($0.size)),
          ]
        }),
    ]
    return document.text
  }

  /// The file of a bundle.
  package static func file(payload: String, signature: String, publicKey: String) -> String {
    let seal: JSONValue = ["public_key": .string(publicKey), "signature": .string(signature)]
    return "\(payload)\n\(seal.text)\n"
  }

  /// Reads a file. There is one spelling for a bundle: what `file(payload:signature:publicKey:)` writes, byte for byte.
  /// - Parameters:
  ///   - publicKey: the key that this site trusts, base64.
  ///   - isSigned: whether a signature, in base64 without a bit too many, over a text is that of this key.
  package init(
    file bytes: [UInt8], publicKey: String, isSigned: (_ signature: String, _ payload: String) -> Bool
  ) throws(Refusal) {
    guard bytes.count <= Self.longest else {
      throw Refusal("too_large", "it is larger than \(Self.longest) bytes")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    guard lines.count == 2, let seal = try? JSONValue(parsing: Array(lines[1])),
      let signature = seal["signature"]?.string
    else { throw Refusal("bad_bundle", "it has not the two lines of a bundle") }
    // The payload is read after its signature: what nobody signed is not parsed.
    let payload = String(decoding: lines[0], as: UTF8.self)
    guard isSigned(signature, payload) else {
      throw Refusal("bad_signature", "the key that this site trusts did not sign it")
    }
    // What lies beside the signed bytes is signed by nobody.
    guard bytes == Array(Self.file(payload: payload, signature: signature, publicKey: publicKey).utf8) else {
      throw Refusal("bad_signature", "it has words beside those that are signed")
    }
    guard let document = try? JSONValue(parsing: payload), document["format"]?.string == Self.format,
      let revision = document["revision"]?.int, let created = document["created_at"]?.string,
      let createdAt = try? RFC3339.parse(created), let schedule = document["schedule"]?.string
    else { throw Refusal("bad_bundle", "it is no bundle of a kind that this castq-link reads") }
    self.revision = Int64(revision)
    self.createdAt = createdAt
    self.schedule = schedule
    if let time = document["applies_at"]?.string {
      guard let moment = try? RFC3339.parse(time) else { throw Refusal("bad_bundle", "its time is none") }
      appliesAt = moment
    } else {
      appliesAt = nil
    }
    sites = (document["sites"]?.array ?? []).compactMap(\.string)
    isWhole = document["prune"]?.bool ?? false
    let entries = document["media"]?.array ?? []
    guard entries.count <= Self.mostMedia else {
      throw Refusal("too_large", "it names more than \(Self.mostMedia) files")
    }
    var media: [Medium] = []
    for entry in entries {
      guard let medium = Medium(entry) else {
        throw Refusal("bad_bundle", "one of its files has no name, source or digest")
      }
      media.append(medium)
    }
    guard Set(media.map(\.name)).count == media.count else {
      throw Refusal("bad_bundle", "two of its files have one name")
    }
    self.media = media
  }
}

extension SiteBundle.Medium {
  fileprivate init?(_ entry: JSONValue) {
    guard let name = entry["name"]?.string, Self.isName(name), let source = entry["source"]?.string,
      Self.isSource(source), let digest = entry["sha256"]?.string, let size = entry["size"]?.int, size >= 0,
      digest.utf8.count == 64,
      digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.init(name: name, source: source, digest: digest, size: size)
  }

  /// Whether a name is one level of a path, and no hidden file.
  package static func isName(_ name: String) -> Bool {
    (1...200).contains(name.utf8.count) && !name.hasPrefix(".") && !name.utf8.contains(UInt8(ascii: "/"))
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  /// Whether a source is an address, or a path below the folder of the bundle.
  private static func isSource(_ source: String) -> Bool {
    if source.hasPrefix("http://") || source.hasPrefix("https://") { return true }
    let levels = source.split(separator: "/", omittingEmptySubsequences: false)
    return !levels.isEmpty && levels.allSatisfy { isName(String($0)) }
  }
}
