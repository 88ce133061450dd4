import CastqDaemon
import Testing

@Suite("Limits of a call")
struct CallLimitsTests {
  @Test(
    "the parts of a call, one after the other, end before the whole does", arguments: [false, true], [3, 10])
  func sums(isFirst: Bool, seconds: Int) {
    let whole = Duration.seconds(seconds)
    for hasTwoPlaces in [false, true] {
      let limits = CallLimits(whole: whole, isFirst: isFirst, hasTwoPlaces: hasTwoPlaces)
      #expect(limits.start == whole)
      #expect(limits.connect * (hasTwoPlaces ? 2 : 1) < whole)
      #expect((limits.proof ?? .zero) + limits.request < whole)
      #expect(limits.request >= whole / 3, "there is time for an answer")
    }
  }

  @Test("only the first call has to leave time for a device that does not say who it is")
  func proof() {
    let first = CallLimits(whole: .seconds(10), isFirst: true, hasTwoPlaces: false)
    #expect(first.proof == .milliseconds(4500) && first.request == .milliseconds(4500))
    let later = CallLimits(whole: .seconds(10), isFirst: false, hasTwoPlaces: false)
    #expect(later.proof == nil && later.request == .seconds(9))
  }
}
