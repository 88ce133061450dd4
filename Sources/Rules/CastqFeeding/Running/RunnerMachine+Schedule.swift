import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText

/// Plays what the schedule has on the screen.
///
/// The schedule decides which list is on the air; the feeder plays one list. What is on the screen of another list is cut, unless
/// it is the end of a list that something follows: then the receiver has what follows already.
extension RunnerMachine {
  /// How long a programme that could not be played is left alone.
  private static let retryPause = Duration.seconds(300)
  /// How long a list that could not be read is left alone.
  private static let listPause = Duration.seconds(10)

  /// The rules of the device, at the beginning and after each change.
  mutating func receive(_ reading: ScheduleReading?) {
    guard let reading else { return beginUnscheduled() }
    guard schedule == nil else { return tell(.edited(reading.book, reading.device)) }
    schedule = RunnerSchedule(reading)
    tell(.begin(last: reading.last, seenUntil: nil, credits: reading.credits, share: reading.share))
    if reading.share != nil, schedule?.passesShares == false { noteAfterShare([]) }
    // Whether what another process has left was seen is unknown: it continues.
    if let last = reading.last?.onAir, schedule?.machine.onAir?.occurrence.key == last.occurrence.key {
      schedule?.now.hasBegun = true
    }
  }

  /// No rule is for the device, or none any more: the base plays, and may end.
  private mutating func beginUnscheduled() {
    tell(.edited(ScheduleBook(), ScheduleDevice(id: "")))
    // An item of a share is no winner that has ended.
    if schedule?.now.choice.programme != nil { actions.append(.play(.base)) }
    schedule = nil
    if case .idle = stage { readFirst() }
  }

  /// Has the schedule decide.
  mutating func tell(_ event: ScheduleMachine.Event) {
    let wasShare = schedule?.machine.isPlayingShare == true
    guard let decided = schedule?.machine.handle(event, at: moment.now, wall: moment.wall) else { return }
    // The list is chosen before the decision is written: a process that ends in between decides again.
    for case .show(let showing) in decided { show(ListChoice(showing)) }
    if wasShare {
      if schedule?.machine.isPlayingShare == false { schedule?.passesShares = false }
      noteAfterShare(decided)
    }
    for action in decided {
      switch action {
      case .record(let decision):
        actions.append(.write(.decide(decision)))
        report(.decided(decision))
      case .amend(let standing): actions.append(.write(.amend(standing)))
      case .show: break
      case .playShare(let rule, let programme): playShare(rule, programme)
      case .resumeShare(let programme): resumeShare(programme)
      case .volume(let level):
        volume.scheduled = level
        adjustVolume()
      case .credits(let credits): actions.append(.write(.keepCredits(credits)))
      case .wake(let wait):
        schedule?.due = moment.wall.adding(seconds: wait.seconds)
        actions.append(.startTimer(.schedule, after: wait))
      case .note(let words): report(.scheduleNoted(words))
      }
    }
    follow()
  }

  private mutating func show(_ choice: ListChoice) {
    guard let schedule else { return }
    if let next = schedule.next, next.queue != nil, next.choice == choice {
      self.schedule?.now = next
      self.schedule?.next = nil
      actions.append(.promote)
      if stage.isAtRest { readFirst() }
      return
    }
    let isSame = schedule.now.queue != nil && schedule.now.choice.isSameList(as: choice)
    guard !isSame || choice.resume != .second else { return }
    self.schedule?.now = RunnerSchedule.Slot(choice: choice, queue: nil)
    self.schedule?.next = nil
    actions.append(.play(choice))
  }

  /// Has the receiver given what follows before it is due.
  private mutating func follow() {
    guard let schedule, schedule.now.queue != nil else { return }
    let choice = schedule.following(at: moment.now, wall: moment.wall)
    let isNext = choice != nil && schedule.machine.isWaiting
    guard choice != schedule.next?.choice || isNext != (schedule.next?.isNext ?? false) else { return }
    self.schedule?.next = choice.map { RunnerSchedule.Slot(choice: $0, queue: nil, isNext: isNext) }
    actions.append(.follow(choice, isClosed: isNext))
  }

