import CastGuard
package import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqStore
package import CastqText

/// Looks at what somebody wants to play, and at what a device plays of it. Nothing is put into a queue.
package struct MediaCheck {
  package let call: CallOptions
  package let request: SourceRequest
  /// How many requests a server gets at a time, 1 to 16; nil asks servers for lists and documents alone, not for media.
  package var requestsToServers: Int?
  /// Whether local files are read with ffprobe.
  package var readsFiles = false

  package init(call: CallOptions, request: SourceRequest) {
    self.call = call
    self.request = request
  }

  /// What may take a while.
  package enum Stage: Sendable {
    case asking, reading, looking

    package var verb: String {
      switch self {
      case .asking: "asked for"
      case .reading: "read"
      case .looking: "looked at"
      }
    }

    /// What is counted.
    package var things: String {
      switch self {
      case .asking: "addresses"
      case .reading: "files"
      case .looking: "entries"
      }
    }
  }

  /// What was found.
  package struct Report {
    /// The entries, with every problem.
    package var list: SourceList
    /// What the device plays of each entry; nil where no device is named.
    package fileprivate(set) var decisions: [JSONValue]?
    /// What keeps castq from saying more.
    package fileprivate(set) var notes: [String] = []

    package var json: JSONValue {
      var document: [String: JSONValue] = [
        "entries": .integer(Int64(list.drafts.count)), "issues": .array(list.issues.map(JSONOutput.issue)),
      ]
      if let decisions { document["decisions"] = .array(decisions) }
      return .object(document)
    }
  }

  /// - Parameter progress: hears of what of a stage is done, and of how much.
  package func report(
    _ progress: @escaping @Sendable (Stage, Int, Int) -> Void = { _, _, _ in }
  ) async throws(Failure) -> Report {
    let resolvers = Resolvers.rules(call)
    let allowed = LocalPlaces(call)
    let target = try await target()
    let preferred = preferredSubtitles(of: target)
    var list = await SourceList(
      request, readsSubtitles: preferred, resolvers: resolvers, allowing: allowed, music: MusicFolders(call),
      timeout: call.deviceTimeout, asking: requestsToServers == nil ? .aboutSources : .aboutAll)
    if list.drafts.isEmpty, list.errors.isEmpty {
      // As the commands that take a list end.
      list.add([
        PlaylistIssue(.error, file: request.sources[0], line: 1, message: "there is nothing to play in it")
      ])
    }
    let drafts = list.typedDrafts
    list.add(Resolvers.issues(of: drafts, resolvers))
    list.add(FileCheck.issues(of: drafts))
    list.add(DemandedHeaders.issues(of: drafts, in: list.playlist.foreign))
    if let requestsToServers {
      let check = OnlineCheck(
        perServer: requestsToServers, resolvers: resolvers, allowed: allowed, language: preferred.language)
      list.add(await check.issues(of: drafts) { progress(.asking, $0, $1) })
    }
    if readsFiles {
      let check = try ProbeCheck(call)
      list.add(await check.issues(of: drafts) { progress(.reading, $0, $1) })
    }
    var report = Report(list: list)
    if let target, list.subtitleFailure == nil { await ask(target, &report, progress) }
    if target != nil, requestsToServers == nil, let note = DeviceCheck.unseen(of: drafts, resolvers) {
      report.list.add([note])
    }
    return report
  }

  /// The device that is named, and what is configured. A device of the environment is not meant.
  private typealias Target = (workspace: Workspace, device: KnownDevice, configuration: DaemonConfiguration)

  private func target() async throws(Failure) -> Target? {
    guard !call.device.isEmpty else { return nil }
    let workspace = try Workspace(call)
    let device = try await workspace.device(call)
    return (workspace, device, try call.configuration(for: device))
  }

  /// What viewers of the device prefer, or of any: it is a hint at the languages of files that do not say theirs.
  private func preferredSubtitles(of target: Target?) -> SubtitleChoice {
    if let target { return target.configuration.rules(for: target.device.names).subtitles }
    return (try? ConfigurationFile(call).read().get().standard.subtitles) ?? .first
  }

  private func ask(
    _ target: Target, _ report: inout Report, _ progress: @escaping @Sendable (Stage, Int, Int) -> Void
  ) async {
    let check = DeviceCheck(target.workspace, target.device, target.configuration, say: call.say)
    if !check.canRead {
      report.notes.append(
        "ffprobe is not installed, so only the names of files say what is in them; install ffmpeg")
    }
    let answers = await check.answers(report.list.typedDrafts) { progress(.looking, $0, $1) }
    report.list.add(
      answers.compactMap { $0.issue(for: target.device, allowed: target.configuration.preparation.allow) })
    report.decisions = answers.map { $0.document(for: target.device) }
  }
}
