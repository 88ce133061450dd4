import CastProtocol
import CastqPlaylists
import CastqText

/// What a box with an older epoch displays, and is let to its end.
struct Relief: Sendable, Hashable {
  var item: MediaQueueItemID
  /// The entry behind it; nil when the receiver has none.
  var next: EntryID?
  var receiver = Receiver()

  /// Seconds of media that are waited for. A load of less would often come when it is over, and display its end again.
  static let longestRest = 10.0
}

/// Of two boxes that may feed a device, the one with the higher epoch does.
///
/// The boxes have copies of one store, hence the same queue, and the epoch is in the tag of each item. A box that comes later has a
/// higher epoch: it loads over what it finds, at the entry and position that it finds, or behind it when it is about to end. A load begins another media session, whose number
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
    let note = "its epoch is \(epoch)"
    record(ledger.lost(PlayEnding(.otherBox, note), evidence: .reported, at: now, wall: wall), &actions)
    dropWindow(&actions)
    edit = nil
    end(.superseded(epoch: epoch), &actions)
  }

  /// The first load continues what the box before displays, at its position. What stands before it in the list was displayed by that
  /// box, whatever this copy of the rows has of it.
  mutating func continueOlder(_ status: MediaStatus?) {
    guard let status, !status.isEnded, isOfOlderEpoch(status), receiver.pending == nil,
      let id = status.loadingItemID ?? status.currentItemID,
      let entry = status.queueItems.first(where: { $0.itemID == id }).flatMap({ ownTag(of: $0)?.turn.entry })
    else { return }
    receiver.pending = .restart(entry)
    guard status.mediaInformation?.streamType != .live, let position = status.streamPosition else { return }
    past.resume = ResumePoint(entry: entry, position: position)
  }

  /// What the box before displays is about to end: it is not displayed twice for its last seconds.
  mutating func awaitOlderEnd(_ status: MediaStatus?, _ actions: inout [Action]) {
    guard phase.isResting, let status, var relief = relief(of: status) else { return }
    relief.receiver = receiver
    phase = .relieving(relief)
    actions.append(.startTimer(.entryEnd, after: .bounded(seconds: Relief.longestRest + 1)))
  }

  /// What the box before displays, when that ends within a moment.
  private func relief(of status: MediaStatus) -> Relief? {
    guard !status.isEnded, isOfOlderEpoch(status), status.loadingItemID == nil, let id = status.currentItemID,
      let length = status.mediaInformation?.streamDuration?.seconds,
      let position = status.streamPosition?.seconds,
      length - position <= Relief.longestRest
    else { return nil }
    let after = status.queueItems.drop { $0.itemID != id }.dropFirst().first
    return Relief(item: id, next: after.flatMap { ownTag(of: $0)?.turn.entry })
  }

  /// A status of the box before, whose item was about to end.
  mutating func relieve(_ relief: Relief, _ status: MediaStatus?, _ actions: inout [Action]) {
    if let status, !status.isEnded, status.currentItemID == relief.item, self.relief(of: status) != nil {
      return
    }
    if let status, !status.isEnded, isOfOlderEpoch(status) {
      receiver.pending = nil
      continueOlder(status)
    } else if let next = relief.next {
      receiver.pending = .restart(next)
      past.resume = nil
    }
    endRelief(&actions)
    receiver.foreign = status?.mediaSessionID ?? receiver.foreign
  }

  /// The box before is not waited for any longer.
  mutating func endRelief(_ actions: inout [Action]) {
    actions.append(.cancelTimer(.entryEnd))
    rest()
  }

  /// A box with an older epoch has loaded over ours: what was on the screen is reloaded at its position.
  mutating func replaceOlder(_ status: MediaStatus, _ actions: inout [Action], at now: Tick, wall: WallTime) {
    let loss = Loss(since: now, wall: wall, ending: PlayEnding(.otherBox, "it has an older epoch"))
    settle(loss, &actions)
    receiver.foreign = status.mediaSessionID
    receiver.load = .none
  }
}
