import CastProtocol

/// Pictures stand on the sender's clock: receivers never advance by themselves, and put them away after a while (protocol 21.7).
extension FeederMachine {
  /// The next item was asked for when a picture had had its time; how long it took to be there is how much earlier the next time
  /// begins.
  mutating func learnLead(at now: Tick) {
    guard let asked = askedOn, let current = ledger.current, current != asked.item.turn,
      ledger.shown(at: now) != nil
    else { return }
    askedOn = nil
    guard asked.item.isImage else { return }
    let taken = min(max((now - asked.at).seconds, 0), configuration.longestLead.seconds)
    lead += (taken - lead) * 0.3
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

  mutating func showAnew(_ actions: inout [Action]) {
    guard phase == .feeding, let current = window.current, current.isImage, let id = current.itemID,
      ledger.current == current.turn
    else { return }
    actions += [.jump(to: id), .startTimer(.refresh, after: configuration.pictureRefresh)]
  }
}
