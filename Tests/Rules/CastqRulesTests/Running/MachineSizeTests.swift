import CastProtocol
import CastqText
import Testing

@testable import CastqFeeding

/// A reader can hold a machine in the head: state carries what it owns, in values of its own.
@Suite struct MachineSizeTests {
  private func properties(_ machine: Any) -> [String] {
    Mirror(reflecting: machine).children.compactMap(\.label)
  }

  @Test("no machine of the feeding half has more than 15 properties beside its phase")
  func few() throws {
    let schedule = VirtualScreen(Bench.book("UTC", []), at: WallTime(milliseconds: 0)).machine
    // What it owns while it serves a device is its phase's.
    let screen = Mirror(reflecting: schedule).descendant("phase", "serving")
    let machines: [Any] = [
      RunnerBench().machine, FeederMachine(queue: "q"), SupervisorMachine(), try #require(screen),
    ]
    for machine in machines {
      let all = properties(machine).filter { !["phase", "stage"].contains($0) }
      #expect((1...15).contains(all.count), "\(type(of: machine)): \(all)")
    }
  }

  @Test("a feeder stores little outside its phase: what a phase owns dies with it")
  func leaves() {
    var feeder = MachineLeaves()
    var ledger = MachineLeaves()
    var page = MachineLeaves()
    for way in FeederTotalityTests.Way.allCases {
      for first in FeederTotalityTests.events {
        var machine = way.machine()
        _ = machine.handle(first, at: Tick(.seconds(2)), wall: WallTime(milliseconds: 1_001_000))
        for second in FeederTotalityTests.events.prefix(4) {
          var machine = machine
          _ = machine.handle(second, at: Tick(.seconds(3)), wall: WallTime(milliseconds: 1_002_000))
          // The ledger is a machine of its own, whose phase is the open play; the others are what it was made with.
          feeder.add(machine, besides: ["configuration", "ledger"])
          ledger.add(machine.ledger, besides: ["open"])
          if let shown = machine.page { page.add(shown, besides: ["item", "call"]) }
        }
      }
    }
    #expect((16...20).contains(feeder.all.count), "\(feeder.all)")
    #expect((5...8).contains(ledger.all.count), "\(ledger.all)")
    #expect(page.all.isEmpty, "\(page.all)")
  }
}
