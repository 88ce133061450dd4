import Testing
@testable import CastqCommands

@Suite("Where a page's daemon is started")
struct DaemonPlaceTests {
  @Test("what systemd has started starts no daemon: it would be a part of that service")
  func service() {
    #expect(DaemonPlace(process: 700, systemd: "700", isSystems: false) == .service("castq.service"))
    // A terminal that a service has started passes its variables on.
    #expect(DaemonPlace(process: 700, systemd: "23", isSystems: false) == .here)
    #expect(DaemonPlace(process: 700, systemd: nil, isSystems: true) == .service("castq.service"))
    #expect(DaemonPlace(process: 700, systemd: nil, isSystems: false) == .here)
    #expect(DaemonPlace(process: 1, systemd: nil, isSystems: false) == .elsewhere)
  }
}