  /// A list was chosen, or has nothing.
  mutating func playing(_ result: Result<QueueID, Failure>) {
    switch result {
    case .success(let queue):
      schedule?.now.queue = queue
      follow()
      if schedule?.choosing != nil { return }
      if stage.isAtRest { return readFirst() }
      feed(feeder.isBare || feeder.shownQueue == queue ? .rowsChanged : .restart(from: nil))
    case .failure(let failure):
      if schedule?.machine.onAir == nil { retry(after: Self.listPause) }
      fail(failure.plain.message)
    }
  }

  /// What could not be played is tried again, and a list that could not be read.
  mutating func retrySchedule() {
    schedule?.retryDue = nil
    tell(.retry)
    if let schedule, schedule.now.queue == nil { actions.append(.play(schedule.now.choice)) }
  }

  mutating func following(_ queue: QueueID?) {
    schedule?.next?.queue = queue
    if feeder.receiver.pending == nil { feed(.rowsChanged) }
  }

  /// Has it tried again after a pause, or earlier if that was asked for something else.
  private mutating func retry(after pause: Duration) {
    let due = min(schedule?.retryDue ?? moment.now + pause, moment.now + pause)
    schedule?.retryDue = due
    actions.append(.startTimer(.scheduleRetry, after: max(due - moment.now, .zero)))
  }

  /// What is on the air cannot be played: what lies below it plays.
  /// - Parameter opening: when its list may have something again; nil when nobody knows.
  mutating func fail(_ words: String, until opening: WallTime? = nil) {
    guard let schedule, schedule.machine.onAir != nil else { return }
    let wait = opening.map { Duration.bounded(seconds: max($0 - moment.wall, 0) + 0.001) }
    retry(after: min(wait ?? Self.retryPause, Self.retryPause))
    tell(schedule.isOnce && schedule.now.queue != nil ? .programmeEnded : .programmeFailed(words))
  }

  // MARK: - What the screen shows

  /// What is on the screen belongs to a list that is on the air.
  mutating func settleLists() {
    guard let schedule, let queue = schedule.now.queue, let shown = feeder.shownQueue,
      shown != queue, shown != schedule.next?.queue, feeder.receiver.pending == nil
    else { return }
    feed(.restart(from: nil))
  }

  /// What was adopted has to be of the list on the air: what follows it cannot have begun.
  mutating func settleAdopted() {
    guard let queue = schedule?.now.queue, let shown = feeder.shownQueue, shown != queue,
      feeder.receiver.pending == nil
    else { return }
    feed(.restart(from: nil))
  }

  /// Whether an entry is the first one of the list that follows. What begins while the receiver is being
  /// stopped does not follow: it was on its way before the list on the air, and is often of the list that
  /// follows that one, too.
  func isFirst(_ turn: EntryTurn) -> Bool {
    guard feeder.receiver.pending == nil, let schedule, let next = schedule.next?.queue,
      next != schedule.now.queue
    else { return false }
    return feeder.queue(of: turn) == next
  }

  /// An entry of the list that follows is about to be recorded as shown: that list is on the air from now on.
  mutating func begins(_ turn: EntryTurn) {
    guard let schedule else { return }
    tell(schedule.machine.isWaiting ? .itemEnded(shares: [:], next: nil) : .programmeEnded)
  }

  /// Nothing of the list can be shown now: another one is shown in its place, if there is one.
  mutating func listIsOver(_ list: UpcomingList) {
    guard let schedule, schedule.now.queue != nil else { return }
    if schedule.machine.isWaiting { return tell(.itemEnded(shares: [:], next: nil)) }
    fail(
      list.until == nil ? "its list is empty" : "nothing of its list may be shown now", until: list.until)
  }

  /// The moment of the next look if the list itself has something then; nil if only the schedule looks.
  func ownOpening(of look: WallTime) -> WallTime? {
    guard let due = schedule?.due else { return look }
    return look < due ? look : nil
  }

  /// The list with the moment at which the schedule may have something else.
  func scheduled(_ list: UpcomingList) -> UpcomingList {
    guard list.places.isEmpty, let due = schedule?.due else { return list }
    return UpcomingList(
      list.places, until: min(list.until ?? due, max(due, moment.wall.adding(seconds: 0.001))))
  }
}

extension RunnerStage {
  /// Whether no session is open, and none is to be opened for what was on before.
  var isAtRest: Bool {
    switch self {
    case .idle, .waiting: true
    case .session, .pausing, .switching: false
    }
  }
}
