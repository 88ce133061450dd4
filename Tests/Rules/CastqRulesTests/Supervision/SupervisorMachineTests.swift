import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

/// Which device has a runner, and what happens after one has ended.
@Suite struct SupervisorMachineTests {
  private static let lobby = DeviceID(1)
  private static let hall = DeviceID(2)

  /// A supervisor whose device in the lobby has work and a runner.
  private static func running(_ policy: GuestPolicy = .standard) -> SupervisorMachine {
    var machine = SupervisorMachine()
    _ = machine.handle(.guests(standard: .always, [lobby: policy]), at: .zero)
    #expect(machine.handle(.work([lobby]), at: .zero) == [.start(lobby)])
    return machine
  }

  /// One of each.
  static let ends: [RunEnd] = [
    .drained(failed: 0), .takenOver("theirs"), .stoppedElsewhere, .refused(PlayReason()),
    .unreachable(.nothingPlays), .stopped, .halted, .entryFailed(PlayReason()), .failed(.nothingPlays), .busy,
  ]

  @Test(
    "until idle, each device is fed once, whichever way that ends, and castq ends with the last",
    arguments: ends)
  func untilIdle(end: RunEnd) {
    var machine = SupervisorMachine(.untilIdle(awaitsStart: false))
    let both: Set = [Self.lobby, Self.hall]
    #expect(machine.handle(.work(both), at: .zero) == [.start(Self.lobby), .start(Self.hall)])
    #expect(machine.handle(.ended(Self.lobby, end, hasShown: true), at: .zero).isEmpty)
    #expect(machine.handle(.work(both), at: .zero).isEmpty, "\(end)")
    #expect(machine.handle(.ended(Self.hall, end, hasShown: true), at: .zero) == [.finished])
  }

  @Test("until idle, a supervisor that has nothing to feed is finished")
  func nothingToFeed() {
    var machine = SupervisorMachine(.untilIdle(awaitsStart: false))
    #expect(machine.handle(.work([]), at: .zero) == [.finished])
  }

