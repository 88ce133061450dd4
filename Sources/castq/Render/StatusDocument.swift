import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore

/// What a device said.
struct StatusPicture {
  var receiver: ReceiverStatus?
  var application: ApplicationMetadata?
  var media: MediaStatus?
}

/// What the database adds to it.
struct QueuePicture {
  var entry: EntryID?
  var pending: Int
  var queued: Int
  var next: EntryID?
  /// The web page that rows say is on the screen: its application tells nothing of it.
  var page: MediaInformation?
}

/// `castq status`, for programs and for people.
struct StatusDocument {
  var device: KnownDevice
  /// Nil when the device could not be reached.
  var picture: StatusPicture?
  var queue: QueuePicture

  private var media: MediaStatus? { picture?.media }
  /// What plays, as far as its application has told; a page only while an application for pages can be showing it.
  private var information: MediaInformation? { media?.mediaInformation ?? page }
  private var page: MediaInformation? {
    application.map { $0.namespaces.contains(Namespace.media.rawValue) } == false ? queue.page : nil
  }
  /// What runs, also when it plays no media and nobody joins it for its status.
  private var application: ApplicationMetadata? { picture?.application ?? picture?.receiver?.application }

  /// Whether something is on the screen.
  var isPlaying: Bool { page != nil || media.map { !$0.isEnded } ?? false }

  /// The picture a line about what plays would show.
  private var artwork: Image? {
    information?.metadata.flatMap {
      FirstImagePicker().image(from: $0, hints: ImageHints(kind: .miniController))
    }
  }

  /// IDLE and LOADING are told apart, as the receiver's extended status does.
  private var playerState: String? {
    guard picture != nil else { return nil }
    guard let media else { return (page == nil ? MediaPlayerState.idle : .playing).word }
    return media.isLoading ? MediaPlayerState.loading.word : media.playerState.word
  }

  var json: JSONValue {
    let application: JSONValue? = application.map {
      ["id": .string($0.applicationID), "name": JSONOutput.text($0.displayName)]
    }
    let volume = picture?.receiver?.volume?.levelJSON
    return [
      "device": .string(device.label), "address": .string("\(device.endpoint)"),
      "connection": .string(picture == nil ? "offline" : "connected"), "application": application ?? .null,
      "player_state": JSONOutput.text(playerState),
      "entry": JSONOutput.number(queue.entry.map { Int($0.rawValue) }),
      "item_id": JSONOutput.number(media?.currentItemID?.rawValue),
      "title": JSONOutput.text(information?.metadata?.title),
      "subtitle": JSONOutput.text(information?.metadata?.subtitle),
      "url": JSONOutput.text(information?.url),
      "image": JSONOutput.text(artwork?.url),
      "live": information.map { .bool($0.streamType == .live) } ?? .null,
      "position_s": JSONOutput.number(media?.streamPosition?.seconds),
      "duration_s": JSONOutput.number(information?.streamDuration?.seconds),
      "rate": JSONOutput.number(media?.playbackRate), "volume": volume ?? .null, "video": video ?? .null,
      "tracks": media?.tracksJSON ?? [], "ad": ad ?? .null,
      "queue": [
        "pending": .integer(Int64(queue.pending)), "queued": .integer(Int64(queue.queued)),
        "next": JSONOutput.number(queue.next.map { Int($0.rawValue) }),
      ],
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

  private var ad: JSONValue? {
    media.flatMap { AdProgress($0) }.map { ad in
      [
        "break": JSONOutput.text(ad.breakID), "clip": JSONOutput.text(ad.clipID),
        "position_s": JSONOutput.number(ad.position), "skippable_in_s": JSONOutput.number(ad.skippableIn),
      ]
    }
  }

  /// One line for a person who keeps an eye on it.
  var line: String {
    guard picture != nil else { return "\(device.label): offline" }
    guard isPlaying else { return "\(device.label): nothing is playing" }
    return lines.dropFirst().first.map { "\(device.label): \($0)" } ?? device.label
  }

  /// A few lines for a person.
  var lines: [String] {
    var lines = ["\(device.label) (\(device.endpoint))"]
    if let media, !media.isEnded {
      let title = information?.label ?? "something"
      let position = media.streamPosition.map { ClockText.format($0.seconds) } ?? "-:--"
      let length = information?.streamDuration.map { " / \(ClockText.format($0.seconds))" } ?? ""
      let ad = AdProgress(media).map { "  \($0.words)" } ?? ""
      lines.append("\(playerState ?? "")  \(title)  \(position)\(length)\(ad)")
    } else if let page {
      lines.append("\(playerState ?? "")  \(page.label)  web page")
    } else {
      lines.append("nothing is playing")
    }
    if let volume = picture?.receiver?.volume {
      lines.append("volume \(Int((volume.level * 100).rounded()))\(volume.isMuted ? ", muted" : "")")
    }
    let waiting = queue.pending + queue.queued
    if waiting > 0 { lines.append(waiting == 1 ? "1 entry waits" : "\(waiting) entries wait") }
    return lines.map { TerminalText.sanitized($0) }
  }
}
