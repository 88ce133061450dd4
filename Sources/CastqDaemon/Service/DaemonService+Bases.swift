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
      for addition in try rows.devices.add(configuration.devices, at: wall) {
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
      try rows.queue.adopt(lists)
      file.remove()
    } catch {
      reportReadError(error)
    }
  }

  /// Follows the lists of the configuration, and no others.
  /// - Parameter lists: of all devices that there are.
  func followBases(_ lists: [DeviceID: String?]) {
    guard case .service = scope else { return }
    let wanted = lists.compactMapValues(\.self)
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
    removeOldBases(besides: Set(wanted.keys), of: Set(lists.keys))
    forgetProblems()
  }

  /// Takes up the lists of devices whose queues hold something else, of which nothing is left to play, or
  /// nothing at all: what a person has cast in their place has been shown, or a person has emptied the queue.
  func takeUpBases(looping: Set<DeviceID>) {
    guard !bases.isEmpty else { return }
    do throws(StoreError) {
      let busy = try rows.queue.devicesWithWork(looping: looping, at: wall)
      let idle = bases.filter { !busy.contains($0.key) }
      guard !idle.isEmpty else { return }
      let present = try rows.queue.devicesWithConfiguredLists()
      for (id, followed) in idle where !present.contains(id) {
        guard case .list(let playlist, _)? = followed.list, !playlist.drafts.isEmpty else { continue }
        try rows.queue.replace(
          with: playlist, as: ConfiguredList(playlist, from: followed.source), for: id, at: wall)
        logger.notice(
          "list is taken up again",
          metadata: ["castq.list": "\(TerminalText.sanitized(followed.source))"])
        fed[id]?.run.poke()
      }
    } catch {
      reportReadError(error)
    }
  }

  /// The entries of a list that has left the configuration go with it.
  private func removeOldBases(besides wanted: Set<DeviceID>, of known: Set<DeviceID>) {
    do throws(StoreError) {
      for (id, list) in try rows.queue.configuredLists() where known.contains(id) && !wanted.contains(id) {
        try rows.queue.remove(list, from: id, at: wall)
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
        try rows.queue.adopt(playlist, as: ConfiguredList(playlist, from: source), for: id, at: wall)
      } catch {
        return reportReadError(error)
      }
      tell(.baseRead(id), in: &group)
    }
  }
}
