import CastProtocol
import CastTestKit
import Testing

extension ScheduledRunTests {
  @Test("an announcement that begins while one item follows the other is shown whole, whoever speaks first")
  func betweenItems() throws {
    let base = ["v10.mp4", "w10.mp4"]
    var quiet = Self.feed(base, [], [:])
    quiet.run(until: Tick(.seconds(60)))
    let change = try #require(quiet.watch.all.first { $0.until > Tick(.seconds(35)) }).until.sinceStart
    var missing: [Int] = []
    for milliseconds in -8...8 {
      var feed = Self.feed(base, [Self.announcement(1, "call", at: 40)], ["call": ["v5.mp4"]])
      feed.jumpClock(by: .seconds(40) - change - .milliseconds(milliseconds))
      feed.run(until: Tick(.seconds(70)))
      if !Self.shown(feed).contains("3@0 5") { missing.append(milliseconds) }
    }
    #expect(missing.isEmpty, "milliseconds after the change of items")
  }
}
