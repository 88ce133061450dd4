package import CastProtocol
import CastqDaemon
package import CastqFeeding
package import CastqPlaylists
package import CastqStore
package import CastqText

/// Prepares the files of a list for one device, one after the other.
package struct Preparation: Sendable {
  private let device: KnownDevice
  private let media: DeviceMedia
  private let needs: PreparedNeeds
  private let preparer: MediaPreparer

  /// - Parameter say: hears of programs that cannot be used.
  /// - Throws: `configuration` if files cannot be read.
  package init(
    _ workspace: Workspace, _ device: KnownDevice, _ configuration: DaemonConfiguration,
    say: (String) -> Void
  ) throws(Failure) {
    let programs = Environment.programs(configuration.programs)
    for problem in programs.problems { say("castq: \(problem)") }
    guard let ffprobe = programs.ffprobe else {
      throw Failure(
        "no_program",
        "nothing can be prepared: ffprobe is not installed; install ffmpeg, or name it in the configuration",
        exit: .configuration)
    }
    self.device = device
    let probes = ProbeMemory(MediaProber(ffprobe), workspace.database)
    needs = PreparedNeeds(workspace.database, probes: probes, configuration: configuration)
    media = needs.media(for: device)
    preparer = MediaPreparer(
      configuration.preparation, program: programs.ffmpeg, database: workspace.database)
  }

  /// Prepares each file once.
  /// - Parameters:
  ///   - beginning: hears of each entry before its file is looked at: its index and its name.
  ///   - finished: hears of each entry as it is done.
  package func run(
    _ drafts: [EntryDraft], beginning: (Int, String) -> Void, finished: (PreparedEntry) -> Void
  ) async -> [PreparedEntry] {
    var entries: [PreparedEntry] = []
    var kept: Set<String> = []
    applyBudget(keeping: drafts)
    var done: [String: PreparedEntry.Outcome] = [:]
    for (index, draft) in drafts.enumerated() where !Task.isCancelled {
      let name = TerminalText.excerpt(MediaTitle.name(of: draft.media.url), limit: 200)
      beginning(index, name)
      var outcome = done[draft.media.url]
      if outcome == nil {
        let made = await prepare(draft, keeping: &kept)
        outcome = made
        done[draft.media.url] = made
      }
      guard let outcome, !outcome.isStopped else { break }
      let entry = PreparedEntry(draft: draft, name: name, outcome: outcome)
      entries.append(entry)
      finished(entry)
    }
    return entries
  }

  private func prepare(_ draft: EntryDraft, keeping kept: inout Set<String>) async -> PreparedEntry.Outcome {
    switch await media.examine(draft, now: { .now }) {
    case .notLocal: return .notLocal
    case .notMedia(let words): return .notMedia(words)
    case .unread(let words, _, _): return .unread(words)
    case .decided(let examined):
      let decision = examined.decision
      switch decision.way {
      case .direct: return .direct
      case .impossible: return .failed(decision, .impossible(decision.reason))
      case .remux, .audio, .video: break
      }
      if let recipe = decision.recipe, let name = PreparedFolder.name(of: examined.file, recipe) {
        kept.insert(name)
      }
      do throws(PreparationError) {
        let prepared = try await preparer.prepare(
          examined.file, decision, duration: examined.duration, keeping: kept.union(queueNeeds))
        return .ready(decision, prepared)
      } catch {
        return .failed(decision, error)
      }
    }
  }

  /// Removes what an earlier configuration had more room for, but nothing of this list.
  private func applyBudget(keeping drafts: [EntryDraft]) {
    do throws(StoreError) {
      let own = drafts.compactMap { draft -> String? in
        guard case .decided(let examined)? = media.known(draft), let recipe = examined.decision.recipe else {
          return nil
        }
        return PreparedFolder.name(of: examined.file, recipe)
      }
      _ = preparer.folder.trim(keeping: try needs.names().union(own))
    } catch {
      // Where the queues cannot be read nobody knows what is needed, and all stays.
    }
  }

  /// Prepared files that queues need next. A database that cannot be read protects nothing, and the files can be made again.
  private var queueNeeds: Set<String> {
    do throws(StoreError) { return try needs.names() } catch { return [] }
  }
}

/// An entry, and what was done for it.
package struct PreparedEntry: Sendable {
  enum Outcome: Sendable {
    case direct
    case ready(PlayDecision, MediaPreparer.Prepared)
    case failed(PlayDecision, PreparationError)
    case notMedia(String)
    case unread(String)
    case notLocal

    var isStopped: Bool {
      if case .failed(_, .cancelled) = self { true } else { false }
    }
  }

  var draft: EntryDraft
  var name: String
  var outcome: Outcome

  /// Nil where nothing is wrong.
  package var exit: ExitStatus? {
    switch outcome {
    case .direct, .ready, .notLocal: return nil
    case .notMedia: return .badData
    case .unread: return .inputOutput
    case .failed(_, let error):
      switch error {
      case .impossible: return .badData
      case .noProgram, .notAllowed: return .configuration
      case .inProgress, .changed: return .tryAgain
      case .folder, .noRoom, .program, .notKept, .cancelled: return .inputOutput
      }
    }
  }

  /// For people.
  package func line(for device: KnownDevice) -> String {
    let words =
      switch outcome {
      case .direct: "plays as it is"
      case .ready(let decision, let prepared):
        "\(prepared.wasThere ? "is prepared already" : "prepared"), \(ByteSizeText.words(prepared.size)): "
          + "it \(decision.way.words): \(decision.reason)"
      case .failed(let decision, let error):
        decision.way == .impossible ? "cannot be played: \(error)" : "not prepared: \(error)"
      case .notMedia(let problem): "is no media: \(problem)"
      case .unread(let problem): "could not be read: \(problem)"
      case .notLocal: "is not on this computer, or no film; it is played as it is"
      }
    return TerminalText.sanitized("\(name): \(words)")
  }

  /// For programs.
  package func document(for device: KnownDevice) -> JSONValue {
    var (state, path, bytes): (String, JSONValue, JSONValue) = ("direct", .null, .null)
    var (decision, reason, error): (JSONValue, JSONValue, JSONValue) = (.null, .null, .null)
    switch outcome {
    case .direct: decision = "direct"
    case .ready(let made, let prepared):
      (state, path) = (prepared.wasThere ? "ready" : "prepared", .string(prepared.path))
      (bytes, decision, reason) = (
        .integer(Int64(prepared.size)), .string(made.way.rawValue), .string(made.reason)
      )
    case .failed(let made, let problem):
      (state, decision) = ("failed", .string(made.way.rawValue))
      (reason, error) = (.string(made.reason), .string("\(problem)"))
    case .notMedia(let problem), .unread(let problem): (state, error) = ("failed", .string(problem))
    case .notLocal: state = "skipped"
    }
    return [
      "device": .string(device.label), "source": JSONOutput.text(draft.source?.file),
      "line": JSONOutput.number(draft.source?.line), "url": .string(draft.media.url), "state": .string(state),
      "decision": decision, "reason": reason, "path": path, "bytes": bytes, "error": error,
    ]
  }
}
