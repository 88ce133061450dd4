import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// What was not taken up of lists: kept in rows, logged once for all devices of a list, and told to hooks.
extension DaemonService {
  private var listProblems: ListProblemStore { ListProblemStore(database) }

  /// A list was read for devices.
  func noteProblems(_ problems: [ListProblem], of source: String, on devices: [DeviceID]) {
    guard case .service = scope else { return }
    let name = AddressText.withoutSecrets(source)
    let told = toldLists[source] ?? []
    for problem in problems where !told.contains(problem) {
      var words: Logger.Metadata = [
        "castq.list": "\(TerminalText.sanitized(name))", "castq.problem": "\(problem.message)",
      ]
      if let line = problem.line { words["castq.line"] = "\(line)" }
      words["castq.devices"] = "\(labels(playing: source, besides: devices).joined(separator: ", "))"
      logger.warning(
        problem.line == nil ? "list is not taken up" : "line of a list is not taken up", metadata: words)
    }
    if problems.isEmpty, !told.isEmpty {
      logger.notice(
        "all of the list is taken up", metadata: ["castq.list": "\(TerminalText.sanitized(name))"])
    }
    toldLists[source] = problems.isEmpty ? nil : problems
    for id in devices {
      do throws(StoreError) {
        let new = try listProblems.keep(problems, of: source, on: id, at: wall)
        board.note(id)
        guard !new.isEmpty else { continue }
        var event = HookEvent(.list, device: machine.label(of: id), at: wall)
        event.source = name
        event.reason = new.map(\.words).joined(separator: "; ")
        deliver(event)
      } catch {
        reportReadError(error)
      }
    }
  }

  /// The devices that play a list by the configuration, and those of its rules.
  private func labels(playing source: String, besides devices: [DeviceID]) -> [String] {
    let ids = Set(bases.filter { $0.value.source == source }.keys).union(devices)
    return ids.sorted().map { ((try? rows.devices.device($0)) ?? nil)?.label ?? "\($0)" }
  }

  /// Forgets lists that have left the configuration and the rules.
  func forgetProblems() {
    do throws(StoreError) {
      let schedule = try rows.desk?.schedule().schedule
      try listProblems.forget { device, source in
        bases[device]?.source == source
          || schedule?.programmes.contains {
            $0.source == source && schedule?.devices(showing: $0.name) { _ in true }.contains(device) == true
          } == true
      }
    } catch {
      reportReadError(error)
    }
  }

  /// The same for those who ask whether the daemon is ready: a typo in a list restarts nothing.
  func listWords() -> [String] {
    let stored = (try? listProblems.stored()) ?? []
    var words: [String] = []
    for one in stored {
      let name = TerminalText.sanitized(AddressText.withoutSecrets(one.source))
      let line = "list \(name) not taken up since \(RFC3339.text(one.since)): \(one.problem.words)"
      if !words.contains(line) { words.append(line) }
    }
    return words
  }
}
