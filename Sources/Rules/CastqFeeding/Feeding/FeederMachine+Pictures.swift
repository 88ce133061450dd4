import CastProtocol

/// Pictures stand on the sender's clock: receivers never advance by themselves, and close them after a while (protocol 21.7).
extension FeederMachine {
  /// The next item was asked for when a picture had had its time; how long it took to be there is how much earlier the next time
  /// begins.
  mutating func learnLead(at now: Tick) {
    learnLeadOfLoad(at: now)
    guard let current = ledger.current, ledger.shown(at: now) != nil else { return }
    if let time = held.clock.displayed(current, at: now) {
      lead.learn(time, atMost: configuration.longestLead)
    }
  }

  /// The first picture of a load has no predecessor: its own loading time is the best estimate for its successor.
  private mutating func learnLeadOfLoad(at now: Tick) {
    guard !lead.isLearned, let (turn, since) = receiver.load.item, turn == ledger.current,
      ledger.shown(at: now) != nil, window.item(turn)?.isImage == true,
      now - since <= configuration.longestLead
    else { return }
    lead.guess(now - since, atMost: configuration.longestLead)
  }

  /// A picture that stays for long is displayed again before the device closes it.
  mutating func refresh(_ item: FeedWindow.Item, _ actions: inout [Action]) {
    guard item.isImage else {
      if held.clock.refreshed != nil { actions.append(.cancelTimer(.refresh)) }
      return held.clock.refreshed = nil
    }
    guard held.clock.refreshed != item.turn else { return }
    held.clock.refreshed = item.turn
    actions.append(.startTimer(.refresh, after: configuration.pictureRefresh))
  }

  /// A picture whose play is over never goes by itself, such as one that somebody went back to: it has its time once more.
  mutating func timeOverdue(_ status: MediaStatus?, _ actions: inout [Action]) {
    guard phase.isFeeding, status?.playerState == .paused, let current = window.current, current.isImage,
      ledger.hasEnded(current.turn)
    else {
      held.clock.overdue = nil
      return actions.append(.cancelTimer(.entryEnd))
    }
    guard held.clock.overdue != current.turn else { return }
    held.clock.overdue = current.turn
    let seconds = (current.limit ?? configuration.imageDuration).seconds
    actions.append(.startTimer(.entryEnd, after: .bounded(seconds: seconds)))
  }

  mutating func endOverdue(_ actions: inout [Action]) {
    guard let turn = held.clock.overdue, turn == window.current?.turn else { return }
    held.clock.overdue = nil
    ledger.intend(.endReached)
    actions.append(window.ahead.isEmpty ? .stopMedia : .next)
  }

  mutating func refreshPicture(_ actions: inout [Action]) {
    guard phase.isFeeding, let current = window.current, current.isImage, let id = current.itemID,
      ledger.current == current.turn
    else { return }
    actions += [.jump(to: id), .startTimer(.refresh, after: configuration.pictureRefresh)]
  }
}
