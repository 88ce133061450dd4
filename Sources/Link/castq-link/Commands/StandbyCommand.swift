import ArgumentParser
import CastqDaemon
import CastqFeeding
import CastqLink
import CastqText
import Glibc
import UnixSignals

/// `castq-link standby -- COMMAND…`
struct StandbyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "standby",
    abstract: "Run a command on one of a site's boxes: another takes over when it is gone.",
    discussion: """
      Each box of the site runs 'castq-link standby -- castq daemon'. The centre's PostgreSQL, from version 14, gives one of them the \
      lease; that one runs the command, and 'castq-link run' beside it. The others wait, and touch nothing. A box that hears \
      nothing of the centre for six seconds stops feeding, and one that is silent for ten loses the lease; the next one begins after \
      that. Without a centre, the box that had it begins again, and yields when it sees on a screen what the next box has sent.
      """)

  @OptionGroup var global: LinkOptions

  @Option(
    help: ArgumentHelp(
      "The name of this box, unique within the site; its host name by default.", valueName: "name"))
  var box: String?

  @Flag(help: "Do not run 'castq-link run' beside the command.")
  var noLink = false

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("What to run, such as castq daemon.", valueName: "command"))
  var command: [String] = []

  func run() async throws {
    LinkOutput.beginService()
    let rules = try global.rules()
    let site = try global.site(rules)
    guard let address = rules.postgres else {
      throw Failure(
        "configuration",
        "\(global.configurationPath) names no centre to ask; write link: {site: \(site), postgres: URL}",
        exit: .configuration)
    }
    let words = command.first == "--" ? Array(command.dropFirst()) : command
    guard let name = words.first else {
      throw Failure(
        "usage", "there is no command to run; write castq-link standby -- castq daemon", exit: .usage)
    }
    guard let service = ChildService(words) else {
      throw Failure("usage", "there is no program \(name); write the path of one", exit: .usage)
    }
    let box = box ?? Self.hostName
    guard LinkRules.isSite(box) else {
      throw Failure(
        "usage",
        "\(TerminalText.excerpt(box)) is no name of a box; write --box with letters, digits, hyphens, dots and underscores",
        exit: .usage)
    }
    let keeper = LeaseKeeper(address: global.address(address), site: site, box: box)
    let run = StandbyRun(
      keeper, site: site, command: service, link: noLink ? nil : ChildService(linkWords),
      memory: "\(global.databasePath).lease")
    // 'castq-link run' says it, too.
    if noLink { global.sayWeaknesses(rules) }
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    if !global.quiet { LinkOutput.say("castq-link: box \(box) of \(site) is ready") }
    let handler = Task {
      for await _ in signals { run.stop() }
    }
    let ending = await run.run()
    handler.cancel()
    throw SilentEnd(exit: ending)
  }

  /// This program, with the same database and configuration.
  private var linkWords: [String] {
    var words = ["/proc/self/exe", "run", "--db", global.databasePath]
    if let config = global.config { words += ["--config", config] }
    return words + (global.quiet ? ["--quiet"] : [])
  }

  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
