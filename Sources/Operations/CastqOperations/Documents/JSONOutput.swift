package import CastProtocol
import CastSender
package import CastqFeeding
package import CastqPlaylists
import CastqSchedule
package import CastqStore
package import CastqText

/// The documents of `--json`: keys are snake_case; unknown values are `null`, never omitted.
package enum JSONOutput {
  package static func text(_ value: String?) -> JSONValue { JSONValue(value) ?? .null }
  /// The name of a programme as people see it.
  package static func programme(_ name: String?) -> JSONValue { text(name.map(ProgrammeName.shown)) }
  package static func number(_ value: Double?) -> JSONValue {
    JSONValue(value.map { ($0 * 1000).rounded() / 1000 }) ?? .null
  }
  package static func number(_ value: Int?) -> JSONValue { JSONValue(value) ?? .null }
  package static func time(_ value: WallTime?) -> JSONValue { text(value.map(RFC3339.text)) }

  /// A beginning or an end; null for that of a rule that is always on.
  static func bound(_ value: WallTime?) -> JSONValue { time(value.flatMap(\.dated)) }
  /// The name of an occurrence; null for that of a rule that is always on.
  package static func occurrence(_ value: LocalTime?) -> JSONValue { text(value?.dated?.text) }

  /// - Parameter source: the file as it was typed.
  package static func added(_ entry: QueueEntry, source: String?, on device: KnownDevice) -> JSONValue {
    [
      "device": .string(device.label),
      "entry": .integer(entry.id.rawValue), "position": .integer(Int64(entry.position)),
      "title": .string(entry.title),
      "url": .string(entry.draft.media.url), "source": text(source),
      "line": number(entry.draft.source?.line),
    ]
  }

  package static func entry(_ entry: QueueEntry, on device: KnownDevice) -> JSONValue {
    let media = entry.draft.media
    // An entry on the screen, or one that has played, has used one attempt beyond its failures.
    let used = entry.state == .playing || entry.state == .finished ? 1 : 0
    // A picture has no length but the time for which it is shown.
    let length = media.isPicture ? entry.draft.playingTime() : media.streamDuration
    return [
      "device": .string(device.label),
      "entry": .integer(entry.id.rawValue), "position": .integer(Int64(entry.position)),
      "state": .string(entry.state.rawValue), "title": .string(entry.title),
      "subtitle": text(media.secondLine), "art": text(art(of: media)), "url": .string(media.url),
      "content_type": text(media.contentType), "stream_type": .string(media.streamType.word.lowercased()),
      "duration_s": number(length?.seconds), "attempts": .integer(Int64(entry.attempts + used)),
      "not_before": time(entry.draft.notBefore), "not_after": time(entry.draft.notAfter),
      "source": text(entry.draft.source?.file),
      "line": number(entry.draft.source?.line), "failure": failure(entry.failure),
    ]
  }

  /// The digest of the picture of an entry. A picture without one is its own.
  private static func art(of media: MediaInformation) -> String? {
    let image = media.metadata.flatMap {
      FirstImagePicker().image(from: $0, hints: ImageHints(kind: .miniController))
    }
    return (image?.url ?? media.pictureAddress).map { WebArt.digest(of: $0) }
  }

  private static func failure(_ failure: EntryFailure?) -> JSONValue {
    failure.map { ["message": .string($0.words), "at": time($0.at)] } ?? .null
  }

  /// The document of `castq queue`.
  /// - Parameters:
  ///   - part: the entries that are shown; nil for none, because the reader has this version.
  ///   - first: how many entries come before them.
  package static func queue(
    _ part: [QueueEntry]?, from first: Int = 0, of order: QueueOrder, _ settings: QueueSettings,
    on device: KnownDevice
  ) -> JSONValue {
    [
      "device": .string(device.label), "repeat": .string(settings.repeatMode.rawValue),
      "shuffle": .bool(settings.isShuffled), "version": .integer(order.version),
      "total": .integer(Int64(order.rows.count)), "from": .integer(Int64(first)),
      "entries": part.map { .array($0.map { entry($0, on: device) }) } ?? .null,
    ]
  }

  package static func issue(_ issue: PlaylistIssue) -> JSONValue {
    [
      "source": .string(issue.file), "line": .integer(Int64(issue.line)),
      "column": .integer(Int64(issue.column)),
      "severity": .string(issue.severity.rawValue), "message": .string(issue.message),
      "hint": text(issue.hint?.typed),
    ]
  }

  /// The document of plays.
  package static func plays(_ plays: [PlayRecord]) -> JSONValue { ["plays": .array(plays.map(play))] }

  package static func play(_ play: PlayRecord) -> JSONValue {
    [
      "play": .integer(play.play), "entry": .integer(play.turn.entry.rawValue),
      "device": .string(play.device),
      "title": .string(play.title), "url": .string(play.url), "source": text(play.source?.file),
      "line": number(play.source?.line), "schedule": text(play.schedule?.name),
      "kind": text(play.schedule?.kind.rawValue),
      "rule_revision": JSONValue(play.schedule?.revision.map(Int.init)) ?? .null,
      "occurrence": text(play.schedule?.occurrence.flatMap(LocalTime.dated)),
      "planned_at": bound(play.schedule?.plannedAt),
      "started_at": time(play.startedAt),
      "ended_at": time(play.endedAt), "played_s": number(play.playedSeconds),
      "duration_s": number(play.duration?.seconds), "outcome": text(play.outcome?.rawValue),
      "evidence": text(play.evidence?.rawValue), "reason": text(play.reasonWords),
      "explanation": text(play.explanation),
      "cause": text(play.cause?.rawValue), "caused_by": text(play.causedBy),
      "attempt": JSONValue(play.attempt) ?? .null, "unobserved_s": number(play.unobserved),
      "rate": number(play.rate),
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

  package static func receiver(_ reason: PlayReason?) -> JSONValue { reason?.receiver ?? .null }

  package static func device(_ device: KnownDevice) -> JSONValue {
    [
      "name": .string(device.name), "alias": text(device.alias), "uuid": text(device.uuid.map(dashed)),
      "model": text(device.model),
      "address": .string("\(device.endpoint)"), "seen": .string(device.seenBy?.rawValue ?? "static"),
      "last_seen_at": time(device.lastSeenAt), "default": .bool(device.isDefault),
      "pinned": .bool(device.isPinned), "used": .bool(device.isPicked),
      "group": .bool(device.isGroup),
      "capabilities": .array((device.capabilities?.words ?? []).map { .string($0) }),
      "status": text(device.statusText),
    ]
  }

  /// Everything known about a device: the members of `devices`, and those of the ledger.
  package static func deviceInFull(_ device: KnownDevice, _ gaps: GapMeter) -> JSONValue {
    var roots: String?
    if case .roots(let file) = device.trust { roots = file }
    let more: [String: JSONValue] = [
      "friendly_name": text(device.friendlyName),
      "given_address": text(device.staticEndpoint.map { "\($0)" }), "trust": .string(device.trust.word),
      "roots": text(roots), "pinned_key": text(device.pinnedKey), "pinned_at": time(device.pinnedAt),
      "can_prove": device.canProve.map { .bool($0) } ?? .null, "silent_at": time(device.silentAt),
      "announced_name": text(device.announcedName), "gaps": Self.gaps(gaps),
    ]
    return .object((Self.device(device).object ?? [:]).merging(more) { $1 })
  }

  /// Seconds between the last frame of one item and the first of the next; nil percentiles are null.
  private static func gaps(_ gaps: GapMeter) -> JSONValue {
    func seconds(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
    return [
      "count": .integer(Int64(gaps.count)), "p50_s": seconds(gaps.p50), "p95_s": seconds(gaps.p95),
      "p99_s": seconds(gaps.p99),
    ]
  }

  /// A UUID in groups of 8, 4, 4, 4 and 12 digits.
  package static func dashed(_ uuid: String) -> String {
    guard uuid.utf8.count == 32 else { return uuid }
    var rest = Substring(uuid)
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }
}

extension DeviceCapabilities {
  /// The names of capabilities with a published meaning, in the order of their bits.
  package var words: [String] {
    let names: [(DeviceCapabilities, String)] = [
      (.videoOut, "video_out"), (.videoIn, "video_in"), (.audioOut, "audio_out"), (.audioIn, "audio_in"),
      (.developerMode, "developer_mode"), (.multizoneGroup, "multizone_group"),
      (.dynamicGroup, "dynamic_group"), (.multichannelGroup, "multichannel_group"),
      (.multichannelMember, "multichannel_member"), (.masterOrFixedVolume, "master_or_fixed_volume"),
      (.attenuationOrFixedVolume, "attenuation_or_fixed_volume"), (.dynamicGrouping, "dynamic_grouping"),
    ]
    return names.filter { contains($0.0) }.map(\.1)
  }
}
