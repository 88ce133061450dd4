import CastSender
import CastqFeeding
import CastqStore
package import CastqText
import Synchronization

/// What the configuration says that faces show beside what devices do: the volume that it sets, and by whose clocks times are told. The
/// file is read again when it has changed; one that is broken says nothing but what is wrong with it.
package final class ConfiguredFacts: Sendable {
  private struct Read {
    let version: FileVersion?
    let configuration: DaemonConfiguration?
    let problem: String?
    let clock: SiteClock
  }

  private let file: ConfigurationFile
  private let read = Mutex<Read?>(nil)

  init(_ file: ConfigurationFile) { self.file = file }

  /// The volume before something is played, from 0 to 1; nil leaves the device's volume as it is.
  func volume(of device: KnownDevice) -> Double? {
    present { $0.configuration?.rules(for: device.names).volume }
  }

  /// The application in which entries are played that ask for no other.
  func application(of device: KnownDevice) -> String {
    present { $0.configuration?.rules(for: device.names).receiverApplication }
      ?? CastOptions.defaultMediaReceiverApplicationID
  }

  /// The folders that people browse; none of a file that is broken.
  var mediaFolders: [String] { present { $0.configuration?.mediaFolders ?? [] } }

  /// How far castq converts what a screen does not play, and where what is converted lies; nil is beside the database.
  var converted: (allowed: PreparationRules.Allowance, folder: String?) {
    present { ($0.configuration?.preparation.allow ?? .off, $0.configuration?.preparation.folder) }
  }

  /// The model whose abilities a screen is to have; nil is its own.
  func model(of device: KnownDevice) -> String? {
    present { $0.configuration?.rules(for: device.names).playsAs } ?? device.model
  }

  /// Why the file says nothing; nil where nothing is wrong with it.
  package var problem: String? { present { $0.problem } }

  /// The clocks of the site, which its plan goes by, too.
  package var clock: SiteClock { present { $0.clock } }

  private func present<Value: Sendable>(_ value: (Read) -> Value) -> Value {
    let version = FileVersion(path: file.path)
    return read.withLock { read in
      if let known = read, known.version == version { return value(known) }
      var configuration: DaemonConfiguration?
      var problem: String?
      switch file.read() {
      case .success(let value): configuration = value
      case .failure(let failure): problem = failure.typed.message
      }
      let now = Read(
        version: version, configuration: configuration, problem: problem,
        clock: SiteClock(configuration == nil ? (try? file.siteZone().get()) ?? nil : configuration?.siteZone)
      )
      read = now
      return value(now)
    }
  }
}

/// How a moment is told in a status.
package struct SiteClock: Sendable {
  private var zone = Zone.local
  /// The name of the zone where the configuration has one: the reader's own may be another.
  private var name: String?

  /// - Parameter configured: nil, or a zone that the system does not have, is the system's own.
  package init(_ configured: ZoneName? = nil) {
    guard let configured, let rules = Zone.rules(named: configured.text) else {
      // The C library goes by UTC then, which has to be said.
      if Zone.lostOwn != nil { name = ZoneName.utc.text }
      return
    }
    (zone, name) = (.rules(rules, configured), configured.text)
  }

  package func text(_ time: WallTime) -> String { zone.text(time) + (name.map { " \($0)" } ?? "") }

  /// To the minute, and without the day where that is today: for faces that say their zone once.
  func minute(_ time: WallTime, now: WallTime = .now) -> String {
    let text = zone.text(time)
    let isToday = text.prefix(10) == zone.text(now).prefix(10)
    return String(isToday ? text.dropFirst(11).prefix(5) : text.prefix(16))
  }
}
