import CastProtocol
import Testing

/// The knob (protocol 5.7).
@Suite struct VolumeMachineTests {
  private static func told(_ level: Double, muted: Bool = false, control: String = "attenuation")
    -> VolumeMachine.Event
  {
    let json: JSONValue = [
      "level": .number(level), "muted": .bool(muted), "controlType": .string(control), "stepInterval": 0.02,
    ]
    guard let volume = DeviceVolume(json: json) else { return .timerFired }
    return .told(volume)
  }

  private static func at(_ milliseconds: Int) -> Tick { Tick(.milliseconds(milliseconds)) }

  @Test("a hundred fast changes become few messages, the last of them the last wish")
  func coalesces() {
    var machine = VolumeMachine()
    _ = machine.handle(Self.told(0.1), at: .zero)
    var sent: [Double] = []
    var answersAt: Int?
    for time in stride(from: 0, through: 2000, by: 5) {
      var actions: [VolumeMachine.Action] = []
      if time < 500 { actions += machine.handle(.set(Double(time) / 500), at: Self.at(time)) }
      if let due = answersAt, time >= due {
        answersAt = nil
        actions += machine.handle(.answered, at: Self.at(time))
      }
      actions += machine.handle(.timerFired, at: Self.at(time))
      for case .sendLevel(let level) in actions {
        sent.append(level)
        answersAt = time + 30
      }
    }
    #expect((4...6).contains(sent.count) && sent.last == 495.0 / 500)
    #expect(sent == sent.sorted())
  }

  @Test("an echo of an older wish does not turn the knob back; what the device says later does")
  func ignoresEchoes() {
    var machine = VolumeMachine()
    _ = machine.handle(Self.told(0.1), at: .zero)
    _ = machine.handle(.set(0.5), at: Self.at(10))
    _ = machine.handle(.set(0.9), at: Self.at(20))
    #expect(machine.handle(Self.told(0.5), at: Self.at(60)).isEmpty && machine.level == 0.9)
    _ = machine.handle(.answered, at: Self.at(70))
    #expect(machine.handle(.timerFired, at: Self.at(120)).contains(.sendLevel(0.9)))
    _ = machine.handle(.answered, at: Self.at(150))
    // Somebody else turned it; heard while echoes are kept aside, it counts once they are over.
    #expect(machine.handle(Self.told(0.2), at: Self.at(200)).isEmpty)
    #expect(machine.handle(.timerFired, at: Self.at(621)) == [.changed] && machine.level == 0.2)
  }

  @Test("what somebody else does while a mute of ours settles shows when it has settled")
  func settlesAfterMute() {
    var machine = VolumeMachine()
    var due: Tick?
    func turn(_ event: VolumeMachine.Event, at milliseconds: Int) {
      for case .startTimer(let wait) in machine.handle(event, at: Self.at(milliseconds)) {
        due = Self.at(milliseconds) + wait
      }
    }
    _ = machine.handle(Self.told(0.1), at: .zero)
    turn(.setMuted(true), at: 10)
    turn(.setMuted(false), at: 20)
    turn(.answered, at: 30)
    turn(.timerFired, at: 110)
    turn(.answered, at: 120)
    turn(Self.told(0.7), at: 150)
    #expect(machine.level == 0.1 && due == Self.at(610))
    turn(.timerFired, at: 610)
    #expect(machine.level == 0.7)
  }

  @Test("a request that fails gives back what the device reported last, unless something newer is wanted")
  func restores() {
    var machine = VolumeMachine()
    _ = machine.handle(.set(0.3), at: .zero)
    #expect(machine.handle(.failed, at: Self.at(10)) == [.changed] && machine.level == nil)
    _ = machine.handle(Self.told(0.1), at: Self.at(1000))
    _ = machine.handle(.set(0.5), at: Self.at(1010))
    _ = machine.handle(Self.told(0.2), at: Self.at(1020))
    _ = machine.handle(.set(0.9), at: Self.at(1030))
    _ = machine.handle(.failed, at: Self.at(1200))
    #expect(machine.level == 0.9)
    #expect(machine.handle(.failed, at: Self.at(1300)) == [.changed] && machine.level == 0.2)
    _ = machine.handle(.setMuted(true), at: Self.at(2000))
    #expect(machine.handle(.failed, at: Self.at(2010)) == [.changed] && !machine.isMuted)
    // Nothing is held back any more.
    #expect(machine.handle(Self.told(0.4), at: Self.at(2020)) == [.changed] && machine.level == 0.4)
  }

  @Test("single-precision noise is no change")
  func ignoresNoise() {
    var machine = VolumeMachine()
    #expect(machine.handle(Self.told(0.35), at: .zero) == [.changed])
    #expect(machine.handle(Self.told(0.3499999940395355), at: Self.at(900)).isEmpty)
    #expect(machine.step == 0.02)
  }

  @Test("a fixed volume is not even tried")
  func leavesFixedAlone() {
    var machine = VolumeMachine()
    _ = machine.handle(Self.told(1, control: "fixed"), at: .zero)
    #expect(!machine.canChange && machine.handle(.set(0.3), at: Self.at(1)).isEmpty && machine.level == 1)
    #expect(machine.handle(.setMuted(true), at: Self.at(2)).isEmpty)
  }

  @Test("level and mute travel apart, and a level beyond 0 to 1 is brought into range")
  func keepsApart() {
    var machine = VolumeMachine()
    _ = machine.handle(Self.told(0.5), at: .zero)
    #expect(machine.handle(.setMuted(true), at: Self.at(1)).contains(.sendMuted(true)))
    #expect(!machine.handle(.set(7), at: Self.at(2)).contains { $0 == .sendLevel(1) })
    _ = machine.handle(.answered, at: Self.at(50))
    #expect(machine.handle(.timerFired, at: Self.at(101)).contains(.sendLevel(1)))
    #expect(machine.handle(.set(.nan), at: Self.at(102)).contains(.changed) && machine.level == 0)
  }
}
