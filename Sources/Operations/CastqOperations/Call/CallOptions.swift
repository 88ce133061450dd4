import CastqDaemon
package import CastqFeeding
package import CastqStore
package import CastqText
import Glibc

/// What a call of castq is about, whoever makes it: which devices, database and configuration, and how long it waits.
package struct CallOptions: Sendable {
  /// Selectors of devices, or `@GROUP`; empty means the default device.
  package var device: [String] = []
  /// The SQLite file; nil is that of the environment, else the usual one.
  package var db: String?
  /// The configuration file; nil is that of the environment, else the usual one, which may be missing.
  package var config: String?
  /// The application that plays media; nil is that of the configuration.
  package var app: String?
  /// Where devices reach local files; nil is the address of the interface that leads to each.
  package var advertise: AdvertisedAddress?
  /// The port for local files; nil is the one that was chosen for the database.
  package var mediaPort: Int?
  /// Whether one JSON document is printed.
  package var json = false
  /// Whether a JSON object a line is printed.
  package var jsonl = false
  /// The time limit for a device that a person gave; nil where none was given.
  package var timeout: Duration?
  package var quiet = false
  /// How often `--verbose` was given.
  package var verbose = 0
  /// Whether devices are connected directly even if a daemon runs.
  package var noDaemon = false
  /// Whether a program that serves others makes it: it names known devices alone, searches no network, and leaves no feeder behind.
  package var isServing = false
  /// Hears what a person should know beside the outcome, in one line.
  package var say: @Sendable (String) -> Void = { _ in }
  /// Has this process feed devices that no other process feeds; nil never does.
  package var host: (any FeederHost)?

  package init() {}

  /// The same for a program that serves others.
  package var serving: CallOptions {
    var options = self
    options.isServing = true
    return options
  }

  /// The selected device; nil if neither the command line nor the environment names one.
  package var deviceSelector: String? { device.first ?? Environment.value("CASTQ_DEVICE") }

  /// The device that is meant: the selected one, else `default_device` of the configuration; nil where neither names one.
  package func meantDevice() throws(Failure) -> String? {
    if let selector = deviceSelector { return selector }
    return try configuredDefault()
  }

  /// `default_device` of the configuration; nil where it names none.
  package func configuredDefault() throws(Failure) -> String? {
    try ConfigurationFile(self).defaultDevice().get()
  }

  /// What the configuration says of the page and the terminal.
  package func face() throws(Failure) -> FaceRules {
    try ConfigurationFile(self).read().get().face
  }

  /// Throws a usage error if several devices, or a group, are named.
  package func checkOne() throws(Failure) {
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
  package var deviceTimeout: Duration { timeout ?? .seconds(10) }

  /// The database file.
  package var databasePath: String { Self.databasePath(named: db) }

  /// The database file.
  /// - Parameter path: that of the command line; nil where it names none.
  package static func databasePath(named path: String?) -> String {
    if let path = path ?? Environment.value("CASTQ_DB") { return Database.file(at: path) }
    let state = Environment.value("XDG_STATE_HOME") ?? "\(Environment.home)/.local/state"
    return Database.file(at: "\(state)/castq/castq.db")
  }

  /// Whether `--json` or `--jsonl` was given.
  package var isMachineReadable: Bool { json || jsonl }

  /// The configuration; an error names the device for which it was read.
  package func configuration(for device: KnownDevice) throws(Failure) -> DaemonConfiguration {
    switch ConfigurationFile(self).read() {
    case .success(let configuration): return configuration
    case .failure(let failure): throw Failure(failure, device: device)
    }
  }

  /// Throws if an explicitly named configuration is unreadable, or no file. The commands that need its content parse it.
  package func checkConfiguration() throws(Failure) {
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
