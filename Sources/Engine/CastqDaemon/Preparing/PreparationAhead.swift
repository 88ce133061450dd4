import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore
package import CastqText
import Synchronization

/// Converts the files of entries while those before them play, one at a time for all devices of a process.
package final class PreparationAhead: Sendable {
  private struct Key: Hashable {
    var file: ProbedFile
    var rules: PlayRules
  }

  fileprivate enum Work {
    /// The closure is called when it is over.
    case running(Task<Void, Never>, changed: @Sendable () -> Void)
    /// It is converted, or need not or cannot be.
    case over
  }

  private struct State {
    var work: [Key: Work] = [:]
    var last: Task<Void, Never>?
    var hasEnded = false
  }

  private let preparer: MediaPreparer
  private let needs: PreparedNeeds
  private let canRead: Bool
  private let now: @Sendable () -> WallTime
  private let state = Mutex(State())

  /// - Parameters:
  ///   - preparer: allows what may be converted while something plays.
  ///   - canRead: whether files can be probed that are not known.
  ///   - now: the present wall time.
  package init(
    _ preparer: MediaPreparer, needs: PreparedNeeds, canRead: Bool, now: @escaping @Sendable () -> WallTime
  ) {
    self.preparer = preparer
    self.needs = needs
    self.canRead = canRead
    self.now = now
  }

  /// What the configuration allows; nil where it allows nothing, or nothing can convert.
  convenience init?(_ configuration: DaemonConfiguration, _ database: Database, _ settings: DaemonSettings) {
    let rules = configuration.preparation
    guard rules.onDemand != .off else { return nil }
    let programs = settings.programs(configuration.programs)
    guard let ffmpeg = programs.ffmpeg else { return nil }
    let probes = ProbeMemory(programs.ffprobe.map { MediaProber($0) }, database)
    self.init(
      MediaPreparer(rules, program: ffmpeg, allowance: rules.onDemand, database: database),
      needs: PreparedNeeds(database, probes: probes, configuration: configuration),
      canRead: programs.ffprobe != nil
    ) { [time = settings.time] in WallTime(milliseconds: time.wallMilliseconds()) }
  }

  /// Whether the file of an entry is being converted, which begins now if it is needed. Each version of a file is tried once. Reads the
  /// database, and so may block.
  /// - Parameter changed: called when it is over.
  func isUnderWay(_ draft: EntryDraft, for media: DeviceMedia, changed: @escaping @Sendable () -> Void)
    -> Bool
  {
    guard let path = draft.localFile, let file = ProbedFile(path) else { return false }
    let key = Key(file: file, rules: media.rules)
    let isNeeded = isNeeded(draft, media)
    return state.withLock { state in
      switch state.work[key] {
      case .over: return false
      case .running(let task, _):
        state.work[key] = .running(task, changed: changed)
        return true
      case nil:
        guard isNeeded, !state.hasEnded else { return false }
        if state.work.count >= Self.most { state.work = state.work.filter { !$0.value.isOver } }
        let task = Task { [previous = state.last] in
          await previous?.value
          await self.convert(draft, by: key.rules)
          self.finish(key)
        }
        state.work[key] = .running(task, changed: changed)
        state.last = task
        return true
      }
    }
  }

  /// Files that are remembered.
  private static let most = 10_000

  /// Ends what is being converted.
  func end() async {
    let tasks = state.withLock { state in
      state.hasEnded = true
      return state.work.values.compactMap(\.task)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func isNeeded(_ draft: EntryDraft, _ media: DeviceMedia) -> Bool {
    switch media.known(draft) {
    case .decided(let examined): isWanted(examined)
    case .notMedia, .unread, .notLocal: false
    case nil: canRead
    }
  }

  private func isWanted(_ examined: DeviceMedia.Examined) -> Bool {
    guard let recipe = examined.decision.recipe, preparer.permits(examined.decision.way) else { return false }
    return preparer.find(examined.file, recipe) == nil
  }

  private func convert(_ draft: EntryDraft, by rules: PlayRules) async {
    guard !Task.isCancelled,
      case .decided(let examined) = await needs.media(by: rules).examine(draft, now: now), isWanted(examined)
    else { return }
    do throws(PreparationError) {
      _ = try await preparer.prepare(
        examined.file, examined.decision, duration: examined.duration, keeping: await needs.storedNames())
    } catch {
      // The file is sent as it is. If the device refuses it, history says why.
    }
  }

  private func finish(_ key: Key) {
    let work = state.withLock { state in state.work.updateValue(.over, forKey: key) }
    if case .running(_, let changed)? = work { changed() }
  }
}

extension PreparationAhead.Work {
  fileprivate var isOver: Bool {
    switch self {
    case .over: true
    case .running: false
    }
  }

  fileprivate var task: Task<Void, Never>? {
    switch self {
    case .over: nil
    case .running(let task, _): task
    }
  }
}
