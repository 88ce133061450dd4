import CastProtocol
import CastReceiverSim
import Testing

/// The copy of a queue and a receiver whose queue two senders edit (protocol 7.7).
struct MediaQueuePairTests {
  /// What the network does to announcements of changes, as chances.
  struct Weather: Sendable, CustomTestStringConvertible {
    var lost = 0.0
    var twice = 0.0
    var late = 0.0
    var testDescription: String { "lost \(lost), twice \(twice), late \(late)" }
  }

  @Test(
    "the copy equals the queue through 1,000 edits by two senders",
    arguments: [
      Weather(), Weather(lost: 0.1, twice: 0.1), Weather(lost: 0.05, late: 0.3),
    ])
  func staysEqual(weather: Weather) {
    let seed = UInt64(weather.lost * 100 + weather.twice * 1_000 + weather.late * 10_000)
    var pair = QueuePair(seed: seed, weather: weather)
    pair.start()
    #expect(pair.copy == pair.truth)
    #expect(pair.truth.count == 3)
    var dice = Dice(seed: seed &+ 77)
    var edits = 0
    while edits < 1_000 {
      // Several edits at once now and then: answers and announcements cross.
      for _ in 0..<dice.number(1...3) {
        pair.edit(&dice)
        edits += 1
      }
      pair.settle()
      guard pair.knowsOfNewestChange else { continue }
      let truth = pair.truth
      #expect(pair.copy == truth && pair.isComplete, "edit \(edits), seed \(seed)")
      if edits.isMultiple(of: 10) { pair.compareItems() }
      if pair.copy != truth { return }
    }
    pair.weather = Weather()
    pair.reload()
    pair.settle()
    #expect(pair.copy == pair.truth && pair.isComplete)
    // The next-change rule has to do most of the work, or it is no rule.
    if weather.lost + weather.twice + weather.late == 0 { #expect(pair.questions < 60, "\(pair.questions)") }
    #expect(pair.wrongItems == 0)
  }
}
