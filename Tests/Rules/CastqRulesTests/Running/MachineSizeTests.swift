import CastqFeeding
import CastqText
import Testing

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
}
