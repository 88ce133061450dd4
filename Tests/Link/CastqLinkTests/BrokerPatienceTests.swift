import CastqLink
import Testing

@Suite("Calls of a broker")
struct BrokerPatienceTests {
  /// The pause after a connection of so many seconds that began at zero.
  private func pause(_ patience: inout BrokerPatience, after seconds: Int, isTakenOver: Bool = false) -> Int {
    patience.connected(at: .zero)
    return patience.lost(at: .seconds(seconds), isTakenOver: isTakenOver)
  }

  @Test("two clients of one name push each other off more and more rarely, and the third time it is said")
  func pushedOff() {
    var patience = BrokerPatience()
    var pauses: [Int] = []
    var verdicts: [Bool] = []
    for _ in 0..<9 {
      // Each has the broker as long as the other one waits.
      pauses.append(pause(&patience, after: pauses.last ?? 1))
      verdicts.append(patience.isPushedOff)
    }
    #expect(pauses == [1, 2, 4, 8, 15, 30, 60, 60, 60])
    #expect(verdicts.firstIndex(of: true) == 2 && verdicts.last == true)
  }

  @Test("after a connection that lasted the first call is soon, and calls that reach nobody change nothing")
  func lasting() {
    var patience = BrokerPatience()
    for _ in 0..<9 { _ = pause(&patience, after: 1) }
    let unreached = patience.lost(at: .seconds(500))
    #expect(unreached == 60 && patience.isPushedOff)
    let soon = pause(&patience, after: 120)
    #expect(soon == 1 && !patience.isPushedOff)
  }

  @Test("a broker that says that another client has the name is believed at once")
  func takenOver() {
    var patience = BrokerPatience()
    let rest = pause(&patience, after: 1, isTakenOver: true)
    #expect(rest == 4 && patience.isPushedOff)
  }
}
