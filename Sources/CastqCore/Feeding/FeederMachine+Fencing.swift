import CastProtocol

/// Of two boxes that may feed a device, the one with the higher epoch does.
///
/// The boxes have copies of one store, hence the same queue, and the epoch is in the tag of each item. A box that comes later has a
/// higher epoch: it loads over what it finds, at the entry and position that it finds. A load begins another media session, whose number
/// the box before does not have, so that none of its edits gets through; it yields at the first status that has the newer epoch.
extension FeederMachine {
  /// The tag of an item; nil when it has none of this queue.
  func ownTag(of item: MediaQueueItem) -> EntryTag? {
    guard let tag = EntryTag(customData: item.customData), tag.queue == configuration.queue else {
      return nil
    }
    return tag
  }

  /// The epoch of a box that feeds the device in place of this one; nil when there is none.
  func newerEpoch(in status: MediaStatus?) -> Int? {
    guard let own = configuration.epoch, let status, !status.isEnded else { return nil }
    let newest = status.queueItems.compactMap { ownTag(of: $0)?.epoch }.max()
    return newest.flatMap { $0 > own ? $0 : nil }
  }

  /// Whether all that a status has of this queue was sent by a box that is not to feed the device any more.
  func isOfOlderEpoch(_ status: MediaStatus) -> Bool {
    guard let own = configuration.epoch else { return false }
    let tags = status.queueItems.compactMap { ownTag(of: $0) }
    return !tags.isEmpty && tags.allSatisfy { ($0.epoch ?? 0) < own }
  }

  /// Yields at once: the screen is the other box's.
  mutating func supersede(by epoch: Int, _ actions: inout [Action], at now: Tick, wall: WallTime) {
    let note = "another box feeds the device, with epoch \(epoch)"
    record(ledger.lost(note: note, evidence: .reported, at: now, wall: wall), &actions)
    absence = nil
    dropWindow(&actions)
    edits.open = nil
    end(.superseded(epoch: epoch), &actions)
  }

  /// The first load continues what the box before displays, at its position. What stands before it in the list was displayed by that
  /// box, whatever this copy of the rows has of it.
  mutating func continueOlder(_ status: MediaStatus?) {
    guard let status, !status.isEnded, isOfOlderEpoch(status), pending == nil,
      let id = status.loadingItemID ?? status.currentItemID,
      let entry = status.queueItems.first(where: { $0.itemID == id }).flatMap({ ownTag(of: $0)?.turn.entry })
    else { return }
    pending = .restart(entry)
    guard status.mediaInformation?.streamType != .live, let position = status.streamPosition else { return }
    past.resume = ResumePoint(entry: entry, position: position)
  }

  /// A box with an older epoch has loaded over ours: what was on the screen is reloaded at its position.
  mutating func replaceOlder(_ status: MediaStatus, _ actions: inout [Action], at now: Tick, wall: WallTime) {
    absence = Absence(since: now, wall: wall, note: "a box with an older epoch loaded over it")
    settleAbsence(&actions, at: now, wall: wall)
    phase = .resting
    sessions.foreign = status.mediaSessionID
    receiverLoad = .none
    rows.expire()
  }
}
