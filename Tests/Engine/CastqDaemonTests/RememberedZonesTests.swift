import CastqText
import Logging
import Synchronization
import Testing
@testable import CastqDaemon

@Suite("Zones whose files may go")
struct RememberedZonesTests {
  /// What a system has, and what was logged.
  private final class System: Sendable {
    let files = Mutex<[String: TimeZoneRules]>([:])
    let lines = Mutex<[String]>([])
  }

  private struct Lines: LogHandler {
    let system: System
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      system.lines.withLock { $0.append("\(event.level) \(event.metadata?["castq.zone"] ?? "")") }
    }
  }

  @Test("what was read once holds until it can be read again, which is said once each")
  func remembered() throws {
    let system = System()
    let zones = RememberedZones(
      { zone in system.files.withLock { $0[zone.text] } },
      logger: Logger(label: "zones") { _ in Lines(system: system) })
    let (berlin, nowhere) = (try ZoneName("Europe/Berlin"), try ZoneName("Europe/Nowhere"))
    let rules = TimeZoneRules()
    system.files.withLock { $0["Europe/Berlin"] = rules }
    #expect(zones.rules(of: berlin) == rules)
    system.files.withLock { $0 = [:] }
    for _ in 0..<3 { #expect(zones.rules(of: berlin) == rules) }
    #expect(zones.rules(of: nowhere) == nil, "what was never there stays unknown")
    #expect(system.lines.withLock { $0 } == ["warning Europe/Berlin"])
    system.files.withLock { $0["Europe/Berlin"] = rules }
    for _ in 0..<2 { #expect(zones.rules(of: berlin) == rules) }
    #expect(system.lines.withLock { $0 } == ["warning Europe/Berlin", "notice Europe/Berlin"])
  }
}
