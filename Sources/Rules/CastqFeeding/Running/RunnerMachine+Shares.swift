import CastProtocol
import CastqSchedule

/// Shares of the screen: between two items it is decided whose item is next.
///
/// While a share is on, the receiver has one item at a time: what comes behind it depends on how long it was shown.
extension RunnerMachine {
  /// Reads the first place, of the share that is due if one is.
  mutating func readFirst() {
    guard !isChoosing(.first) else { return }
    actions.append(.readFirst)
  }

  /// Reads the next places.
  mutating func readUpcoming(limit: Int, besides: UpcomingPlace?) {
    requests.beginRead()
    // What another process or a lost connection has left, and what a person has chosen, is read once; what comes behind it is decided.
    let resumes = schedule?.passesShares == true
    defer { schedule?.passesShares = false }
    guard feeder.isBare, !resumes else {
      let isAlone = schedule.map { !$0.machine.shares(at: moment.wall).isEmpty } ?? false
      let most = isAlone ? (resumes && feeder.isBare ? 1 : 0) : limit
      return actions.append(.readUpcoming(limit: most, besides: besides))
    }
    guard !isChoosing(.next(besides: besides)) else { return }
    actions.append(.readUpcoming(limit: limit, besides: besides))
  }

  /// Has the lengths of the shares' next items read, if any share is on.
  private mutating func isChoosing(_ reading: RunnerSchedule.ShareReading) -> Bool {
    guard let schedule, !schedule.passesShares else { return false }
    let shares = schedule.machine.shares(at: moment.wall)
    guard !shares.isEmpty || schedule.machine.isPlayingShare else { return false }
    self.schedule?.choosing = reading
    actions.append(.readShares(shares))
    return true
  }

  /// The lengths are known: the share that is due is chosen, and its item is read.
  mutating func receive(lengths: [RuleID: Int64]) {
    guard let reading = schedule?.choosing else { return }
    tell(.itemEnded(shares: lengths, next: nil))
    switch reading {
    case .first:
      // It is what the session begins with: decided again, its item would count as one that has ended.
      if schedule?.machine.isPlayingShare == true { schedule?.passesShares = true }
      actions.append(.readFirst)
    case .next(let besides): actions.append(.readUpcoming(limit: 1, besides: besides))
    }
  }

  mutating func playShare(_ rule: RuleID, _ programme: String) {
    let choice = ListChoice(programme: programme, resume: .item)
    schedule?.now = RunnerSchedule.Slot(choice: choice, queue: nil)
    schedule?.next = nil
    actions.append(.play(choice))
    guard let decision = schedule?.machine.shareDecision(of: rule, at: moment.wall) else { return }
    actions.append(.write(.decide(decision)))
  }

  /// What a person has chosen comes before any share: an item of one that is on the screen ends, and none is chosen before the choice.
  mutating func passShares() {
    guard let schedule else { return }
    let isPlaying = schedule.machine.isPlayingShare
    guard isPlaying || !schedule.machine.shares(at: moment.wall).isEmpty else { return }
    if isPlaying { tell(.itemEnded(shares: [:], next: nil)) }
    self.schedule?.passesShares = true
  }

  /// The list of a share whose item is to continue. The decision that put it on the screen stands.
  mutating func resumeShare(_ programme: String) {
    let choice = ListChoice(programme: programme, resume: .second)
    schedule?.now = RunnerSchedule.Slot(choice: choice, queue: nil)
    schedule?.next = nil
    schedule?.passesShares = true
    actions.append(.play(choice))
  }

  /// What was on before the share is on again, unless something else was decided.
  mutating func noteAfterShare(_ decided: [ScheduleMachine.Action]) {
    let isOther = decided.contains { action in
      switch action {
      case .record, .playShare, .resumeShare: true
      case .amend, .show, .volume, .credits, .wake, .note: false
      }
    }
    guard !isOther, let schedule, !schedule.machine.isPlayingShare,
      let decision = schedule.machine.decisionAfterShare(at: moment.wall)
    else { return }
    actions.append(.write(.decide(decision)))
  }
}
