import CastSender
import CastqCore

/// What the media of entries wait for: a probe, a conversion, a program that finds a link. The runner goes on meanwhile.
extension EntryMedia {
  /// How long entries behind the first one wait for what their files are made of.
  private static let patience = Duration.seconds(2)
  /// The same for an entry that the device has refused: `ffprobe` has ten seconds for a file, and may be busy with others.
  private static let patienceAfterRefusal = Duration.seconds(15)

  /// Publishes the media of entries. Those that wait for a probe or a conversion are left out for a moment: the rows are read again
  /// then.
  /// - Parameter held: the last place that the receiver holds; nil where it holds none.
  mutating func resolve(
    _ places: [UpcomingEntry], after held: UpcomingPlace?, in group: inout DiscardingTaskGroup
  ) -> [UpcomingEntry] {
    let (known, unknown) = resolve(places, mayWait: held != nil) { [inbox] in inbox.yield(.rowsChanged) }
    settle(unknown, tellsOfEnd: known.count < places.count, in: &group)
    return awaiting(known, unknown, in: &group)
  }

  /// Marks the attempts that follow a refusal and whose files nobody has read yet: only a file that is known can be converted. What comes
  /// after them is not sent before them.
  private func awaiting(
    _ places: [UpcomingEntry], _ unknown: [String], in group: inout DiscardingTaskGroup
  ) -> [UpcomingEntry] {
    guard !unknown.isEmpty, let probes, live != nil, prepared?.convertsLive == true else { return places }
    let refused = places.filter { place in
      place.attempts > 0 && place.problem == nil && place.draft.probedPath.map(unknown.contains) == true
    }
    let waiting = refusedFiles.wait(refused.map(\.latestTurn))
    guard !waiting.all.isEmpty else { return places }
    let paths = refused.filter { waiting.new.contains($0.latestTurn) }.compactMap(\.draft.probedPath)
    if !paths.isEmpty {
      group.addTask { [inbox, refusedFiles] in
        await probes.settle(paths, within: Self.patienceAfterRefusal, isUrgent: true)
        refusedFiles.answer(waiting.new)
        inbox.yield(.rowsChanged)
      }
    }
    return places.map { place in
      var place = place
      if waiting.all.contains(place.latestTurn) { place.link = .awaited }
      return place
    }
  }

  /// Probes the files of entries before they are needed.
  func probe(_ places: [UpcomingEntry], in group: inout DiscardingTaskGroup) {
    settle(unknownFiles(of: places), tellsOfEnd: false, in: &group)
  }

  private func settle(_ unknown: [String], tellsOfEnd: Bool, in group: inout DiscardingTaskGroup) {
    guard !unknown.isEmpty, let probes else { return }
    group.addTask { [inbox] in
      await probes.settle(unknown, within: Self.patience)
      if tellsOfEnd { inbox.yield(.rowsChanged) }
    }
  }

  /// Runs the program that finds what an address plays.
  func find(_ request: LinkRequest, _ time: TimeSource, in group: inout DiscardingTaskGroup) {
    group.addTask { [inbox, links] in
      let link = await links.link(request) { WallTime(milliseconds: time.wallMilliseconds()) }
      inbox.yield(.resolved(request.number, link))
    }
  }
}

extension UpcomingEntry {
  /// The turn that it had last.
  fileprivate var latestTurn: EntryTurn { EntryTurn(entry: entry, turn: turn) }
}
