import CastSender
import CastqCore
import CastqFiles
import CastqStore
import Logging

/// Keeps the queues of devices as the lists are that the configuration gives them: a kiosk in one file.
extension DaemonService {
  /// Adds the devices that the configuration names with an address, and that nobody has added yet.
  func addConfiguredDevices() {
    guard case .service = scope else { return }
    do throws(StoreError) {
      let now = WallTime(milliseconds: settings.time.wallMilliseconds())
      for addition in try devices.add(configuration.devices, at: now) {
        switch addition {
        case .added(let device):
          logger.notice(
            "device added", metadata: ["castq.device": "\(TerminalText.sanitized(device.name))"])
        case .refused(let name, let error):
          logger.error(
            "device of the configuration cannot be added",
            metadata: ["castq.device": "\(TerminalText.sanitized(name))", "error": "\(error)"])
        }
      }
    } catch {
      reportReadError(error)
    }
  }

  /// Takes over what an earlier version kept in a file.
  func adoptOldLists() {
    guard case .service = scope else { return }
    let file = OldListFile(besides: database.path)
    guard file.isThere else { return }
    let lists: [String: ConfiguredList]?
    var words = "it has something else"
    do throws(OwnFileError) { lists = try file.lists() } catch {
      (lists, words) = (nil, error.words)
    }
    guard let lists else {
      return logger.warning(
        "what an earlier version kept of lists cannot be read, they are taken up as for the first time",
        metadata: ["castq.file": "\(TerminalText.sanitized(file.path))", "castq.problem": "\(words)"])
    }
    do throws(StoreError) {
      try queue.adopt(lists)
      file.remove()
    } catch {
      reportReadError(error)
    }
  }

  /// Follows the lists of the configuration, and no others.
  func followBases() {
    guard case .service = scope else { return }
    let wanted = rules.compactMapValues(\.list)
    let refresh = configuration.refresh
    for (id, followed) in bases where wanted[id] != followed.source || refresh != followed.refresh {
      followed.task.cancel()
      bases[id] = nil
    }
    for (id, source) in wanted where bases[id] == nil {
      let lists = settings.lists(source, refresh)
      let task = Task { [send] in
        for await list in lists { send.yield(.base(id, source: source, list)) }
      }
      bases[id] = FollowedProgramme(source: source, refresh: refresh, task: task)
    }
    removeOldBases(besides: Set(wanted.keys))
    forgetProblems()
  }

  /// Takes up the lists of devices whose queues hold something else, of which nothing is left to play, or
  /// nothing at all: what a person has cast in their place has been shown, or a person has emptied the queue.
  /// - Returns: the devices.
  func takeUpBases(besides busy: Set<DeviceID>) throws(StoreError) -> Set<DeviceID> {
    let idle = bases.filter { !busy.contains($0.key) }
    guard !idle.isEmpty else { return [] }
    let present = try queue.devicesWithConfiguredLists()
    var taken: Set<DeviceID> = []
    for (id, followed) in idle where !present.contains(id) {
      guard case .list(let playlist, _)? = followed.list, !playlist.drafts.isEmpty else { continue }
      try queue.replace(
        with: playlist, as: ConfiguredList(playlist, from: followed.source), for: id,
        at: WallTime(milliseconds: settings.time.wallMilliseconds()))
      taken.insert(id)
      logger.notice(
        "list is taken up again",
        metadata: ["castq.list": "\(TerminalText.sanitized(followed.source))"])
      fed[id]?.run.poke()
    }
    return taken
  }

  /// The entries of a list that has left the configuration go with it.
  private func removeOldBases(besides wanted: Set<DeviceID>) {
    do throws(StoreError) {
      for (id, list) in try queue.configuredLists() where rules[id] != nil && !wanted.contains(id) {
        try queue.remove(list, from: id, at: WallTime(milliseconds: settings.time.wallMilliseconds()))
        logger.notice(
          "list has left the configuration, its entries are removed",
          metadata: ["castq.list": "\(TerminalText.sanitized(list.source))"])
        fed[id]?.run.poke()
      }
    } catch {
      reportReadError(error)
    }
  }

  /// A list was read, for the first time or after an edit: what is in the queue already keeps its number and its place.
  func readBase(
    of id: DeviceID, source: String, _ list: ProgrammeList, in group: inout DiscardingTaskGroup
  ) {
    guard bases[id]?.source == source, bases[id]?.take(list) == true else { return }
    noteProblems(bases[id]?.problems ?? [], of: source, on: [id])
    if case .list(let playlist, _) = list {
      do throws(StoreError) {
        let now = WallTime(milliseconds: settings.time.wallMilliseconds())
        try queue.adopt(playlist, as: ConfiguredList(playlist, from: source), for: id, at: now)
      } catch {
        return reportReadError(error)
      }
      readWork(in: &group)
      fed[id]?.run.poke()
    }
  }
}
