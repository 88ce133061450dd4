import CastqCore
import Testing

/// A reader can hold a machine in the head: state carries what it owns, in values of its own.
@Suite struct MachineSizeTests {
  private func properties(_ machine: Any) -> [String] {
    Mirror(reflecting: machine).children.compactMap(\.label)
  }

  @Test("no machine of the feeding half has more than 15 properties beside its phase")
  func few() {
    let machines: [Any] = [RunnerBench().machine, FeederMachine(queue: "q"), SupervisorMachine()]
    for machine in machines {
      let all = properties(machine).filter { !["phase", "stage"].contains($0) }
      #expect((1...15).contains(all.count), "\(type(of: machine)): \(all)")
    }
  }
}
