import ArgumentParser
import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

/// `castq report proof [--since TIME] [--until TIME] [-o FILE]`
struct ReportProofCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proof", abstract: "Write a signed proof of what was played.",
    discussion: """
      The plays that ended in the period, on all devices, a line of JSON each, with the hashes that bind them together and a signature \
      by the key of this site. 'castq report verify FILE' checks it; docs/reports.md describes the file for other programs.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var period: PeriodOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The file to write; standard output by default.", valueName: "file"),
    completion: .file())
  var output: String?

  func validate() throws {
    if !global.device.isEmpty {
      throw ValidationError("a proof is of all devices: hashes bind their plays together; leave out --device")
    }
  }

  func run() async throws {
    let period = try period.read(global, isShown: false)
    let workspace = try Workspace(global, isReader: true)
    let key: SiteKey
    do throws(SiteKeyError) { key = try SiteKey(database: global.databasePath) } catch {
      throw Failure(error)
    }
    let writer = ProofWriter(
      key: key, site: ProofWriter.hostName, since: period.since, until: period.until)
    let summary = try writer.write(ProofStore(workspace.database), to: output)
    if summary.unsealed > 0, !global.quiet {
      let plays = summary.unsealed == 1 ? "1 play is" : "\(summary.unsealed) plays are"
      Console.say("castq: \(plays) of an older castq, which made no proof, and not in the file")
    }
    try workspace.reportDamage()
    guard summary.altered.isEmpty else {
      let first = summary.altered.prefix(10).joined(separator: ", ")
      let more = summary.altered.count > 10 ? " and \(summary.altered.count - 10) more" : ""
      throw Failure(
        "altered",
        "the database was changed: \(first)\(more) \(summary.altered.count == 1 ? "does" : "do") not fit the recorded hash",
        exit: .badData)
    }
  }
}

/// `castq report key`
struct ReportKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Print the public key of this site, which signs its proofs.",
    discussion: """
      Give it to those who verify proofs, on a way that they trust: 'castq report verify FILE --key KEYFILE'. The private key is a \
      file beside the database, made at the first use; who has it can sign proofs of this site.
      """)

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    // The folder of the database is made with it.
    _ = try Workspace(global, isReader: true)
    let key: SiteKey
    let (text, pem): (String, String)
    do throws(SiteKeyError) {
      key = try SiteKey(database: global.databasePath)
      (text, pem) = (try key.publicKey, try key.publicPEM)
    } catch {
      throw Failure(error)
    }
    if global.isMachineReadable {
      let document: JSONValue = ["public_key": .string(text), "pem": .string(pem), "file": .string(key.path)]
      return Console.print(document)
    }
    Console.printLines(pem)
  }
}

/// `castq report verify FILE [--key FILE]`
struct ReportVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check a proof of what was played.",
    discussion: """
      Names each play that was changed, removed, put in or moved. Exits 0 when the proof is true, 65 when it was altered, and 77 when \
      another key than the trusted one signed it: the one of --key, else that of this site.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The proof; - is standard input.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The public key to trust, as 'castq report key' prints it.", valueName: "file"),
    completion: .file())
  var key: String?

  func run() async throws {
    let trusted = try trustedKey()
    var audit = ProofAudit(.openSSL)
    let input = try InputFile(file, patience: global.deviceTimeout)
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
    let verdict = audit.verdict(trusted: trusted ?? "")
    let rendering = VerdictOfProof(verdict, file: file)
    if global.json {
      Console.print(rendering.document)
    } else if global.jsonl {
      rendering.documents.forEach { Console.print($0) }
    } else {
      rendering.lines(isQuiet: global.quiet).forEach { Console.print($0) }
    }
    switch verdict.outcome {
    case .true: return
    case .altered: throw leave("altered", rendering.summary, .badData)
    case .anotherKey:
      let whose =
        key != nil
        ? "the one in \(key ?? "")"
        : trusted == nil ? "the one of this site, which has none; name it with --key" : "the one of this site"
      throw leave("another_key", "\(file) was signed by another key than \(whose)", .notPermitted)
    }
  }

  /// Programs read the verdict in the document.
  private func leave(_ code: String, _ words: String, _ exit: ExitStatus) -> any Error {
    global.isMachineReadable ? Silent(exit: exit) : Failure(code, words, exit: exit)
  }

  /// The public key in base64; nil when this site has none.
  private func trustedKey() throws(Failure) -> String? {
    guard let key else {
      do throws(SiteKeyError) { return try SiteKey.existing(database: global.databasePath)?.publicKey } catch
      {
        throw Failure(error)
      }
    }
    let file = try InputFile(key, patience: global.deviceTimeout)
    defer { file.close() }
    let text = String(decoding: try file.bytes(limit: 1 << 16), as: UTF8.self)
    guard let found = KeyText.publicKey(text) else {
      throw Failure(
        "bad_data", "\(key) holds no public key: write what 'castq report key' prints at the site",
        exit: .badData)
    }
    return found
  }
}
