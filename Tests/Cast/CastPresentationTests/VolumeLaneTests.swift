import CastPresentation
import CastProtocol
import Testing

/// How the volume of a slider reaches a device (protocol 5.7).
@Suite struct VolumeLaneTests {
  private func tick(_ milliseconds: Int) -> Tick { Tick(.milliseconds(milliseconds)) }
  private func id(_ number: Int) -> IntentID { IntentID(number) }

  /// What is sent and replaced, without the timers.
  private func deeds(_ actions: [VolumeLane.Action]) -> [VolumeLane.Action] {
    actions.filter { if case .startTimer = $0 { false } else { true } }
  }

  @Test("two requests are 100 ms apart, however fast the device replies, and the newest level is sent")
  func keepsPace() {
    var lane = VolumeLane()
    #expect(
      deeds(lane.handle(.setLevel(0.1, unmuting: false, for: id(1)), at: tick(0)))
        == [.sendLevel(0.1, for: id(1))])
    #expect(deeds(lane.handle(.setLevel(0.2, unmuting: false, for: id(2)), at: tick(5))).isEmpty)
    let early = lane.handle(.answered, at: tick(10))
    #expect(early.last == .startTimer(.milliseconds(90)) && deeds(early).isEmpty)
    #expect(
      deeds(lane.handle(.setLevel(0.3, unmuting: false, for: id(3)), at: tick(20)))
        == [.supersede(id(2))])
    #expect(lane.waiting == [id(3)])
    #expect(deeds(lane.handle(.timerFired, at: tick(100))) == [.sendLevel(0.3, for: id(3))])
    #expect(lane.waiting.isEmpty)
  }

  @Test("one request is open at a time, however long the device takes")
  func waitsForReplies() {
    var lane = VolumeLane()
    _ = lane.handle(.setLevel(0.1, unmuting: false, for: id(1)), at: tick(0))
    _ = lane.handle(.setLevel(0.2, unmuting: false, for: id(2)), at: tick(10))
    #expect(deeds(lane.handle(.timerFired, at: tick(900))).isEmpty)
    #expect(deeds(lane.handle(.answered, at: tick(1000))) == [.sendLevel(0.2, for: id(2))])
  }

  @Test("turning up a muted device unmutes it first, and its level has the outcome")
  func unmutes() {
    var lane = VolumeLane()
    #expect(
      deeds(lane.handle(.setLevel(0.6, unmuting: true, for: id(1)), at: tick(0)))
        == [.sendMuted(false, for: nil)])
    #expect(deeds(lane.handle(.setMuted(true, for: id(2)), at: tick(10))).isEmpty)
    #expect(
      deeds(lane.handle(.setLevel(0.7, unmuting: true, for: id(3)), at: tick(20)))
        == [.supersede(id(2)), .supersede(id(1))])
    #expect(deeds(lane.handle(.answered, at: tick(100))) == [.sendMuted(false, for: nil)])
    _ = lane.handle(.answered, at: tick(110))
    #expect(deeds(lane.handle(.timerFired, at: tick(200))) == [.sendLevel(0.7, for: id(3))])
  }
}
