import CastqDaemon
package import CastqFeeding
package import CastqText

/// The check of a proof of play in a file.
package struct ProofCheck {
  package let verdict: ProofVerdict
  private let file: String
  /// The file with the trusted key; nil is the key of this site.
  private let keyFile: String?
  private let hasKey: Bool

  /// Reads a proof.
  /// - Parameters:
  ///   - file: `-` is standard input.
  ///   - key: a file with the public key to trust; nil is the key of this site.
  package init(of file: String, trusting key: String?, _ call: CallOptions) throws(Failure) {
    let trusted = try Self.key(key, call)
    var audit = ProofAudit(.openSSL)
    let input = try InputFile(file, patience: call.deviceTimeout)
    defer { input.close() }
    var reader = LineReader(input, limit: ProofAudit.lineLimit)
    reading: while !audit.isHopeless, let line = try reader.next() {
      switch line {
      case .line(let bytes): audit.read(bytes)
      case .overlong: audit.readOverlong()
      case .endless:
        audit.readOverlong()
        break reading
      }
    }
    verdict = audit.verdict(trusted: trusted ?? "")
    (self.file, keyFile, hasKey) = (file, key, trusted != nil)
  }

  package var rendering: VerdictOfProof { VerdictOfProof(verdict, file: file) }

  /// Why it proves nothing; nil when it is true.
  package var failure: Failure? {
    switch verdict.outcome {
    case .true: return nil
    case .notAProof: return Failure("not_a_proof", "\(file) is not a proof", exit: .badData)
    case .altered: return Failure("altered", rendering.summary, exit: .badData)
    case .anotherKey:
      let own =
        hasKey ? "the one of this site" : "the one of this site, which has none; name it with --key"
      let whose = keyFile.map { "the one in \($0)" } ?? own
      return Failure(
        "another_key", "\(file) was signed by another key than \(whose)", exit: .notPermitted)
    }
  }

  /// The public key in base64; nil when this site has none.
  private static func key(_ file: String?, _ call: CallOptions) throws(Failure) -> String? {
    guard let file else {
      do throws(SiteKeyError) { return try SiteKey.existing(database: call.databasePath)?.publicKey } catch {
        throw Failure(error)
      }
    }
    let input = try InputFile(file, patience: call.deviceTimeout)
    defer { input.close() }
    let text = String(decoding: try input.bytes(limit: 1 << 16), as: UTF8.self)
    guard let found = KeyText.publicKey(text) else {
      throw Failure(
        "bad_data", "\(file) holds no public key", hint: .printKey, exit: .badData)
    }
    return found
  }
}
