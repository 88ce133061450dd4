package import CastqDaemon
package import CastqText

/// The time zone for input and output.
package enum Zone: Sendable {
  /// The system's zone, or the one that `TZ` names.
  case local
  case rules(TimeZoneRules, ZoneName)

  /// Parses `local`, `UTC`, or a name such as `Europe/Berlin`.
  package init(_ argument: String) throws(UsageError) {
    switch argument {
    case "local": self = .local
    case "UTC": self = .rules(TimeZoneRules(), .utc)
    default:
      guard let name = try? ZoneName(argument), let rules = try? Self.database.rules(of: name) else {
        throw UsageError(
          "\(Self.database.folder) has no such zone; write local, UTC or a name such as Europe/Berlin")
      }
      self = .rules(rules, name)
    }
  }

  /// That of the site, in which times are read and shown: `timezone` of the configuration, else the system's own.
  package static func site(_ global: CallOptions) throws(Failure) -> Zone {
    let name = try ConfigurationFile(global).siteZone().get()
    guard let name, let rules = rules(named: name.text) else { return .local }
    return .rules(rules, name)
  }

  /// Its name for people.
  package var name: String {
    switch self {
    case .rules(_, let name): name.text
    case .local: (try? Self.database.own().text) ?? "the zone of this computer"
    }
  }

  /// The last line of a table with times.
  package var legend: String { "times in \(name)" }

  /// The offset from UTC at a point in time, in seconds; east is positive.
  package func utcOffset(at moment: WallTime) -> Int {
    switch self {
    case .rules(let rules, _): rules.utcOffset(at: moment)
    case .local: ZoneDatabase.systemOffset(at: moment)
    }
  }

  /// Date and time to the second, in a form that `--since`, `--until` and spreadsheets parse.
  package func text(_ time: WallTime) -> String { RFC3339.local(time, offset: utcOffset(at: time)) }

  /// A zone of the system's database by its name; nil if there is none.
  @Sendable package static func rules(named name: String) -> TimeZoneRules? { try? rules(of: name) }

  /// A zone of the system's database by its name.
  /// - Throws: when there is none, in words that say what to do.
  package static func rules(of name: String) throws(TextError) -> TimeZoneRules {
    try database.rules(of: ZoneName(name))
  }

  /// Throws when it is the system's own, and its file is gone: the C library then goes by UTC without a word.
  package func check() throws(Failure) {
    guard case .local = self, let own = Self.lostOwn else { return }
    throw Failure("time_zone", own.words, exit: .configuration)
  }

  /// Why the file of the system's own zone cannot be read; nil when it can, or when nothing says which one it is.
  static var lostOwn: TextError? {
    guard let own = try? database.own(), own != .utc, local.utcOffset(at: .now) == 0 else { return nil }
    do throws(TextError) {
      _ = try database.rules(of: own)
      return nil
    } catch { return error }
  }

  /// The system's zone database.
  package static var database: ZoneDatabase { ZoneDatabase(environment: Environment.value) }
}
