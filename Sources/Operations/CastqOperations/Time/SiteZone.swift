package import CastqDaemon
package import CastqFeeding
import CastqSchedule
import CastqStore
package import CastqText

/// The zone of rules and devices that have none of their own, the database that it is in, and the configuration that names it.
package struct SiteZone {
  package let name: ZoneName
  package let database: ZoneDatabase
  package let configuration: DaemonConfiguration

  /// The zone of the configuration, else the system's own.
  package init(_ global: CallOptions) throws(Failure) {
    database = Zone.database
    configuration = try ConfigurationFile(global).read().get()
    if let name = configuration.siteZone {
      self.name = name
      return
    }
    do throws(TextError) {
      let own = try database.own()
      _ = try database.rules(of: own)
      name = own
    } catch {
      throw Failure("time_zone", error.words, exit: .configuration)
    }
  }

  /// The zone for times on the command line: those that are read, and those that are shown.
  package var zone: Zone { rules(of: name).map { .rules($0, name) } ?? .local }

  /// When the configuration has a device show nothing; nil is never. Where the configuration names no zone, quiet hours go by
  /// the computer's own clocks.
  func darkHours(of device: KnownDevice) -> DarkHours? {
    DarkHours(
      configuration.rules(for: device.names),
      local: (try? database.own()).flatMap { rules(of: $0) } ?? TimeZoneRules())
  }

  /// The offsets of a zone; nil when the database does not have it.
  package func rules(of zone: ZoneName) -> TimeZoneRules? { try? database.rules(of: zone) }
}
