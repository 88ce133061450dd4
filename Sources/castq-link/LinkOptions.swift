import ArgumentParser
import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqOperations
import CastqPostgres
import CastqStore
import Glibc

/// Options of every command.
struct LinkOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The SQLite file of this site.", valueName: "path"), completion: .file())
  var db: String?

  @Option(
    help: ArgumentHelp("The configuration file.", valueName: "path"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var config: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(name: [.customShort("q"), .long], help: "Print fewer messages.")
  var quiet = false

  /// What its calls of castq are about.
  var call: CallOptions {
    var call = CallOptions()
    (call.db, call.config, call.quiet) = (db, config, quiet)
    // Problems of single entries are printed for people.
    call.json = true
    return call
  }

  /// The database file, as castq finds it.
  var databasePath: String {
    if let path = db ?? Self.variable("CASTQ_DB") { return Database.file(at: path) }
    let state = Self.variable("XDG_STATE_HOME") ?? "\(Self.home)/.local/state"
    return Database.file(at: "\(state)/castq/castq.db")
  }

  /// The configuration file, as castq finds it.
  var configurationPath: String {
    if let path = config ?? Self.variable("CASTQ_CONFIG") { return path }
    return "\(Self.variable("XDG_CONFIG_HOME") ?? "\(Self.home)/.config")/castq/config.yaml"
  }

  /// What the configuration says of the link; nothing where there is no file.
  func rules() throws(Failure) -> LinkRules {
    try configured(or: LinkRules()) { ConfigurationReader.readLink($0, file: $1) }
  }

  /// The zone of the site, in which times are read and shown.
  func zone() throws(Failure) -> LinkZone {
    let zones = LinkZone.database
    return LinkZone(
      try configured(or: nil) { bytes, path in
        ConfigurationReader.readSiteZone(bytes, file: path) { (name) throws(TextError) in
          try zones.rules(of: ZoneName(name))
        }
      })
  }

  private func configured<Value>(
    or nothing: Value, _ read: ([UInt8], String) -> Result<Value, ConfigurationError>
  ) throws(Failure) -> Value {
    let path = configurationPath
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileBytes.read(path, limit: ConfigurationReader.longest)
    } catch {
      if error.number == ENOENT, config == nil, Self.variable("CASTQ_CONFIG") == nil { return nothing }
      throw Failure(
        "configuration", "cannot read the configuration \(path): \(error.words)", exit: .configuration)
    }
    switch read(bytes, path) {
    case .success(let value): return value
    case .failure(let error): throw Failure("configuration", "\(error)", exit: .configuration)
    }
  }

  /// The name of this site.
  func site(_ rules: LinkRules) throws(Failure) -> String {
    if let site = rules.site { return site }
    throw Failure(
      "configuration", "\(configurationPath) names no site; write link: {site: NAME, postgres: URL}",
      exit: .configuration)
  }

  /// The centre.
  func centre(_ rules: LinkRules) throws(Failure) -> Centre {
    guard let address = rules.postgres else {
      throw Failure(
        "configuration", "\(configurationPath) names no centre; write link: {postgres: URL}",
        exit: .configuration)
    }
    do throws(PostgresError) {
      return Centre(try PostgresConnection(self.address(address), name: "castq-link"))
    } catch { throw Failure(error) }
  }

  /// The database of this site.
  func database() throws(Failure) -> Database {
    do throws(StoreError) { return try Database(path: databasePath) } catch { throw Failure(error) }
  }

  /// An environment variable; nil if unset or empty.
  static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// The home directory, from the user database if `HOME` is unset, as in a system service.
  static var home: String {
    if let home = variable("HOME") { return home }
    guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return "." }
    return String(cString: home)
  }
}

extension WallTime {
  /// The current time of the system clock.
  static var now: WallTime { WallTime(milliseconds: TimeSource.continuous.wallMilliseconds()) }
}
