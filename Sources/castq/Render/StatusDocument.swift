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
  /// The application was asked what it plays, and did not answer.
  var isMediaSilent = false
}

/// What the database adds to it.
struct QueuePicture {
  var entry: EntryID?
  var pending: Int
  var queued: Int
  var next: EntryID?
  /// How the queue goes on; nil for a device that has none.
  var settings: QueueSettings?
  /// The web page that rows say is on the screen: its application tells nothing of it.
  var page: MediaInformation?
  /// The picture on the screen; nil when it is none, or none of castq's.
  var still: StillPicture?
  /// The entry on the screen, in the words of its list.
  var row: QueueEntry?
}

/// A picture that stands for its time.
struct StillPicture {
  /// Seconds since it came.
  var shown: Double
  /// Seconds it is to stand; nil when nobody said.
  var length: Double?
}

/// `castq status`, for programs and for people.
struct StatusDocument {
  var device: KnownDevice
  /// Nil when the device could not be reached.
  var picture: StatusPicture?
  var queue: QueuePicture
  /// What the list waits for.
  var outlook = Outlook()

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
    (queue.row?.draft.media.metadata ?? information?.metadata).flatMap {
      FirstImagePicker().image(from: $0, hints: ImageHints(kind: .miniController))
    }
  }

  /// IDLE and LOADING are told apart, as the receiver's extended status does.
  private var playerState: String? {
    guard picture != nil, !isMediaSilent else { return nil }
    guard let media else { return (page == nil ? MediaPlayerState.idle : .playing).word }
    return media.isLoading ? MediaPlayerState.loading.word : media.playerState.word
  }

  /// The application does not say what it plays.
  var isMediaSilent: Bool { picture?.isMediaSilent == true }

  /// What the list waits for while nothing of it is on the screen.
  private var waiting: Outlook {
    if queue.entry != nil, isPlaying { return Outlook() }
    if outlook.reason == nil, picture == nil || isMediaSilent { return Outlook(.device) }
    return outlook
  }

  var json: JSONValue {
    let waiting = waiting
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
      "title": JSONOutput.text(queue.row?.title ?? information?.metadata?.title),
      "subtitle": JSONOutput.text(information?.metadata?.subtitle),
      "url": JSONOutput.text(queue.row?.draft.media.url ?? information?.url),
      "image": JSONOutput.text(artwork?.url),
      "live": information.map { .bool($0.streamType == .live) } ?? .null,
      "position_s": JSONOutput.number(media?.streamPosition?.seconds),
      "duration_s": JSONOutput.number(information?.streamDuration?.seconds),
      "rate": JSONOutput.number(media?.playbackRate), "volume": volume ?? .null, "video": video ?? .null,
      "tracks": media?.tracksJSON ?? [], "ad": ad ?? .null,
      "queue": [
        "pending": .integer(Int64(queue.pending)), "queued": .integer(Int64(queue.queued)),
        "next": JSONOutput.number(queue.next.map { Int($0.rawValue) }),
        "repeat": JSONOutput.text(queue.settings?.repeatMode.rawValue),
        "shuffle": queue.settings.map { .bool($0.isShuffled) } ?? .null,
      ],
      "media_answers": picture == nil ? .null : .bool(!isMediaSilent),
      "waiting_for": JSONOutput.text(waiting.reason?.rawValue), "until": JSONOutput.time(waiting.until),
      "since": JSONOutput.time(waiting.since), "calls": JSONOutput.number(waiting.calls), "rule": .null,
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
  var line: String { line(columns: .max) }

  /// The same, in so many columns: a title gives way to the state and the position.
  func line(columns: Int) -> String {
    let why = waiting.words.map { "; \($0)" } ?? ""
    guard picture != nil else { return DisplayWidth.fitted("\(label): offline\(why)", columns: columns) }
    guard let what = onScreen, isPlaying else {
      return DisplayWidth.fitted("\(label): \(darkness)\(why)", columns: columns)
    }
    return what.prefixed("\(label): ").text(columns: columns)
  }

  private var darkness: String {
    guard isMediaSilent else { return "nothing is playing" }
    return "\(application?.displayName ?? "the application") does not say what it plays"
  }

  /// A few lines for a person.
  var lines: [String] {
    var lines = ["\(device.label) (\(device.endpoint))"]
    lines.append(onScreen?.text(columns: .max) ?? (picture == nil ? "offline" : darkness))
    if let words = waiting.words { lines.append(words) }
    if let volume = picture?.receiver?.volume {
      lines.append("volume \(Int(bounded: (volume.level * 100).rounded()))\(volume.isMuted ? ", muted" : "")")
    }
    let waiting = queue.pending + queue.queued
    if waiting > 0 {
      let words = waiting == 1 ? "1 entry waits" : "\(waiting) entries wait"
      lines.append(words + (queue.settings.map { "; \($0.words)" } ?? ""))
    } else if let settings = queue.settings, settings.repeatMode != .off || settings.isShuffled {
      lines.append(settings.words)
    }
    return lines.map { TerminalText.sanitized($0) }
  }

  private var label: String { TerminalText.sanitized(device.label) }

  /// What is on the screen: its state, its title and how far it is; nil when nothing is.
  private var onScreen: FittedLine? {
    if let media, !media.isEnded {
      let title = information?.label ?? "something"
      let ad = AdProgress(media).map { "  \($0.words)" } ?? ""
      if information?.isPicture == true, !media.isLoading {
        let shown = queue.still.map { "  \(ClockText.progress($0.shown, of: $0.length))" } ?? ""
        return FittedLine("SHOWING  ", title, shown + ad)
      }
      let progress = ClockText.progress(
        media.streamPosition?.seconds, of: information?.streamDuration?.seconds)
      return FittedLine("\(playerState ?? "")  ", title, "  \(progress)\(ad)")
    }
    return page.map { FittedLine("\(playerState ?? "")  ", $0.label, "  web page") }
  }
}

extension Outlook {
  /// For a person; nil when nothing stands in the way.
  fileprivate var words: String? {
    let end = until.map { " until \(Zone.local.text($0))" }
    let begin = since.map { " since \(Zone.local.text($0))" } ?? ""
    return switch reason {
    case nil: nil
    case .guest: "a guest has the screen\(end ?? " until somebody starts castq: 'castq play'")"
    case .quietHours: "quiet hours\(end ?? "")"
    case .notBefore: "nothing may be shown\(until.map { " before \(Zone.local.text($0))" } ?? " yet")"
    case .stopped: "stopped by castq\(begin): 'castq play' goes on"
    case .device: "the device does not answer\(begin)\(calls.map { ", called \($0) times" } ?? "")"
    case .nothingDue: "nothing is left to play"
    }
  }
}
