package import CastGuard
import CastProtocol
package import CastqPlaylists
package import CastqText

/// The configuration of `castq daemon`.
package struct DaemonConfiguration: Sendable, Hashable {
  /// Whether devices keep playing when the daemon ends.
  package var onExit = RunnerEnding.leave
  /// The port at which local files are served, 1 to 65535; nil is one that is chosen once for a database.
  package var mediaPort: Int?
  /// The zone in which times are read and shown, and of rules and devices that have none of their own; nil is the system's own zone.
  package var siteZone: ZoneName?
  /// How often lists on the web that rules or devices play are read again; nil reads them once.
  package var refresh: Duration? = .seconds(300)
  /// The programs that castq starts.
  package var programs = ProgramChoices()
  /// What is converted for devices that do not play it.
  package var preparation = PreparationRules()
  /// Which programs find out what is behind a page, for all devices.
  package var resolvers = ResolverRules()
  /// Places that may be asked whoever names them.
  package var allowedLocal: [LocalPlace] = []
  /// The folders whose films, music and pictures the page shows and `castq mpd` serves; absolute. `mediaFolders` is what counts.
  package var library: [String] = []
  /// How `castq web` serves.
  package var web = WebRules()
  /// How `castq mpd` serves.
  package var mpd = MPDRules()
  /// How the page and the terminal look, and what they do by themselves.
  package var face = FaceRules()
  /// The device of commands that name none, by any of its names; nil is the one that `castq device default` has chosen.
  package var defaultDevice: String?
  /// Where the daemon serves `/metrics`, `/healthz` and `/readyz`.
  package var metrics = MetricRules()
  /// What others are notified of.
  package var hooks: [HookRule] = []
  /// Rules of devices that are not named.
  package var standard = DeviceRules()
  /// In the order of the file; values that a device leaves out are already filled in from `standard`.
  package var devices: [Named] = []

  /// A device of the file.
  package struct Named: Sendable, Hashable {
    /// Alias, name, UUID or address.
    package var name: String
    package var rules: DeviceRules

    package init(name: String, rules: DeviceRules) {
      self.name = name
      self.rules = rules
    }
  }

  /// The defaults.
  package init() {}

  /// The folders that people browse: those of the library, else those of `castq mpd`.
  package var mediaFolders: [String] { library.isEmpty ? mpd.folders : library }

  /// Whether any device has quiet hours in which nothing plays.
  package var hasDarkHours: Bool {
    ([standard] + devices.map(\.rules)).contains { $0.quietVolume == nil && !$0.quietHours.isEmpty }
  }

  /// The rules of a device with these names; the first matching entry of the file wins.
  package func rules(for names: [String]) -> DeviceRules {
    devices.first { $0.isMeant(by: names) }?.rules ?? standard
  }
}

extension DaemonConfiguration.Named {
  /// Whether one of these names matches the one in the file; a UUID may be written in any form.
  package func isMeant(by names: [String]) -> Bool {
    let wanted = name.lowercased()
    let id = Device.normalizedID(name)
    return names.contains { $0.lowercased() == wanted || (id != nil && $0 == id) }
  }
}
