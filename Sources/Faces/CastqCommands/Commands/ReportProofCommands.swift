import ArgumentParser
import CastProtocol
import CastqDaemon
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText

/// `castq report proof [--since TIME] [--until TIME] [-d DEVICE]… [--rule NAME] [--programme NAME] [--media PATTERN] [--paths] [-o FILE]`
struct ReportProofCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "proof", abstract: "Write a signed proof of what was played.",
    discussion: """
      The plays that ended in the period, a line of JSON each, with the hashes that bind them together and a signature by the key of \
      this site. With --device, --rule, --programme or --media, all other plays of the period are in the file as hashes alone: a \
      client sees his plays, and the chain holds. Addresses and paths are in the file only with --paths. \
      'castq report verify FILE' checks it; docs/reports.md describes the file for other programs.

      castq report proof --since 2026-11-01 --until 2026-12-01 --programme acme -o acme.proof
      castq report proof --media 'spot-*' -d Lobby --paths -o spot.proof
      """)

  @OptionGroup var given: GivenOptions
  @OptionGroup var period: PeriodOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The file to write; standard output by default.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: ArgumentHelp("Show only the plays of this rule.", valueName: "name"))
  var rule: String?

  @Option(help: ArgumentHelp("Show only the plays of this programme.", valueName: "name"))
  var programme: String?

  @Option(
    help: ArgumentHelp(
      "Show only plays whose title or address has this text; * stands for anything.", valueName: "pattern"))
  var media: String?

  @Flag(help: "Show addresses, paths of files and lines of lists, too.")
  var paths = false

  func run() async throws {
    let period = try period.read(global, isShown: false)
    let workspace = try Workspace(global, isReader: true)
    let key: SiteKey
    do throws(SiteKeyError) { key = try SiteKey(database: global.databasePath) } catch {
      throw Failure(error)
    }
    var writer = ProofWriter(
      key: key, site: ProofWriter.hostName, since: period.since, until: period.until)
    try select(workspace, &writer)
    let summary = try writer.write(ProofStore(workspace.database), to: output)
    if summary.unsealed > 0, !global.quiet {
      let plays = summary.unsealed == 1 ? "1 play is" : "\(summary.unsealed) plays are"
      Console.say("castq: \(plays) of an older castq, which made no proof, and not in the file")
    }
    if summary.withheld > 0, !global.quiet {
      let plays = summary.withheld == 1 ? "1 play" : "\(summary.withheld) plays"
      Console.say("castq: \(plays) of an older castq cannot be shown without paths: --paths shows them")
    }
    if summary.shown == 0, summary.withheld == 0, !writer.asked.isEmpty, !global.quiet {
      Console.say("castq: no play of the period is of what was asked for")
    }
    try workspace.reportDamage()
    if let failure = summary.failure { throw failure }
  }
}

extension ReportProofCommand {
  /// Has the writer show what the options name.
  private func select(_ workspace: Workspace, _ writer: inout ProofWriter) throws {
    writer.showsPlaces = paths
    if !global.device.isEmpty {
      var devices: [KnownDevice] = []
      for selector in global.device {
        devices.append(
          try workspace.ask { (here) throws(StoreError) in try here.devices.device(matching: selector) })
      }
      writer.select(devices)
    }
    writer.selection.rule = rule
    writer.selection.programme = programme
    writer.selection.media = media.map { NamePattern($0) }
    for (name, value) in [("rule", rule), ("programme", programme), ("media", media)] {
      if let value { writer.asked[name] = .string(value) }
    }
  }
}

/// `castq report key`
struct ReportKeyCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Print the public key of this site, which signs its proofs.",
    discussion: """
      Give it to those who verify proofs, on a way that they trust: 'castq report verify FILE --key KEYFILE'. The private key is a \
      file beside the database, made at the first use; who has it can sign proofs of this site.
      """)

  @OptionGroup var given: GivenOptions

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
struct ReportVerifyCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check a proof of what was played.",
    discussion: """
      Names each play that was changed, removed, put in or moved. Exits 0 when the proof is true, 65 when it was altered or is none, and 77 when \
      another key than the trusted one signed it: the one of --key, else that of this site.
      """)

  @OptionGroup var given: GivenOptions

  @Argument(help: "The proof; - is standard input.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The public key to trust, as 'castq report key' prints it.", valueName: "file"),
    completion: .file())
  var key: String?

  func run() async throws {
    let check = try ProofCheck(of: file, trusting: key, global)
    if global.json {
      Console.print(check.rendering.document)
    } else if global.jsonl {
      check.rendering.documents.forEach { Console.print($0) }
    } else {
      check.rendering.lines(isQuiet: global.quiet).forEach { Console.print($0) }
    }
    guard let failure = check.failure else { return }
    // Programs read the verdict in the document.
    throw global.isMachineReadable ? Silent(exit: failure.exit) : failure
  }
}
