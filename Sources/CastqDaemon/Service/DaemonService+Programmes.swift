import CastSender
import CastqCore
import CastqStore
import Logging

/// Keeps the queues of programmes as their sources are.
extension DaemonService {
  /// Reads the sources of the programmes that rules name, and no others.
  func followProgrammes() {
    guard let desk = rows.desk else { return }
    do throws(StoreError) {
      let (schedule, version) = try desk.schedule()
      let isSettled = programmes.values.allSatisfy { $0.refresh == configuration.refresh }
      guard version != followed?.version || !isSettled else { return }
      let wanted = schedule.playedProgrammes
      // What this daemon writes of a list is no reason to look at it again, and what others write meanwhile is.
      let now = FollowedRules(version: version, programmes: wanted.values.map { $0.asFollowed(in: schedule) })
      let isKnown = now.programmes == followed?.programmes
      guard !isKnown || !isSettled else { return followed = now }
      let refresh = configuration.refresh
      for (name, followed) in programmes
      where wanted[name]?.source != followed.source || refresh != followed.refresh {
        followed.task.cancel()
        programmes[name] = nil
      }
      for (name, programme) in wanted where programmes[name] == nil {
        programmes[name] = FollowedProgramme(
          source: programme.source, refresh: refresh, task: follow(programme))
      }
      // A rule may be for other devices than before.
      for name in wanted.keys { try take(name, schedule) }
      desk.hasRead()
      followed = now
    } catch {
      reportReadError(error)
    }
  }

  private func follow(_ programme: StoredProgramme) -> Task<Void, Never> {
    let lists = settings.lists(programme.source, configuration.refresh)
    return Task { [send] in
      for await list in lists { send.yield(.programme(programme.name, source: programme.source, list)) }
    }
  }

  /// A source was read, for the first time or after an edit.
  func read(_ name: String, source: String, _ list: ProgrammeList, in group: inout DiscardingTaskGroup) {
    guard let desk = rows.desk, programmes[name]?.source == source, programmes[name]?.take(list) == true
    else { return }
    do throws(StoreError) {
      let schedule = try desk.schedule().schedule
      noteProblems(
        programmes[name]?.problems ?? [], of: source, on: schedule.devices(showing: name) { _ in true })
      try take(name, schedule)
      // It may stand in for others.
      for other in schedule.playedProgrammes.values where other.filler == name {
        try take(other.name, schedule)
      }
    } catch {
      reportReadError(error)
    }
    desk.hasRead()
    tell(.listRead, in: &group)
  }

  /// Whether the list of a programme that rules show on a device has not been read yet.
  func isReadingLists(for id: DeviceID) throws(Failure) -> Bool {
    guard let desk = rows.desk else { return false }
    // The rule may be newer than the last look at the rows.
    followProgrammes()
    let schedule: StoredSchedule
    do throws(StoreError) { schedule = try desk.schedule().schedule } catch { throw Failure(error) }
    return schedule.playedProgrammes.keys.contains { name in
      programmes[name]?.list == nil && schedule.devices(showing: name) { _ in true }.contains(id)
    }
  }

  /// What is shown while nothing of a programme can be; nil where nothing stands in for it, or that has not been read.
  private func standIns(for name: String, _ schedule: StoredSchedule) -> [EntryDraft]? {
    let filler = schedule.programmes.first { $0.name == name }?.filler
    guard case .list(let list, _)? = filler.flatMap({ programmes[$0]?.list }) else { return nil }
    return list.drafts
  }

  /// Gives each device that rules show a programme on the list that was read.
  private func take(_ name: String, _ schedule: StoredSchedule) throws(StoreError) {
    guard let list = programmes[name]?.list else { return }
    let (now, queue) = (wall, rows.queue)
    switch list {
    case .problem(let words):
      try queue.take(problem: words, of: name)
      guard let standIns = standIns(for: name, schedule) else { return }
      try queue.take(
        standIns: standIns, of: name, for: schedule.devices(showing: name, by: { !$0.isStart }), at: now)
    case .list(var playlist, _):
      playlist.fallback = standIns(for: name, schedule) ?? playlist.fallback
      try queue.take(
        playlist, of: name, for: schedule.devices(showing: name, by: { !$0.isStart }),
        starts: schedule.devices(showing: name, by: \.isStart), at: now)
      if let words = programmes[name]?.problem { try queue.take(problem: words, of: name) }
    }
  }
}

/// The rules that were followed last.
struct FollowedRules {
  let version: Int
  let programmes: Set<Programme>

  /// What is followed of a programme: all but what its list leaves in the row, and where it is shown.
  struct Programme: Hashable {
    let programme: StoredProgramme
    let devices: [DeviceID]
    /// Those on which rules show it that start at moments of their own.
    let starts: [DeviceID]
  }

  init(version: Int, programmes: [Programme]) {
    (self.version, self.programmes) = (version, Set(programmes))
  }
}

extension StoredProgramme {
  fileprivate func asFollowed(in schedule: StoredSchedule) -> FollowedRules.Programme {
    var programme = self
    (programme.digest, programme.problem) = (nil, nil)
    return FollowedRules.Programme(
      programme: programme, devices: schedule.devices(showing: name, by: { !$0.isStart }),
      starts: schedule.devices(showing: name, by: \.isStart))
  }
}

extension StoredSchedule {
  /// The programmes that enabled rules may show, with those that stand in for them, by their names.
  var playedProgrammes: [String: StoredProgramme] {
    var names: Set<String> = []
    for rule in book.rules where rule.isEnabled { names.formUnion(rule.programmes) }
    let played = programmes.filter { names.contains($0.name) }
    names.formUnion(played.compactMap(\.filler))
    return Dictionary(programmes.filter { names.contains($0.name) }.map { ($0.name, $0) }) { $1 }
  }

  /// The devices on which some rules may show a programme.
  func devices(showing programme: String, by isWanted: (ScheduleRule) -> Bool) -> [DeviceID] {
    let targets = Set(
      book.rules.filter { $0.isEnabled && $0.programmes.contains(programme) && isWanted($0) }.map(\.target))
    guard !targets.isEmpty else { return [] }
    return devices.filter { device in targets.contains { device.isTarget(of: $0) } }
      .compactMap { DeviceID(ruleName: $0.id) }
  }
}
