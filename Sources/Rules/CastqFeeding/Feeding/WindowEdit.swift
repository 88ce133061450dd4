package import CastProtocol
package import CastqPlaylists

/// The next step that brings the receiver's queue closer to what is wanted.
package enum WindowEdit: Sendable, Hashable {
  /// Take these items out.
  case remove([EntryTurn])
  /// Put these places in front of an item, or at the end.
  case insert([UpcomingEntry], before: MediaQueueItemID?)

  /// Compares what the receiver has ahead with what should come, by entries and rounds: a loop holds one entry many times, and what it
  /// holds for the next round is no second attempt in this one.
  ///
  /// Nil when no edit is needed. `isComplete` says that nothing comes after `wanted`, so that what stands behind it is
  /// too much. Items of entries that are not wanted any more go first; then the first missing stretch
  /// is inserted. An item that stands in the wrong place is taken out and comes back with the next step, so the item that
  /// plays is never touched.
  ///
  /// An item whose link was replaced goes after an item with the new one was put in front of it, so that something is ahead at any
  /// moment. One whose link has expired goes at once. A place whose link is still being looked for is not inserted: it follows in its
  /// place as soon as that is found.
  package static func next(
    ahead: some Collection<FeedWindow.Item>, wanted: [UpcomingEntry], isComplete: Bool
  ) -> WindowEdit? {
    let ahead = Array(ahead)
    if let step = replacing(ahead, wanted) { return step }
    let wanted = wanted.filter { $0.link != .expired && $0.link != .paused }
    var spare: [UpcomingPlace: Int] = [:]
    for item in ahead { spare[item.upcomingPlace, default: 0] += 1 }
    var needed: [UpcomingPlace: Int] = [:]
    for place in wanted { needed[place.upcomingPlace, default: 0] += 1 }

    var surplus: [EntryTurn] = []
    var insertion: (places: [UpcomingEntry], before: MediaQueueItemID?)?
    var index = 0
    var place = 0
    while place < wanted.count {
      let due = wanted[place].upcomingPlace
      if index < ahead.count, ahead[index].upcomingPlace == due {
        spare[due, default: 0] -= 1
        needed[due, default: 0] -= 1
        index += 1
        place += 1
      } else if index < ahead.count,
        needed[ahead[index].upcomingPlace, default: 0] == 0 || spare[due, default: 0] > 0
      {
        // Not wanted, or in the way of an item that stands further on.
        surplus.append(ahead[index].turn)
        spare[ahead[index].upcomingPlace, default: 0] -= 1
        index += 1
      } else {
        let next = index < ahead.count ? ahead[index].itemID : nil
        if wanted[place].link.isReady {
          if insertion == nil { insertion = ([], next) }
          if insertion?.before == next { insertion?.places.append(wanted[place]) }
        }
        needed[due, default: 0] -= 1
        place += 1
      }
    }
    if isComplete { surplus += ahead[index...].map(\.turn) }
    if !surplus.isEmpty { return .remove(surplus) }
    return insertion.map { .insert($0.places, before: $0.before) }
  }

  /// The next step with items whose links are of no use any more; nil when there are none.
  private static func replacing(_ ahead: [FeedWindow.Item], _ wanted: [UpcomingEntry]) -> WindowEdit? {
    let links = Dictionary(wanted.map { ($0.entry, $0.link) }) { first, _ in first }
    let outdated = ahead.filter { links[$0.turn.entry]?.replaces($0.place.link) == true }
    guard let first = outdated.first else { return nil }
    let entry = first.turn.entry
    let fresh = ahead.count { $0.turn.entry == entry } - outdated.count { $0.turn.entry == entry }
    let places = wanted.filter { $0.entry == entry && $0.link.isReady }.dropFirst(fresh)
    if let place = places.first, let id = first.itemID { return .insert([place], before: id) }
    return .remove(outdated.map(\.turn))
  }
}

extension FeedWindow.Item {
  fileprivate var upcomingPlace: UpcomingPlace { UpcomingPlace(entry: turn.entry, round: place.round) }
}

extension UpcomingEntry {
  fileprivate var upcomingPlace: UpcomingPlace { UpcomingPlace(entry: entry, round: round) }
}
