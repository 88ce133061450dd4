package import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// The state of a screen, as documents have it.
extension ScreenState {
  package var json: JSONValue { json(hasSecrets: false) }

  /// - Parameter hasSecrets: whether pictures have the addresses that the device was given, for faces that fetch them themselves.
  package func json(hasSecrets: Bool) -> JSONValue {
    let waiting = waiting
    let application: JSONValue? = application.map {
      ["id": .string($0.applicationID), "name": JSONOutput.text($0.displayName)]
    }
    let volume = picture?.receiver?.volume?.levelJSON
    return [
      "device": .string(device.label), "address": .string("\(device.endpoint)"),
      "connection": .string(seen.connection.rawValue),
      "at": JSONOutput.time(seen.at), "application": application ?? .null,
      "player_state": JSONOutput.text(playerState),
      "entry": JSONOutput.number(rows.entry.map { Int($0.rawValue) }),
      "item_id": JSONOutput.number(media?.currentItemID?.rawValue),
      "title": JSONOutput.text(title),
      "subtitle": JSONOutput.text(information?.secondLine),
      "url": JSONOutput.text(rows.row?.draft.media.url ?? shown(information?.url, hasSecrets)),
      "image": JSONOutput.text(shown(artwork?.url, hasSecrets)),
      "art": JSONOutput.text(artwork.map { WebArt.digest(of: $0.url) }),
      "live": information.map { .bool($0.streamType == .live) } ?? .null,
      "position_s": JSONOutput.number(media?.streamPosition?.seconds),
      "duration_s": JSONOutput.number(information?.streamDuration?.seconds),
      "rate": JSONOutput.number(media?.playbackRate),
      "speed": JSONOutput.number(media.map { _ in speed }), "volume": volume ?? .null,
      "volume_control": JSONOutput.text(picture?.receiver?.volume?.controlType?.word),
      "configured_volume": JSONOutput.number(configuredLevel), "video": video ?? .null,
      "tracks": media?.tracksJSON ?? [], "ad": ad(hasSecrets) ?? .null, "ad_marks_s": adMarks ?? .null,
      "queue": [
        "pending": .integer(Int64(rows.pending)), "queued": .integer(Int64(rows.queued)),
        "next": JSONOutput.number(rows.next.map { Int($0.rawValue) }),
        "next_title": JSONOutput.text(rows.nextTitle),
        "repeat": JSONOutput.text(rows.settings?.repeatMode.rawValue),
        "shuffle": rows.settings.map { .bool($0.isShuffled) } ?? .null,
      ],
      "daemon_silent_s": JSONOutput.number(seen.silence?.time.seconds),
      "media_answers": picture == nil ? .null : .bool(!isMediaSilent),
      "waiting_for": JSONOutput.text(waiting.waitingFor), "reason": JSONOutput.text(waiting.reason?.rawValue),
      "why": JSONOutput.text(reason(hasCommands: false)), "until": JSONOutput.time(waiting.until),
      "since": JSONOutput.time(waiting.since), "calls": JSONOutput.number(waiting.calls),
      "kind": isOfQueue ? .string(rows.decision?.decision.kind.word ?? "base") : .null,
      "rule": JSONOutput.text(rule?.name), "programme": JSONOutput.text(rule?.programme),
      "lists": .array(
        rows.lists.map { list in
          [
            "source": JSONOutput.text(AddressText.withoutSecrets(list.source)),
            "since": JSONOutput.time(list.since),
            "message": .string(list.problem.words),
          ]
        }), "need": need?.json ?? .null,
    ]
  }

  private var video: JSONValue? {
    media?.videoInfo.map {
      [
        "width": .integer(Int64($0.width)), "height": .integer(Int64($0.height)),
        "hdr": JSONOutput.text($0.hdrType?.word),
      ]
    }
  }

  func clip(_ ad: AdProgress) -> AdBreakClipInfo? {
    information?.adBreakClips.first { $0.identifier == ad.clipID }
  }

  private func ad(_ hasSecrets: Bool) -> JSONValue? {
    media.flatMap { AdProgress($0) }.map { ad in
      let clip = clip(ad)
      return [
        "break": JSONOutput.text(ad.breakID), "clip": JSONOutput.text(ad.clipID),
        "position_s": JSONOutput.number(ad.position), "remaining_s": JSONOutput.number(ad.remaining),
        "skippable_in_s": JSONOutput.number(ad.skippableIn),
        "title": JSONOutput.text(clip?.title), "number": JSONOutput.number(ad.number),
        "count": JSONOutput.number(ad.count),
        "image": JSONOutput.text(shown(clip?.posterURL, hasSecrets)),
        "art": JSONOutput.text(clip?.posterURL.map { WebArt.digest(of: $0) }),
      ]
    }
  }

  /// Where ads interrupt what plays; nil when nothing does. One after the end stands at the end.
  private var adMarks: JSONValue? {
    information.map { information in
      .array(
        information.adBreaks.compactMap { one -> JSONValue? in
          let place: MediaTime? =
            if case .at(let time) = one.position { time } else { information.streamDuration }
          return place.map { JSONOutput.number($0.seconds) }
        })
    }
  }

  /// An address that a device was given as documents have it; nil for one that castq serves, which is the device's alone.
  private func shown(_ address: String?, _ hasSecrets: Bool) -> String? {
    hasSecrets || address.map(ServedAddress.isServed) != true ? address : nil
  }
}
