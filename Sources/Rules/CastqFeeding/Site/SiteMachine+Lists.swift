import CastProtocol
import CastqPlaylists

/// Keeps the queues of programmes as their sources are, and those of devices as the lists are that the configuration gives them.
extension SiteMachine {
  /// Follows the lists that rules name, and those that the configuration gives to devices.
  mutating func followLists() {
    guard scope == .service else { return }
    followBases()
    actions.append(.ask(.programmes(read: nil)))
  }

  private mutating func follow(_ id: FollowedID, _ source: String) -> FollowedList {
    actions.append(.follow(id, source, configuration.refresh))
    return FollowedList(source: source, refresh: configuration.refresh)
  }

  // MARK: - Lists of devices

  private mutating func followBases() {
    let known = devices.compactMapValues(\.rules)
    let wanted = known.compactMapValues(\.list)
    for (id, device) in devices.sorted(by: { $0.key < $1.key }) {
      let isSettled = device.base.map { $0.source == wanted[id] && $0.refresh == configuration.refresh }
      if isSettled == false {
        actions.append(.unfollow(.base(id)))
        devices[id]?.base = nil
      }
      if isSettled != true, let source = wanted[id] {
        let base = follow(.base(id), source)
        devices[id]?.base = base
      }
    }
    actions.append(.keepLists(.removeOld(besides: Set(wanted.keys), of: Set(known.keys))))
  }

  /// Takes up the lists of devices whose queues hold something else, of which nothing is left to play, or nothing at all: what a person
  /// has cast in their place has been shown, or a person has emptied the queue.
  /// - Returns: the devices.
  mutating func takeUpBases(_ reading: WorkReading) -> Set<DeviceID> {
    var taken: Set<DeviceID> = []
    for (id, device) in devices.sorted(by: { $0.key < $1.key })
    where !reading.queued.contains(id) && !reading.configured.contains(id) {
      guard let base = device.base, case .list(let playlist, _)? = base.list, !playlist.drafts.isEmpty else {
        continue
      }
      actions.append(.keepLists(.replace(playlist, ConfiguredList(playlist, from: base.source), id)))
      note(.listTakenUp(base.source))
      tellRun(id, .rowsChanged)
      taken.insert(id)
    }
    return taken
  }

  // MARK: - Lists of programmes

  /// The rules were read.
  /// - Parameter name: the programme whose source was read; nil where what rules name is followed.
  mutating func receive(_ played: [PlayedProgramme], version: Int, read name: String?) {
    if let name {
      // What is followed is looked at apart: others may have written meanwhile.
      let known = lists.played
      lists.played = played
      read(name)
      lists.played = known
      return
    }
    actions.append(.keepLists(.forgetProblems(besides: playedSources(played))))
    let isSettled = lists.followed.values.allSatisfy { $0.refresh == configuration.refresh }
    guard version != lists.version || !isSettled else { return }
    // What this site writes of a list is no reason to look at it again, and what others write meanwhile is.
    let isKnown = lists.version != nil && Set(played) == Set(lists.played)
    (lists.played, lists.version) = (played, version)
    guard !isKnown || !isSettled else { return }
    let wanted = Dictionary(played.map { ($0.name, $0.source) }) { $1 }
    for (name, list) in lists.followed.sorted(by: { $0.key < $1.key })
    where wanted[name] != list.source || configuration.refresh != list.refresh {
      actions.append(.unfollow(.programme(name)))
      lists.followed[name] = nil
    }
    for (name, source) in wanted.sorted(by: { $0.key < $1.key }) where lists.followed[name] == nil {
      let list = follow(.programme(name), source)
      lists.followed[name] = list
    }
    // A rule may be for other devices than before.
    for programme in played { take(programme) }
    actions.append(.noteListsRead)
  }

  private func playedSources(_ played: [PlayedProgramme]) -> [DeviceID: Set<String>] {
    var sources = devices.compactMapValues { $0.base.map { Set([$0.source]) } }
    for programme in played {
      for id in programme.shown { sources[id, default: []].insert(programme.source) }
    }
    return sources
  }

  /// A source was read, for the first time or after an edit.
  mutating func receive(_ list: ProgrammeList, of id: FollowedID, _ source: String) {
    switch id {
    case .base(let id):
      guard devices[id]?.base?.source == source, devices[id]?.base?.take(list) == true else { return }
      keepProblems(devices[id]?.base?.problems ?? [], of: source, on: [id])
      guard case .list(let playlist, _) = list else { return }
      actions.append(.keepLists(.adopt(playlist, ConfiguredList(playlist, from: source), id)))
      readWork()
      tellRun(id, .rowsChanged)
    case .programme(let name):
      guard lists.followed[name]?.source == source, lists.followed[name]?.take(list) == true else { return }
      actions.append(.ask(.programmes(read: name)))
    }
  }

  private mutating func read(_ name: String) {
    guard let list = lists.followed[name] else { return }
    let shown = lists.played.filter { $0.name == name }.flatMap(\.shown)
    keepProblems(list.problems, of: list.source, on: Array(Set(shown)).sorted())
    // It may stand in for others.
    for programme in lists.played where programme.name == name || programme.filler == name { take(programme) }
    actions.append(.noteListsRead)
    pokeAll()
    startLate()
  }

  /// Gives each device that rules show a programme on the list that was read.
  private mutating func take(_ programme: PlayedProgramme) {
    let name = programme.name
    switch lists.followed[name]?.list {
    case nil: break
    case .problem(let words):
      actions.append(.keepLists(.problem(words, of: name)))
      guard let standIns = lists.standIns(for: programme) else { return }
      actions.append(.keepLists(.standIns(standIns, of: name, on: programme.devices)))
    case .list(var playlist, _):
      playlist.fallback = lists.standIns(for: programme) ?? playlist.fallback
      actions.append(
        .keepLists(.list(playlist, of: name, on: programme.devices, starts: programme.starts)))
      if let words = lists.followed[name]?.problem {
        actions.append(.keepLists(.problem(words, of: name)))
      }
    }
  }

  // MARK: - What is wrong with lists

  /// What was not taken up of a list is kept in rows, and logged once for all devices of the list.
  private mutating func keepProblems(_ problems: [ListProblem], of source: String, on ids: [DeviceID]) {
    let told = lists.told[source] ?? []
    let playing = Set(ids).union(devices.filter { $0.value.base?.source == source }.keys).sorted()
    for problem in problems where !told.contains(problem) {
      note(.listProblem(problem, source: source, devices: playing.map { label(of: $0) }))
    }
    if problems.isEmpty, !told.isEmpty { note(.listIsWhole(source)) }
    lists.told[source] = problems.isEmpty ? nil : problems
    for id in ids { actions.append(.ask(.keepProblems(problems, source: source, id))) }
  }

  /// These problems are new: hooks are told, once for each reading.
  mutating func keptProblems(_ new: [ListProblem], of source: String, on id: DeviceID) {
    changed(id)
    guard !new.isEmpty else { return }
    deliver(.list, id) { event in
      event.source = AddressText.withoutSecrets(source)
      event.reason = new.map(\.words).joined(separator: "; ")
    }
  }
}
