import CastqCore
import CastqDaemon

/// The zone of rules and devices that have none of their own, and the database that it is in.
struct SiteZone {
  let name: ZoneName
  let database: ZoneDatabase

  /// The zone of the configuration, else the system's own.
  init(_ global: GlobalOptions) throws(Failure) {
    database = Zone.database
    do throws(ControlFailure) {
      if let name = try ConfigurationFile(global).read().get().siteZone {
        self.name = name
        return
      }
    } catch {
      throw Failure(error)
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
  var zone: Zone { rules(of: name).map { .rules($0) } ?? .local }

  /// The offsets of a zone; nil when the database does not have it.
  func rules(of zone: ZoneName) -> TimeZoneRules? { try? database.rules(of: zone) }
}
