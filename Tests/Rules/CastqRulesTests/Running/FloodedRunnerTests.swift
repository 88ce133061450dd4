import CastProtocol
import Testing
@testable import CastqFeeding

@Suite("A device that floods its connection")
struct FloodedRunnerTests {
  /// A daemon waits for ever.
  private static var configuration: RunnerConfiguration {
    var configuration = RunnerConfiguration()
    configuration.reconnect.giveUpAfter = nil
    return configuration
  }

  private static let flood = CastError(.tooManyMessages, "lobby sent too much; restart it")

  @Test("it is called again after a minute, and after twice as long each time, up to an hour")
  func patience() {
    var bench = RunnerBench(Self.configuration)
    bench.begin()
    for (offset, wait) in [60, 120, 240, 480, 960, 1920, 3600, 3600].enumerated() {
      bench.hear(.active(RunnerBench.application), of: offset + 1)
      bench.hear(.ended(Self.flood), of: offset + 1, after: .seconds(6))
      #expect(bench.pause(of: .call) == .seconds(wait))
      bench.tell(.timerFired(.call), after: .seconds(wait))
      #expect(bench.opened?.number == SessionNumber(offset + 2))
    }
    #expect(bench.end == nil)
  }

  @Test("where more came than could be handled it is called at once, and left alone if that happens again")
  func overflow() {
    var bench = RunnerBench(Self.configuration)
    bench.begin()
    for (number, (length, wait)) in [(6, 0), (6, 60), (6, 120), (4000, 0)].enumerated() {
      bench.hear(.active(RunnerBench.application), of: number + 1)
      bench.tell(.sessionFlooded(SessionNumber(number + 1)), after: .seconds(length))
      let pause = bench.pause(of: .call)
      #expect(wait == 0 ? pause.map { $0 < .seconds(10) } == true : pause == .seconds(wait))
      bench.tell(.timerFired(.call), after: pause ?? .zero)
    }
  }

  @Test("one that did well for an hour is left alone for a minute again")
  func better() {
    var bench = RunnerBench(Self.configuration)
    bench.begin()
    for (number, (length, wait)) in [(6, 60), (6, 120), (3600, 60), (6, 120)].enumerated() {
      bench.hear(.active(RunnerBench.application), of: number + 1)
      bench.hear(.ended(Self.flood), of: number + 1, after: .seconds(length))
      #expect(bench.pause(of: .call) == .seconds(wait))
      bench.tell(.timerFired(.call), after: .seconds(wait))
    }
  }
}
