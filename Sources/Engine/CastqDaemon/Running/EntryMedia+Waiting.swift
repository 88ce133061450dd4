import CastSender
import CastqFeeding
import CastqPlaylists
import CastqText

/// What the media of entries wait for: a probe, a conversion, a program that finds a link. The runner goes on meanwhile.
extension EntryMedia {
  /// How long entries wait for what their files are made of.
  static let patience = Duration.seconds(2)
  /// The same for an entry that the device has refused: `ffprobe` has ten seconds for a file, and may be busy with others.
  private static let patienceAfterRefusal = Duration.seconds(15)

  /// Publishes the media of entries. Those that wait for a probe or a conversion are left out for a moment: the rows are read again
  /// then.
  /// - Parameters:
  ///   - held: the last place that the receiver holds; nil where it holds none.
  ///   - mayWait: whether what is first waits where the receiver holds nothing.
  mutating func resolve(
    _ list: UpcomingList, after held: UpcomingPlace?, mayWait: Bool, at now: Tick,
    in group: inout DiscardingTaskGroup
  ) -> UpcomingList {
    let places = list.places
    let isFirst = held == nil
    if isFirst, mayWait, var first = places.first,
      let left = wait(for: first, unknownFiles(of: [first]), at: now)
    {
      settle(unknownFiles(of: places), within: left, tellsOfEnd: true, in: &group)
      first.awaitsFile = true
      return UpcomingList([first], until: list.until)
    }
    var (known, unknown) = resolve(places, waitingFrom: isFirst ? 1 : 0, at: now) { [inbox] in
      inbox.yield(.rowsChanged)
    }
    settle(unknown, within: Self.patience, tellsOfEnd: known.count < places.count, in: &group)
    guard !unknown.isEmpty, live != nil, prepared?.convertsLive == true else {
      return UpcomingList(known, until: list.until)
    }
    // Their addresses are those of the media server by now: the rows have the paths.
    for (index, place) in zip(known.indices, places) {
      known[index].unreadFile = place.draft.probedPath.flatMap { unknown.contains($0) ? $0 : nil }
    }
    return UpcomingList(known, until: list.until)
  }

  /// Finds out what a file is made of that the device has refused.
  func read(_ file: String, for turn: EntryTurn, in group: inout DiscardingTaskGroup) {
    group.addTask { [inbox, probes] in
      await probes?.settle([file], within: Self.patienceAfterRefusal, isUrgent: true)
      inbox.yield(.fileRead(turn))
    }
  }

  /// Probes the files of entries before they are needed.
  mutating func probe(_ places: [UpcomingEntry], at now: Tick, in group: inout DiscardingTaskGroup) {
    let unknown = unknownFiles(of: places)
    // A launch that takes longer than the patience is delayed by nothing.
    for place in places { _ = wait(for: place, unknown, at: now) }
    settle(unknown, within: Self.patience, tellsOfEnd: false, in: &group)
  }

  private func settle(
    _ unknown: [String], within limit: Duration, tellsOfEnd: Bool, in group: inout DiscardingTaskGroup
  ) {
    guard !unknown.isEmpty, let probes else { return }
    group.addTask { [inbox] in
      await probes.settle(unknown, within: limit)
      if tellsOfEnd { inbox.yield(.rowsChanged) }
    }
  }

  /// Runs the program that finds what an address plays.
  func find(_ request: LinkRequest, _ time: TimeSource, in group: inout DiscardingTaskGroup) {
    group.addTask { [inbox, links, allowed] in
      let link = await links.link(request, allowing: allowed) {
        WallTime(milliseconds: time.wallMilliseconds())
      }
      inbox.yield(.resolved(request.number, link))
    }
  }
}
