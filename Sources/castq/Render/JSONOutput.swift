import CastProtocol
import CastqCore
import CastqStore

/// The documents of `--json`: keys in snake case, unknown is `null` and never left out.
enum JSONOutput {
  static func text(_ value: String?) -> JSONValue { JSONValue(value) ?? .null }
  static func number(_ value: Double?) -> JSONValue {
    JSONValue(value.map { ($0 * 1000).rounded() / 1000 }) ?? .null
  }
  static func number(_ value: Int?) -> JSONValue { JSONValue(value) ?? .null }
  static func time(_ value: WallTime?) -> JSONValue { text(value.map(RFC3339.text)) }

  static func added(_ entry: QueueEntry) -> JSONValue {
    [
      "entry": .integer(entry.id.rawValue), "position": .integer(Int64(entry.position)),
      "title": .string(entry.title),
      "url": .string(entry.draft.media.url), "source": text(entry.draft.source?.file),
      "line": number(entry.draft.source?.line),
    ]
  }

  static func entry(_ entry: QueueEntry) -> JSONValue {
    let media = entry.draft.media
    // An entry on the screen, or one that has played, has used one attempt beyond its failures.
    let used = entry.state == .playing || entry.state == .finished ? 1 : 0
    return [
      "entry": .integer(entry.id.rawValue), "position": .integer(Int64(entry.position)),
      "state": .string(entry.state.rawValue), "title": .string(entry.title), "url": .string(media.url),
      "content_type": text(media.contentType), "stream_type": .string(media.streamType.word.lowercased()),
      "duration_s": number(media.streamDuration?.seconds), "attempts": .integer(Int64(entry.attempts + used)),
      "not_before": time(entry.draft.notBefore), "not_after": time(entry.draft.notAfter),
      "source": text(entry.draft.source?.file),
      "line": number(entry.draft.source?.line),
    ]
  }

  static func issue(_ issue: PlaylistIssue) -> JSONValue {
    [
      "source": .string(issue.file), "line": .integer(Int64(issue.line)),
      "column": .integer(Int64(issue.column)),
      "severity": .string(issue.severity == .error ? "error" : "warning"), "message": .string(issue.message),
      "hint": text(issue.hint),
    ]
  }

  static func play(_ play: PlayRecord) -> JSONValue {
    [
      "play": .integer(play.play), "entry": .integer(play.turn.entry.rawValue),
      "device": .string(play.device),
      "title": .string(play.title), "url": .string(play.url), "source": text(play.source?.file),
      "line": number(play.source?.line), "schedule": .null, "started_at": time(play.startedAt),
      "ended_at": time(play.endedAt), "played_s": number(play.playedSeconds),
      "duration_s": number(play.duration?.seconds), "outcome": text(play.outcome?.rawValue),
      "evidence": text(play.evidence?.rawValue), "reason": text(play.reason?.words),
      "receiver": receiver(play.reason), "gap_before_s": number(play.gapBefore),
      "ad_breaks": .array(
        play.adPlays.map {
          [
            "break": text($0.breakID.isEmpty ? nil : $0.breakID),
            "clip": text($0.clipID.isEmpty ? nil : $0.clipID), "started_at": time($0.startedAt),
            "played_s": number($0.played), "skipped": .bool($0.isSkipped),
          ]
        }),
    ]
  }

  static func receiver(_ reason: PlayReason?) -> JSONValue { reason?.receiver ?? .null }

  static func device(_ device: KnownDevice) -> JSONValue {
    [
      "name": .string(device.name), "alias": text(device.alias), "uuid": text(device.uuid),
      "model": text(device.model),
      "address": .string("\(device.endpoint)"), "seen": .string(device.origin),
      "last_seen_at": time(device.lastSeenAt), "default": .bool(device.isDefault),
      "pinned": .bool(device.isPinned),
      "group": .bool(device.isGroup), "capabilities": .array(capabilities(device.capabilities)),
      "status": .null,
    ]
  }

  private static func capabilities(_ bits: Int?) -> [JSONValue] {
    guard let bits else { return [] }
    let names = [
      (1, "video_out"), (2, "video_in"), (4, "audio_out"), (8, "audio_in"), (32, "multizone_group"),
    ]
    return names.filter { bits & $0.0 != 0 }.map { .string($0.1) }
  }
}
