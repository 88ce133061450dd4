import ArgumentParser
import CastSender
import CastqCore
import Glibc

/// Options that every command takes, also before its name.
struct GlobalOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Alias, name, UUID or host[:port] of the device.", valueName: "sel"))
  var device: String?

  @Option(help: ArgumentHelp("The SQLite file.", valueName: "path"))
  var db: String?

  @Option(help: ArgumentHelp("The configuration file.", valueName: "path"))
  var config: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Print one JSON object a line.")
  var jsonl = false

  @Option(help: ArgumentHelp("Give up talking to the device after this.", valueName: "duration"))
  var timeout: DurationArgument?

  @Flag(name: [.customShort("q"), .long], help: "Say less.")
  var quiet = false

  @Flag(name: [.customShort("v"), .long], help: "Say more; twice for every frame.")
  var verbose: Int

  @Flag(name: .customLong("no-daemon"), help: "Talk to the device directly even if a daemon runs.")
  var noDaemon = false

  mutating func validate() throws {
    if json, jsonl { throw ValidationError("--json and --jsonl are two forms of the same thing: choose one") }
    // The one place that every command passes before it does anything.
    do throws(CastLoggerFilter.TextError) {
      try Logging.begin(verbosity: verbose, isQuiet: quiet, variable: Environment.value("CASTQ_LOG"))
    } catch {
      throw ValidationError(
        "CASTQ_LOG: \(error); write a level, or levels of classes, as in debug,TLS*=none")
    }
  }

  /// The device that is meant; nil when neither the command line nor the environment names one.
  var deviceSelector: String? { device ?? Environment.value("CASTQ_DEVICE") }

  /// How long talking to a device may take.
  var deviceTimeout: Duration { timeout?.duration ?? .seconds(10) }

  /// The database file.
  var databasePath: String {
    if let path = db ?? Environment.value("CASTQ_DB") { return path }
    let state = Environment.value("XDG_STATE_HOME") ?? "\(Environment.home)/.local/state"
    return "\(state)/castq/castq.db"
  }

  /// Whether machine-readable output is wanted in either form.
  var isMachineReadable: Bool { json || jsonl }

  /// A configuration that was named must be there; what it says is read by the commands that need it.
  func checkConfiguration() throws(Failure) {
    guard let path = config ?? Environment.value("CASTQ_CONFIG"), access(path, R_OK) != 0 else { return }
    let words = String(cString: strerror(errno))
    throw Failure("configuration", "cannot read the configuration \(path): \(words)", exit: .configuration)
  }
}

/// Variables of the environment.
enum Environment {
  /// The value; nil when it is not set or empty.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// The home directory, also where nobody set `HOME`, as in a system service.
  static var home: String {
    if let home = value("HOME") { return home }
    guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return "." }
    return String(cString: home)
  }
}
