import Testing
@testable import CastqFeeding
@testable import CastqSchedule
@testable import CastqText

@Suite struct HeldScreensTests {
  private func moment(_ second: Int64) -> WallTime { WallTime(milliseconds: second * 1000) }

  @Test("a window that announcements and shares hold up from its beginning on counts from their end")
  func held() {
    var screens = HeldScreens()
    _ = screens.start(of: .announcement, on: "lobby", at: moment(100), planned: moment(100))
    _ = screens.start(of: .share, on: "lobby", at: moment(120), planned: moment(120))
    #expect(screens.start(of: .rule, on: "lobby", at: moment(150), planned: moment(100)) == moment(150))
    #expect(
      screens.start(of: .rule, on: "lobby", at: moment(300), planned: moment(290)) == moment(290),
      "nothing holds it any more")
  }

  @Test("a window that was late before they came counts from its planned start, as it does on another screen")
  func late() {
    var screens = HeldScreens()
    _ = screens.start(of: .announcement, on: "lobby", at: moment(110), planned: moment(110))
    #expect(screens.start(of: .rule, on: "bar", at: moment(130), planned: moment(110)) == moment(110))
    #expect(screens.start(of: .rule, on: "lobby", at: moment(130), planned: moment(100)) == moment(100))
  }

  @Test(
    "what is on between an announcement and the window is no reason",
    arguments: [PlanSegment.Kind.base, .dark])
  func between(kind: PlanSegment.Kind) {
    var screens = HeldScreens()
    _ = screens.start(of: .announcement, on: "lobby", at: moment(100), planned: moment(100))
    _ = screens.start(of: kind, on: "lobby", at: moment(120), planned: moment(120))
    #expect(screens.start(of: .rule, on: "lobby", at: moment(150), planned: moment(100)) == moment(100))
  }
}
