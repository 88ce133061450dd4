import CastProtocol

/// Pictures stand on the sender's clock: receivers never advance by themselves, and put them away after a while (protocol 21.7).
extension FeederMachine {
  /// The next item was asked for when a picture had had its time; how long it took to be there is how much earlier the next time
  /// begins.
  mutating func learnLead(at now: Tick) {
    learnLeadOfLoad(at: now)
    guard let asked = askedOn, let current = ledger.current, current != asked.item.turn,
      ledger.shown(at: now) != nil
    else { return }
    askedOn = nil
    guard asked.item.isImage else { return }
    lead.learn(now - asked.at, atMost: configuration.longestLead)
  }

  /// The first picture of a load has no predecessor: its own loading time is the best estimate for its successor.
  private mutating func learnLeadOfLoad(at now: Tick) {
    guard !lead.isLearned, let (turn, since) = receiverLoad.item, turn == ledger.current,
      ledger.shown(at: now) != nil, window.item(turn)?.isImage == true,
      now - since <= configuration.longestLead
    else { return }
    lead.guess(now - since, atMost: configuration.longestLead)
  }

  /// A picture that stays for long is shown anew before the device puts it away.
  mutating func refresh(_ item: FeedWindow.Item, _ actions: inout [Action]) {
    guard item.isImage else {
      if refreshed != nil { actions.append(.cancelTimer(.refresh)) }
      return refreshed = nil
    }
    guard refreshed != item.turn else { return }
    refreshed = item.turn
    actions.append(.startTimer(.refresh, after: configuration.pictureRefresh))
  }

  /// A picture whose play is over never goes by itself, such as one that somebody went back to: it has its time once more.
  mutating func timeOverstay(_ status: MediaStatus?, _ actions: inout [Action]) {
    guard phase == .feeding, status?.playerState == .paused, let current = window.current, current.isImage,
      ledger.hasEnded(current.turn)
    else {
      overstay = nil
      return actions.append(.cancelTimer(.entryEnd))
    }
    guard overstay != current.turn else { return }
    overstay = current.turn
    let seconds = (current.limit ?? configuration.imageDuration).seconds
    actions.append(.startTimer(.entryEnd, after: .bounded(seconds: seconds)))
  }

  mutating func endOverstay(_ actions: inout [Action]) {
    guard let turn = overstay, turn == window.current?.turn else { return }
    overstay = nil
    ledger.intend(.endReached)
    actions.append(window.ahead.isEmpty ? .stopMedia : .next)
  }

  mutating func showAnew(_ actions: inout [Action]) {
    guard phase == .feeding, let current = window.current, current.isImage, let id = current.itemID,
      ledger.current == current.turn
    else { return }
    actions += [.jump(to: id), .startTimer(.refresh, after: configuration.pictureRefresh)]
  }
}
