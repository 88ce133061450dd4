import ArgumentParser
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import Glibc

/// Options of every command; they may stand before its name.
struct GlobalOptions: ParsableArguments {
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

  /// The selected device; nil if neither the command line nor the environment names one.
  var deviceSelector: String? { device.first ?? Environment.value("CASTQ_DEVICE") }

  /// The device that is meant: the selected one, else `default_device` of the configuration; nil where neither names one.
  func meantDevice() throws(Failure) -> String? {
    if let selector = deviceSelector { return selector }
    return try configuredDefault()
  }

  /// `default_device` of the configuration; nil where it names none.
  func configuredDefault() throws(Failure) -> String? {
    do throws(ControlFailure) { return try ConfigurationFile(self).defaultDevice().get() } catch {
      throw Failure(error)
    }
  }

  /// What the configuration says of the page and the terminal.
  func face() throws(Failure) -> FaceRules {
    do throws(ControlFailure) { return try ConfigurationFile(self).read().get().face } catch {
      throw Failure(error)
    }
  }

  /// Throws a usage error if several devices, or a group, are named.
  func checkOne() throws(Failure) {
    if device.count > 1 {
      throw Failure(
        "usage", "this command takes one device at a time; --device names \(device.count)",
        exit: .usage)
    }
    if let selector = deviceSelector, let group = DeviceGroup.name(selector) {
      // A group that nobody made is the mistake that is named.
      _ = try ScheduleCall(self, isReader: true).ask { (store) throws(StoreError) in
        try store.members(of: group)
      }
      throw Failure(
        "usage", "this command takes one device at a time; \(selector) is a group", exit: .usage)
    }
  }

  /// The time limit for a device; 10 s by default.
  var deviceTimeout: Duration { timeout?.duration ?? .seconds(10) }

  /// The database file.
  var databasePath: String { Self.databasePath(named: db) }

  /// The database file.
  /// - Parameter path: that of the command line; nil where it names none.
  static func databasePath(named path: String?) -> String {
    if let path = path ?? Environment.value("CASTQ_DB") { return Database.file(at: path) }
    let state = Environment.value("XDG_STATE_HOME") ?? "\(Environment.home)/.local/state"
    return Database.file(at: "\(state)/castq/castq.db")
  }

  /// Whether `--json` or `--jsonl` was given.
  var isMachineReadable: Bool { json || jsonl }

  /// The configuration; an error names the device for which it was read.
  func configuration(for device: KnownDevice) throws(Failure) -> DaemonConfiguration {
    switch ConfigurationFile(self).read() {
    case .success(let configuration): return configuration
    case .failure(let failure): throw Failure(failure, device: device)
    }
  }

  /// Throws if an explicitly named configuration is unreadable, or no file. The commands that need its content parse it.
  func checkConfiguration() throws(Failure) {
    guard let path = config ?? Environment.value("CASTQ_CONFIG") else { return }
    var status = stat()
    let words: String
    if access(path, R_OK) != 0 || stat(path, &status) != 0 {
      words = String(cString: strerror(errno))
    } else {
      guard let refusal = ConfigurationFile.refusal(of: status, at: path) else { return }
      words = refusal
    }
    throw Failure("configuration", "cannot read the configuration \(path): \(words)", exit: .configuration)
  }
}

/// Environment variables.
enum Environment {
  /// The value; nil if unset or empty.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// The epoch of this box, which `castq-link standby` sets; nil outside a pair of boxes.
  static func epoch() throws(Failure) -> Int? {
    guard let text = value("CASTQ_EPOCH") else { return nil }
    if let epoch = Int(text), (1...EntryTag.latestEpoch).contains(epoch) { return epoch }
    throw Failure(
      "usage",
      "CASTQ_EPOCH is \(TerminalText.excerpt(text)): it is no epoch; leave it to 'castq-link standby'",
      exit: .usage)
  }

  /// The programs that a configuration chooses, where they are installed.
  @Sendable static func programs(_ choices: ProgramChoices) -> MediaPrograms {
    MediaPrograms(choices, environment: value)
  }

  /// The folder for what can be made again: the service manager's, the person's, or one in the service's own folder.
  static var cacheFolder: String {
    if let folder = value("CACHE_DIRECTORY") { return folder }
    if let folder = value("XDG_CACHE_HOME") { return "\(folder)/castq" }
    if let folder = value("STATE_DIRECTORY") { return "\(folder)/cache" }
    return "\(home)/.cache/castq"
  }

  /// A folder for sockets; nil if there is none.
  static var runtimeFolder: String? { value("XDG_RUNTIME_DIR") ?? value("RUNTIME_DIRECTORY") }

  /// The home directory, from the user database if `HOME` is unset, as in a system service.
  static var home: String {
    if let home = value("HOME") { return home }
    guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return "." }
    return String(cString: home)
  }
}
