import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText

/// Why an entry cannot be played, as far as that is known when it is added: it fails later otherwise, when nobody looks.
struct PlayObstacle {
  private let device: KnownDevice
  private let media: DeviceMedia
  private let resolvers: ResolverRules
  private let allowed: PreparationRules.Allowance

  init(_ call: QueueCall) {
    let configured = call.workspace.configured
    device = call.device
    let rules = PlayRules(call.device, model: configured.model(of: call.device))
    media = DeviceMedia(rules: rules, probes: ProbeMemory(nil, call.workspace.database))
    resolvers = Resolvers.rules(call.global)
    allowed = configured.converted.allowed
  }

  /// Nil where nothing stands in the way.
  func issue(of draft: EntryDraft) -> PlaylistIssue? {
    let found =
      Resolvers.issues(of: [draft], resolvers) + FileCheck.issues(of: [draft])
      + [
        media.known(draft).flatMap {
          DeviceCheck.Answer(draft: draft, verdict: $0).issue(for: device, allowed: allowed)
        }
      ]
      .compactMap(\.self)
    return found.first { $0.severity == .error }
  }
}

extension QueueCall {
  /// Reads what somebody wants to play, without what cannot be played.
  package func readPlayable(_ request: SourceRequest, isStrict: Bool) async -> SourceList {
    var list = await read(request, isStrict: isStrict)
    let obstacle = PlayObstacle(self)
    list.leaveOut(obstacle.issue)
    return list
  }
}
