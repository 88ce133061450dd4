import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText

/// Asks what a device plays of a list, and what has to be done with the rest.
struct DeviceCheck {
  /// An entry and what is known of it.
  struct Answer: Sendable {
    var draft: EntryDraft
    var verdict: DeviceMedia.Verdict
    /// Why the device may not play what is on the web, by its name; nil where the name shows nothing.
    var doubt: String?
  }

  /// Files that are read at the same time.
  private static let atOnce = 4

  let device: KnownDevice
  let media: DeviceMedia
  /// Whether files can be read, and not only their names.
  let canRead: Bool

  /// - Parameter say: hears of programs that cannot be used.
  init(
    _ workspace: Workspace, _ device: KnownDevice, _ configuration: DaemonConfiguration,
    say: (String) -> Void
  ) {
    let programs = Environment.programs(configuration.programs)
    for problem in programs.problems { say("castq: \(problem)") }
    let prober = programs.ffprobe.map { MediaProber($0) }
    canRead = prober != nil
    self.device = device
    media = DeviceMedia(
      rules: PlayRules(device, model: configuration.rules(for: device.names).playsAs),
      probes: ProbeMemory(prober, workspace.database))
  }

  /// - Parameter progress: called with the number of answers, and of all entries.
  func answers(_ drafts: [EntryDraft], progress: @escaping @Sendable (Int, Int) -> Void) async
    -> [Answer]
  {
    var next = 0
    var found: [(index: Int, answer: Answer)] = []
    await withTaskGroup(of: (Int, Answer).self) { group in
      func ask() {
        guard next < drafts.count else { return }
        let (index, draft) = (next, drafts[next])
        next += 1
        group.addTask { [media] in
          let verdict = await media.examine(draft) { .now }
          let doubt =
            Self.isOnWeb(draft) ? media.rules.decision(byType: draft.media.contentType)?.reason : nil
          return (index, Answer(draft: draft, verdict: verdict, doubt: doubt))
        }
      }
      for _ in 0..<Self.atOnce { ask() }
      while let (index, answer) = await group.next() {
        found.append((index, answer))
        progress(found.count, drafts.count)
        ask()
      }
    }
    return found.sorted { $0.index < $1.index }.map(\.answer)
  }

  private static func isOnWeb(_ draft: EntryDraft) -> Bool { draft.media.url.hasPrefix("http") }

  /// A note, at the first of them, of how many addresses were judged by their names alone; nil when there are none.
  static func unseen(of drafts: [EntryDraft], _ resolvers: ResolverRules) -> PlaylistIssue? {
    let needs = WebNeed.all(of: drafts, besides: resolvers)
    guard let place = needs.first?.places.first?.source else { return nil }
    let words = needs.count == 1 ? "1 address on the web was" : "\(needs.count) addresses on the web were"
    return PlaylistIssue(
      .note, file: place.file, line: place.line ?? 1, message: "\(words) not looked at",
      hint: FaceWords(typed: "`castq check --online` asks their servers", paged: nil))
  }
}

extension DeviceCheck.Answer {
  /// The name of the media, the decision and the reason, as a line of `castq check`.
  /// - Parameter allowed: how far the configuration lets castq convert.
  package func issue(for device: KnownDevice, allowed: PreparationRules.Allowance) -> PlaylistIssue? {
    switch verdict {
    case .decided(let examined):
      let decision = examined.decision
      let words = decision.reason.isEmpty ? "" : ": \(decision.reason)"
      switch decision.way {
      case .direct: return issue(.note, "\(name) \(decision.way.words) on \(device.label)")
      case .remux, .audio, .video:
        return issue(
          .warning, "\(name) \(decision.way.words) for \(device.label)\(words)",
          hint: allowed.permits(decision.way)
            ? FaceWords(typed: "`castq prepare` makes it", paged: nil)
            : "castq may not make it: `prepare.allow` is \(allowed.rawValue) in the configuration")
      case .impossible: return issue(.error, "\(name) cannot be played on \(device.label)\(words)")
      }
    case .notMedia(let words): return issue(.error, "\(name) is no media: \(words)")
    case .unread(let problem, let way?, let reason):
      return issue(.warning, "\(name) \(way.words) for \(device.label), by its name: \(reason ?? problem)")
    case .notLocal:
      return doubt.map {
        issue(
          .warning, "\(name) may not play on \(device.label), by its name: \($0)",
          hint: "castq converts files of this computer alone: name a copy of it")
      }
    case .unread: return nil
    }
  }

  /// The decision for programs; null where nothing is known.
  package func document(for device: KnownDevice) -> JSONValue {
    var (decision, reason, type): (JSONValue, JSONValue, JSONValue) = (.null, .null, .null)
    switch verdict {
    case .decided(let examined):
      decision = .string(examined.decision.way.rawValue)
      type = .string(examined.decision.contentType)
      if !examined.decision.reasons.isEmpty { reason = .string(examined.decision.reason) }
    case .notMedia(let words): (decision, reason) = ("impossible", .string(words))
    case .unread(let problem, let way, let words):
      decision = JSONOutput.text(way?.rawValue)
      reason = .string(words ?? problem)
    case .notLocal:
      type = JSONOutput.text(draft.media.contentType)
      reason = JSONOutput.text(doubt)
    }
    return [
      "device": .string(device.label), "source": JSONOutput.text(draft.source?.file),
      "line": JSONOutput.number(draft.source?.line), "url": .string(draft.media.url), "decision": decision,
      "content_type": type, "reason": reason,
    ]
  }

  private var name: String { TerminalText.excerpt(MediaTitle.name(of: draft.media.url), limit: 200) }

  private func issue(_ severity: PlaylistIssue.Severity, _ message: String, hint: FaceWords? = nil)
    -> PlaylistIssue
  {
    PlaylistIssue(
      severity, file: draft.source?.file ?? draft.media.url, line: draft.source?.line ?? 1, message: message,
      hint: hint)
  }
}