  @Test("nothing is fed before the start it awaits")
  func awaitsStart() {
    var machine = SupervisorMachine(.untilIdle(awaitsStart: true))
    #expect(machine.handle(.work([Self.lobby]), at: .zero).isEmpty)
    #expect(machine.handle(.quiet([:]), at: .zero).isEmpty)
    #expect(machine.handle(.start(Self.lobby), at: .zero) == [.start(Self.lobby)])
    #expect(machine.handle(.abandoned, at: .zero).isEmpty, "it feeds")
    #expect(
      machine.handle(.ended(Self.lobby, .drained(failed: 0), hasShown: true), at: .zero) == [.finished])
  }

  @Test("a supervisor whose start never comes is finished", arguments: [true, false])
  func neverStarted(isStopped: Bool) {
    var machine = SupervisorMachine(.untilIdle(awaitsStart: true))
    _ = machine.handle(.work([Self.lobby]), at: .zero)
    #expect(machine.handle(isStopped ? .hold(Self.lobby) : .abandoned, at: .zero) == [.finished])
  }

  @Test("a supervisor for ever is never finished by itself")
  func forever() {
    var machine = SupervisorMachine()
    #expect(machine.handle(.work([]), at: .zero).isEmpty)
    #expect(machine.handle(.abandoned, at: .zero).isEmpty)
    #expect(machine.handle(.hold(Self.lobby), at: .zero).isEmpty)
  }

  private static func tick(_ seconds: Int) -> Tick { Tick(.seconds(seconds)) }

  private static func waited(_ wait: SupervisorWait) -> [SupervisorMachine.Action] {
    switch wait {
    case .pause(let length, _), .guest(let length, _):
      [.startTimer(lobby, after: length), .waits(lobby, wait)]
    case .person: [.waits(lobby, wait)]
    }
  }

  @Test("a device has a runner as soon as it has work, and only one")
  func starting() {
    var machine = SupervisorMachine()
    #expect(
      machine.handle(.work([Self.hall, Self.lobby]), at: .zero) == [.start(Self.lobby), .start(Self.hall)])
    #expect(machine.handle(.work([Self.lobby, Self.hall]), at: .zero).isEmpty)
    #expect(machine.handle(.work([]), at: .zero).isEmpty, "what plays ends by itself")
    #expect(machine.running == [Self.lobby, Self.hall])
  }

  @Test("a drained device rests, and starts again with the next work")
  func drained() {
    var machine = Self.running()
    _ = machine.handle(.work([]), at: Self.tick(5))
    #expect(machine.handle(.ended(Self.lobby, .drained(failed: 0), hasShown: true), at: Self.tick(5)).isEmpty)
    #expect(machine.running.isEmpty)
    #expect(machine.handle(.work([Self.lobby]), at: Self.tick(6)) == [.start(Self.lobby)])
  }

  @Test("rows that came while the last one ended are fed at once")
  func drainedWithWork() {
    var machine = Self.running()
    #expect(
      machine.handle(.ended(Self.lobby, .drained(failed: 0), hasShown: true), at: Self.tick(5)) == [
        .start(Self.lobby)
      ])
  }

  @Test(
    "after each end, with each policy for guests, the next step is the right one",
    arguments: ends, [.never, .lease(.seconds(600)), .always] as [GuestPolicy])
  func afterTheEnd(_ end: RunEnd, _ policy: GuestPolicy) {
    var machine = Self.running(policy)
    let actions = machine.handle(.ended(Self.lobby, end, hasShown: false), at: Self.tick(1))
    let expected: [SupervisorMachine.Action] =
      switch end {
      case .stopped: [.start(Self.lobby)]
      case .halted, .entryFailed: Self.waited(.person(after: end))
      case .refused: Self.waited(.pause(.seconds(5), after: end))
      case .busy: Self.waited(.pause(.seconds(2), after: end))
      case .drained, .unreachable, .failed: Self.waited(.pause(.seconds(1), after: end))
      case .superseded: [.finished]
      case .takenOver, .stoppedElsewhere:
        switch policy {
        case .never: [.start(Self.lobby)]
        case .lease: Self.waited(.guest(.seconds(600), after: end))
        case .always: Self.waited(.person(after: end))
        }
      }
    #expect(actions == expected)
    let isHeld = expected.contains(.waits(Self.lobby, .person(after: end)))
    #expect(machine.isHeld(Self.lobby) == isHeld)
    // New rows are no reason to forget what it waits for; somebody who starts it is.
    let isRunning = expected == [.start(Self.lobby)]
    #expect(machine.handle(.work([Self.lobby]), at: Self.tick(2)).isEmpty)
    let started = machine.handle(.start(Self.lobby), at: Self.tick(3))
    #expect(started.last == (isRunning ? nil : .start(Self.lobby)))
    #expect(started.contains(.cancelTimer(Self.lobby)) == (!isRunning && !isHeld))
  }

  @Test("when another box feeds two screens, every runner leaves its screen as it is, and castq ends")
  func superseded() {
    var machine = Self.running()
    let attic = DeviceID(3)
    _ = machine.handle(.work([Self.lobby, Self.hall, attic]), at: .zero)
    _ = machine.handle(.ended(Self.lobby, .superseded(epoch: 4), hasShown: true), at: Self.tick(1))
    #expect(!machine.isSuperseded)
    #expect(
      machine.handle(.ended(Self.hall, .superseded(epoch: 4), hasShown: true), at: Self.tick(1)) == [
        .end(attic, .leave, because: PlayEnding(.otherBox))
      ])
    #expect(machine.isSuperseded)
    #expect(machine.handle(.start(Self.lobby), at: Self.tick(2)).isEmpty)
    #expect(machine.handle(.ended(attic, .stopped, hasShown: true), at: Self.tick(3)) == [.finished])
  }

  @Test("one screen of several that has a newer epoch is left alone, and the others are fed on")
  func supersededAlone() {
    var machine = Self.running()
    _ = machine.handle(.work([Self.lobby, Self.hall]), at: .zero)
    let end = RunEnd.superseded(epoch: EntryTag.latestEpoch)
    #expect(
      machine.handle(.ended(Self.lobby, end, hasShown: true), at: Self.tick(1)) == [
        .waits(Self.lobby, .person(after: end))
      ])
    // The same screen again, after a person has started it: still one witness.
    #expect(machine.handle(.start(Self.lobby), at: Self.tick(2)) == [.start(Self.lobby)])
    #expect(
      machine.handle(.ended(Self.lobby, end, hasShown: false), at: Self.tick(3)) == [
        .waits(Self.lobby, .person(after: end))
      ])
    #expect(machine.running == [Self.hall] && !machine.isSuperseded)
  }

  @Test("the lease counts from the takeover, and then the screen is taken back")
  func lease() {
    var machine = Self.running(.lease(.seconds(90)))
    let yielded = machine.handle(.ended(Self.lobby, .takenOver("theirs"), hasShown: true), at: Self.tick(100))
    #expect(yielded.first == .startTimer(Self.lobby, after: .seconds(90)))
    #expect(machine.handle(.timerFired(Self.lobby), at: Self.tick(190)) == [.start(Self.lobby)])
    #expect(machine.handle(.timerFired(Self.lobby), at: Self.tick(191)).isEmpty)
  }

  @Test(
    "whoever does not let it be is met ever more slowly, and a quiet minute forgets that",
    arguments: [
      (RunEnd.refused(PlayReason()), [5, 10, 20, 40, 60, 60]), (.takenOver("theirs"), [0, 1, 2, 5, 10, 10]),
    ])
  func backingOff(_ end: RunEnd, _ pauses: [Int]) {
    var machine = Self.running(.never)
    var now = 0
    func first(_ actions: [SupervisorMachine.Action]) -> Int? {
      switch actions.first {
      case .startTimer(_, let length)?: Int(length.seconds)
      case .start?: 0
      default: nil
      }
    }
    for pause in pauses {
      now += 30
      #expect(first(machine.handle(.ended(Self.lobby, end, hasShown: true), at: Self.tick(now))) == pause)
      now += pause
      if pause > 0 {
        #expect(machine.handle(.timerFired(Self.lobby), at: Self.tick(now)) == [.start(Self.lobby)])
      }
    }
    now += 61
    #expect(first(machine.handle(.ended(Self.lobby, end, hasShown: true), at: Self.tick(now))) == pauses[0])
  }

  @Test("a list that drains without showing anything though work is left does not spin")
  func fruitless() {
    var machine = Self.running()
    var pauses: [Duration] = []
    for second in 0..<8 {
      for action in machine.handle(
        .ended(Self.lobby, .drained(failed: 0), hasShown: false), at: Self.tick(second))
      {
        if case .startTimer(_, let length) = action { pauses.append(length) }
      }
      _ = machine.handle(.timerFired(Self.lobby), at: Self.tick(second))
    }
    #expect(pauses == [1, 2, 5, 10, 30, 60, 60, 60].map { .seconds($0) })
  }

  @Test("a device that a person stopped before it began stays so until somebody starts it")
  func holding() {
    var machine = SupervisorMachine()
    #expect(machine.handle(.hold(Self.lobby), at: .zero).isEmpty)
    #expect(machine.handle(.work([Self.lobby]), at: .zero).isEmpty)
    #expect(machine.handle(.start(Self.lobby), at: .zero) == [.start(Self.lobby)])
    // What runs is stopped by its runner.
    #expect(machine.handle(.hold(Self.lobby), at: .zero).isEmpty)
    #expect(machine.running == [Self.lobby])
  }

  @Test("a hold during a guest's lease outlasts the lease")
  func holdingAGuest() {
    var machine = Self.running(.lease(.seconds(60)))
    _ = machine.handle(.ended(Self.lobby, .takenOver("theirs"), hasShown: true), at: Self.tick(1))
    #expect(machine.handle(.hold(Self.lobby), at: Self.tick(2)) == [.cancelTimer(Self.lobby)])
    #expect(machine.handle(.timerFired(Self.lobby), at: Self.tick(61)).isEmpty)
    #expect(machine.isHeld(Self.lobby))
  }

  @Test("in quiet hours the runner is ended, nothing begins, and all goes on afterwards")
  func quietHours() {
    var machine = Self.running()
    #expect(
      machine.handle(.quiet([Self.lobby: .backdrop]), at: Self.tick(1)) == [
        .end(Self.lobby, .quit, because: PlayEnding(.quietHours))
      ])
    #expect(machine.handle(.quiet([Self.lobby: .backdrop]), at: Self.tick(2)).isEmpty, "told once")
    #expect(machine.handle(.ended(Self.lobby, .stopped, hasShown: true), at: Self.tick(3)).isEmpty)
    #expect(machine.handle(.start(Self.lobby), at: Self.tick(4)).isEmpty)
    #expect(machine.handle(.work([Self.lobby, Self.hall]), at: Self.tick(5)) == [.start(Self.hall)])
    #expect(machine.handle(.quiet([:]), at: Self.tick(6)) == [.start(Self.lobby)])
  }

  @Test("quiet hours that are black show the picture once what was shown has ended, and only then")
  func blackHours() {
    var machine = Self.running()
    #expect(
      machine.handle(.quiet([Self.lobby: .black]), at: Self.tick(1)) == [
        .end(Self.lobby, .black, because: PlayEnding(.quietHours))
      ])
    #expect(
      machine.handle(.ended(Self.lobby, .stopped, hasShown: true), at: Self.tick(2)) == [
        .clear(Self.lobby, .black, because: PlayEnding(.quietHours))
      ])
    #expect(machine.handle(.cleared(Self.lobby), at: Self.tick(3)).isEmpty)
    #expect(machine.handle(.quiet([:]), at: Self.tick(4)) == [.start(Self.lobby)])
    _ = machine.handle(.quiet([Self.lobby: .black]), at: Self.tick(5))
    #expect(
      machine.handle(.ended(Self.lobby, .stopped, hasShown: false), at: Self.tick(6)).isEmpty,
      "castq has shown nothing there")
  }

  @Test("what an earlier castq has left is ended where nothing is due, and adopted where something is")
  func left() {
    var machine = SupervisorMachine()
    _ = machine.handle(.quiet([Self.hall: .application]), at: .zero)
    #expect(machine.handle(.work([Self.lobby, Self.hall]), at: .zero) == [.start(Self.lobby)])
    #expect(
      machine.handle(.left([Self.lobby, Self.hall]), at: .zero) == [
        .clear(Self.hall, .stop, because: PlayEnding(.quietHours))
      ])
    #expect(machine.handle(.quiet([Self.hall: .backdrop]), at: Self.tick(1)).isEmpty, "told once")
    #expect(machine.handle(.cleared(Self.hall), at: Self.tick(2)).isEmpty)
    #expect(machine.handle(.quiet([Self.hall: .backdrop]), at: Self.tick(3)).isEmpty, "done once")
    #expect(machine.handle(.quiet([:]), at: Self.tick(4)) == [.start(Self.hall)])
  }

  @Test("what is left on a stopped device, or one without work, is ended; its stop stays")
  func leftWhenStopped() {
    var machine = SupervisorMachine()
    _ = machine.handle(.work([Self.lobby], stopped: [Self.lobby]), at: .zero)
    #expect(
      machine.handle(.left([Self.lobby, Self.hall]), at: .zero) == [
        .clear(Self.lobby, .stop, because: PlayEnding(.nothingDue)),
        .clear(Self.hall, .stop, because: PlayEnding(.nothingDue)),
      ])
    #expect(machine.handle(.cleared(Self.lobby), at: Self.tick(1)).isEmpty)
    #expect(machine.isHeld(Self.lobby))
    let ended = machine.handle(.shutDown(.leave, because: "update"), at: Self.tick(2))
    #expect(ended == [.end(Self.hall, .leave, because: "update")])
    #expect(machine.handle(.cleared(Self.hall), at: Self.tick(3)) == [.finished])
  }

  @Test("a start gives up the ending of what is left: the runner adopts it")
  func startWhileClearing() {
    var machine = SupervisorMachine()
    _ = machine.handle(.work([Self.lobby]), at: .zero)
    _ = machine.handle(.ended(Self.lobby, .halted, hasShown: true), at: .zero)
    _ = machine.handle(.left([Self.lobby]), at: .zero)
    #expect(
      machine.handle(.start(Self.lobby), at: Self.tick(1)) == [
        .end(Self.lobby, .leave, because: "something is due")
      ])
    #expect(machine.handle(.start(Self.lobby), at: Self.tick(1)).isEmpty, "told once")
    #expect(machine.handle(.cleared(Self.lobby), at: Self.tick(2)) == [.start(Self.lobby)])
  }

  @Test("a runner that only waits for its rule leaves the screen to be cleared first")
  func leftBeforeARule() {
    var machine = Self.running()
    _ = machine.handle(.left([Self.lobby]), at: .zero)
    #expect(
      machine.handle(.rests(Self.lobby), at: .zero) == [
        .end(Self.lobby, .leave, because: PlayEnding(.nothingDue))
      ])
    #expect(
      machine.handle(.ended(Self.lobby, .stopped, hasShown: false), at: .zero) == [
        .clear(Self.lobby, .stop, because: PlayEnding(.nothingDue))
      ])
    #expect(machine.handle(.cleared(Self.lobby), at: Self.tick(1)) == [.start(Self.lobby)])
    #expect(machine.handle(.rests(Self.lobby), at: Self.tick(2)).isEmpty, "once")
  }

  @Test("a stop that was lifted before the run was over holds nothing: what is due begins")
  func lifted() {
    for (isLifted, isStopped, starts) in [(true, false, true), (true, true, false), (false, false, false)] {
      var machine = Self.running()
      _ = machine.handle(.work([Self.lobby], stopped: isStopped ? [Self.lobby] : []), at: Self.tick(1))
      let actions = machine.handle(
        .ended(Self.lobby, .halted, hasShown: true, isLifted: isLifted), at: Self.tick(1))
      #expect(actions.contains(.start(Self.lobby)) == starts, "\(actions)")
      #expect(machine.isHeld(Self.lobby) != starts)
    }
  }

  @Test("a person's stop outlasts quiet hours")
  func heldThroughQuietHours() {
    var machine = Self.running()
    _ = machine.handle(.ended(Self.lobby, .halted, hasShown: true), at: Self.tick(1))
    #expect(machine.handle(.quiet([Self.lobby: .backdrop]), at: Self.tick(2)).isEmpty)
    #expect(machine.handle(.quiet([:]), at: Self.tick(3)).isEmpty)
  }

  @Test(
    "a shutdown ends all runners as configured, waits for them, and begins none",
    arguments: [.leave, .stop] as [RunnerEnding])
  func shutdown(_ manner: RunnerEnding) {
    var machine = Self.running(.lease(.seconds(60)))
    _ = machine.handle(.work([Self.lobby, Self.hall]), at: .zero)
    _ = machine.handle(.ended(Self.lobby, .takenOver("theirs"), hasShown: true), at: Self.tick(1))
    #expect(
      machine.handle(.shutDown(manner, because: "update"), at: Self.tick(2)) == [
        .cancelTimer(Self.lobby), .end(Self.hall, manner, because: "update"),
      ])
    #expect(machine.handle(.shutDown(.stop, because: "update"), at: Self.tick(2)).isEmpty)
    #expect(machine.handle(.work([Self.lobby]), at: Self.tick(2)).isEmpty)
    #expect(machine.handle(.start(Self.lobby), at: Self.tick(2)).isEmpty)
    #expect(machine.handle(.ended(Self.hall, .stopped, hasShown: true), at: Self.tick(3)) == [.finished])
  }

  @Test("a shutdown with nothing under way is over at once")
  func idleShutdown() {
    var machine = SupervisorMachine()
    #expect(machine.handle(.shutDown(.leave, because: "update"), at: .zero) == [.finished])
  }

  @Test(
    "a list that rows say was stopped is not begun with, and begins when somebody starts it, here or elsewhere"
  )
  func stoppedRows() {
    var machine = SupervisorMachine()
    let halted = SupervisorWait.person(after: .halted)
    #expect(
      machine.handle(.work([Self.lobby], stopped: [Self.lobby]), at: .zero) == [.waits(Self.lobby, halted)])
    #expect(machine.isHeld(Self.lobby))
    #expect(machine.handle(.work([Self.lobby], stopped: [Self.lobby]), at: Self.tick(1)).isEmpty, "told once")
    #expect(machine.wait(of: Self.lobby, at: Self.tick(1)) == halted)
    var other = machine
    #expect(machine.handle(.start(Self.lobby), at: Self.tick(2)) == [.start(Self.lobby)])
    #expect(other.handle(.work([Self.lobby]), at: Self.tick(2)) == [.start(Self.lobby)])
    #expect(other.wait(of: Self.lobby, at: Self.tick(3)) == nil)
  }

  @Test("what a device waits for is told with what is left of it")
  func rest() {
    var machine = Self.running(.lease(.seconds(600)))
    _ = machine.handle(.ended(Self.lobby, .takenOver("theirs"), hasShown: true), at: Self.tick(100))
    #expect(
      machine.wait(of: Self.lobby, at: Self.tick(160)) == .guest(.seconds(540), after: .takenOver("theirs")))
  }
}
