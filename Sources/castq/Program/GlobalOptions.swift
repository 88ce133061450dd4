import ArgumentParser
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import Glibc

/// Options that every command takes, also before its name.
struct GlobalOptions: ParsableArguments {
  @Option(
    name: [.customShort("d", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Alias, name, UUID or host[:port] of the device; several where a command can act on many.",
      valueName: "sel"))
  var device: [String] = []

  @Option(help: ArgumentHelp("The SQLite file.", valueName: "path"))
  var db: String?

  @Option(help: ArgumentHelp("The configuration file.", valueName: "path"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The application that plays media; by default what the configuration says, else CC1AD845.",
      valueName: "id"))
  var app: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Print one JSON object a line.")
  var jsonl = false

  @Option(
    help: ArgumentHelp("Give up talking to the device after this.", valueName: "duration"),
    transform: DurationArgument.init)
  var timeout: DurationArgument?

  @Flag(name: [.customShort("q"), .long], help: "Say less.")
  var quiet = false

  @Flag(name: [.customShort("v"), .long], help: "Say more; twice for every frame.")
  var verbose: Int

  @Flag(name: .customLong("no-daemon"), help: "Talk to the device directly even if a daemon runs.")
  var noDaemon = false

  mutating func validate() throws {
    if let app, !ConfigurationReader.isApplicationID(app) {
      throw ValidationError(
        "--app '\(TerminalText.sanitized(app))' is no application id; write one such as CC1AD845")
    }
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
  var deviceSelector: String? { device.first ?? Environment.value("CASTQ_DEVICE") }

  /// More devices than one are for commands that can act on many.
  func checkOne() throws(Failure) {
    guard device.count > 1 else { return }
    throw Failure(
      "usage", "this command is for one device at a time; --device names \(device.count)",
      exit: .usage)
  }

  /// Does something for each device that is named, one after the other. A failure of one is printed and keeps it from no other;
  /// the last failure ends the command.
  func forEach(_ body: (GlobalOptions) async throws -> Void) async throws {
    guard device.count > 1 else { return try await body(self) }
    var last: Failure?
    for name in device {
      var one = self
      one.device = [name]
      do {
        try await body(one)
      } catch let failure as Failure {
        last?.say()
        last = failure
      }
    }
    if let last { throw last }
  }

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

  /// What plays media on a device, by the command line, else by the configuration; nil is the usual one.
  func receiverApplication(for device: KnownDevice) throws(Failure) -> String? {
    if let app { return app.uppercased() }
    switch ConfigurationFile(self).read() {
    case .success(let configuration): return configuration.rules(for: device.names).receiverApplication
    case .failure(let failure): throw Failure(failure, device: device)
    }
  }

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
