import CastProtocol
import CastqFeeding
import Testing

@Suite("The gap meter")
struct GapMeterTests {
  @Test("percentiles are gaps that really were, whatever their number and order")
  func percentiles() {
    let none = GapMeter([])
    #expect(none.count == 0)
    #expect([none.p50, none.p95, none.p99] == [nil, nil, nil])
    let one = GapMeter([0.4])
    #expect([one.p50, one.p95, one.p99] == [0.4, 0.4, 0.4])
    let hundred = GapMeter((1...100).map { Double($0) / 100 }.shuffled())
    #expect(hundred.count == 100)
    #expect([hundred.p50, hundred.p95, hundred.p99] == [0.5, 0.95, 0.99])
    #expect([hundred.percentile(0), hundred.percentile(100), hundred.percentile(1000)] == [0.01, 1, 1])
    let odd = GapMeter([3, 1, 2])
    #expect([odd.p50, odd.p95] == [2, 3])
    let strange = GapMeter([.nan, .infinity, -1, 5])
    #expect(strange.count == 1)
    #expect(strange.p99 == 5)
  }

  @Test(
    "preloading begins earlier where transitions are slow, within bounds, and only when enough is known",
    arguments: [
      (gap: 0.05, count: 500, preload: 10.0), (2.0, 20, 10), (2.1, 20, 11), (4.5, 20, 23), (4.5, 19, 10),
      (6, 20, 30), (59, 500, 30),
    ])
  func preload(gap: Double, count: Int, preload: Double) {
    let meter = GapMeter(Array(repeating: gap, count: count))
    #expect(meter.preloadTime(usually: 10).seconds == preload)
  }

  @Test("one slow transition in a hundred changes nothing")
  func outlier() {
    #expect(GapMeter(Array(repeating: 0.1, count: 99) + [50]).preloadTime(usually: 10) == 10)
  }
}
