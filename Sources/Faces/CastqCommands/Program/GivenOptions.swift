import ArgumentParser
import CastSender
import CastqFeeding
import CastqOperations
import CastqText
import Glibc

/// Options of every command; they may stand before its name.
struct GivenOptions: ParsableArguments {
  @Option(
    name: [.customShort("d", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Alias, name, UUID or host[:port] of the device, or @GROUP; repeatable where a command can act on several.",
      valueName: "sel"), completion: NameCompletion.devices)
  var device: [String] = []

  @Option(help: ArgumentHelp("The SQLite file.", valueName: "path"), completion: .file())
  var db: String?

  @Option(
    help: ArgumentHelp("The configuration file.", valueName: "path"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The application that plays media; by default that of the configuration, else CC1AD845.",
      valueName: "id"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      "Where the device reaches local files; by default the address of this computer's interface that leads to it.",
      valueName: "address[:port]"), transform: MediaArguments.address)
  var advertise: AdvertisedAddress?

  @Option(
    help: ArgumentHelp(
      "The port for local files; by default one that is chosen once for the database.", valueName: "port"),
    transform: MediaArguments.port)
  var mediaPort: Int?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Print one JSON object a line.")
  var jsonl = false

  @Option(
    help: ArgumentHelp("Time limit for the device; 10s by default.", valueName: "duration"),
    transform: DurationArgument.init)
  var timeout: DurationArgument?

  @Flag(name: [.customShort("q"), .long], help: "Print fewer messages.")
  var quiet = false

  @Flag(name: [.customShort("v"), .long], help: "Print debug messages; twice: also every frame.")
  var verbose: Int

  @Flag(name: .customLong("no-daemon"), help: "Connect to the device directly even if a daemon runs.")
  var noDaemon = false

  // Castq.main has obeyed it before anything was parsed.
  @Flag(
    name: .customLong("system"),
    help: "Use the queue and configuration of the computer's service, as its user; needs 'sudo'.")
  var isSystem = false

  mutating func validate() throws {
    if let app, !ConfigurationReader.isApplicationID(app) {
      throw ValidationError(
        "--app '\(TerminalText.sanitized(app))' is not an application id; write one such as CC1AD845")
    }
    // An empty selector would be the beginning of every name.
    if device.contains(where: { $0.allSatisfy { $0 == " " } }) {
      throw ValidationError("--device is empty; name a device, or leave it out for the default one")
    }
    if isSystem, db != nil {
      throw ValidationError("--system and --db exclude each other: --system names the service's database")
    }
    if json, jsonl { throw ValidationError("--json and --jsonl exclude each other") }
    // Every command validates its options before it runs, so logging starts here.
    do throws(CastLoggerFilter.TextError) {
      try Logging.begin(verbosity: verbose, isQuiet: quiet, variable: Environment.value("CASTQ_LOG"))
    } catch {
      throw ValidationError(
        "CASTQ_LOG: \(error); write a level, or levels of classes, as in debug,TLS*=none")
    }
  }

  /// What they ask for.
  var call: CallOptions {
    var call = CallOptions()
    call.device = device
    call.db = db
    call.config = config
    call.app = app
    call.advertise = advertise
    call.mediaPort = mediaPort
    call.json = json
    call.jsonl = jsonl
    call.timeout = timeout?.duration
    call.quiet = quiet
    call.verbose = verbose
    call.noDaemon = noDaemon
    call.say = Console.say
    call.host = CommandFeeders()
    return call
  }
}

/// A command of castq: it has these options.
protocol CastqCommand: AsyncParsableCommand {
  var given: GivenOptions { get }
}

extension CastqCommand {
  var global: CallOptions { given.call }
}
