import CastProtocol
import CastqFeeding
import Testing

@Suite("Signs of life that are missing")
struct SignsOfLifeTests {
  private func tick(_ seconds: Double) -> Tick { Tick(.bounded(seconds: seconds)) }

  @Test("what does not answer for a second is silent since it was asked first, until it answers")
  func silence() {
    var signs = SignsOfLife()
    let isAsked = [signs.ask("a", at: tick(10)), signs.ask("b", at: tick(10.5))]
    #expect(isAsked == [true, true])
    #expect(signs.silent(at: tick(10.9)).isEmpty)
    #expect(signs.silent(at: tick(11)).map(\.name) == ["a"])
    signs.heard("b")
    let isAskedAgain = signs.ask("a", at: tick(12))
    #expect(!isAskedAgain, "questions do not pile up")
    #expect(signs.silent(at: tick(13)) == [.init(name: "a", time: .seconds(3))])
    signs.heard("a")
    #expect(signs.silent(at: tick(99)).isEmpty)
    let isAskedLater = signs.ask("a", at: tick(100))
    #expect(isAskedLater)
    #expect(signs.silent(at: tick(102.5)).map(\.words) == ["a has not run for 2 s"])
  }
}
