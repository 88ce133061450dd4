package import CastGuard
package import CastProtocol
import CastSender
package import CastqCore
import CastqDaemon
import CastqDocuments
package import CastqStore

/// The status that a device reported.
package struct StatusPicture {
  package var receiver: ReceiverStatus?
  var application: ApplicationMetadata?
  package var media: MediaStatus?
  /// The application did not answer the request for its media status.
  var isMediaSilent = false
}

/// The status of the queue.
package struct QueuePicture {
  package var entry: EntryID?
  package var pending: Int
  package var queued: Int
  package var next: EntryID?
  /// The title of the next entry; nil where nothing is next.
  package var nextTitle: String?
  /// Repeat and shuffle; nil for a device without a queue.
  package var settings: QueueSettings?
  /// The web page on the screen according to the rows; its application does not report it.
  package var page: MediaInformation?
  /// The picture on the screen; nil if there is none, or it is not castq's.
  package var still: StillPicture?
  /// The current entry's row.
  package var row: QueueEntry?
  /// The application in which entries are played that ask for no other.
  package var application = CastOptions.defaultMediaReceiverApplicationID
  /// The volume that the configuration sets before something is played; nil leaves the device's.
  var configuredVolume: Double?
  /// How moments are told.
  package var clock = SiteClock()
  /// What was not taken up of the lists that the device plays.
  package var lists: [ListProblemStore.Stored] = []
  /// By what it is on the screen; nil where no rule ever had that, and for what is not castq's.
  var decision: StoredDecision?
}

extension QueuePicture {
  /// That of a device without a queue.
  /// - Parameter clock: how moments are told.
  package init(clock: SiteClock = SiteClock()) {
    self.init(entry: nil, pending: 0, queued: 0, next: nil, settings: nil, clock: clock)
  }
}

/// A picture that is shown for a time.
package struct StillPicture {
  /// Seconds since it appeared.
  package var shown: Double
  /// Seconds to show it; nil if unspecified.
  package var length: Double?
}

/// The status of a device, as JSON.
package struct StatusDocument {
  package var device: KnownDevice
  /// Nil if the device is unreachable.
  package var picture: StatusPicture?
  package var queue: QueuePicture
  /// What the list waits for.
  package var outlook = Outlook()
  /// Whether the device answered, and did not prove its identity as it must.
  package var isRefused = false
  /// That the daemon is there and does not run; nil where it runs, or there is none.
  package var silence: DaemonSilence?
  /// Whether rules are for the device, and no daemon runs that plays them.
  package var lacksDaemon = false
  /// Whether what feeds the device has said all of this: it knows itself whose the screen is.
  package var isFed = false
  /// What a feeder says of the connection; nil leaves it to whether there is a picture.
  package var connection: SeenStatus.Connection?
  /// The moment of the position; nil where every change is shown anyway.
  package var at: WallTime?

  package init(device: KnownDevice, picture: StatusPicture?, queue: QueuePicture) {
    self.device = device
    self.picture = picture
    self.queue = queue
  }

  package var media: MediaStatus? { picture?.media }
  /// The current media as its application reports it; a page only while a running application can show one.
  package var information: MediaInformation? { media?.mediaInformation ?? page }
  package var page: MediaInformation? {
    application.map { $0.namespaces.contains(Namespace.media.rawValue) } == false ? queue.page : nil
  }
  /// The running application, even one without media status.
  package var application: ApplicationMetadata? { picture?.application ?? picture?.receiver?.application }

  /// Whether media or a page is on the screen.
  package var isPlaying: Bool { page != nil || media.map { !$0.isEnded } ?? false }

  /// Names what is on the screen.
  package var subject: String {
    "\(queue.entry.map { "\($0.rawValue)" } ?? "") \(information?.url ?? "") \(information?.label ?? "")"
  }

  /// The artwork of the current media.
  package var artwork: Image? {
    [queue.row?.draft.media.metadata, information?.metadata].lazy.compactMap { metadata in
      metadata.flatMap { FirstImagePicker().image(from: $0, hints: ImageHints(kind: .miniController)) }
    }.first
  }

  /// The player state; distinguishes IDLE and LOADING, as the receiver's extended status does.
  package var playerState: String? {
    guard picture != nil, !isMediaSilent else { return nil }
    guard let media else { return (page == nil ? MediaPlayerState.idle : .playing).word }
    return media.isLoading ? MediaPlayerState.loading.word : media.playerState.word
  }

  /// Whether the application does not report its media status.
  package var isMediaSilent: Bool { picture?.isMediaSilent == true }

  /// Whether an entry of the queue is on the screen.
  package var isOfQueue: Bool { queue.entry != nil && isPlaying }

  /// The rule by which an entry is on the screen, its programme, and when it ends; nil for what people put in.
  package var rule: (name: String, programme: String, end: WallTime?)? {
    guard isOfQueue, let stored = queue.decision, let onAir = stored.decision.onAir, let name = stored.rule
    else {
      return nil
    }
    return (name, ProgrammeName.shown(onAir.programme), onAir.occurrence.end)
  }

  /// What the list waits for while none of its entries plays.
  package var waiting: Outlook {
    if isOfQueue { return Outlook() }
    let isSeen = picture != nil && !isMediaSilent && !isFed && device.id != DeviceID(0)
    let outlook = hasGuest || isSeen ? outlook.seen(hasGuest: hasGuest) : outlook
    guard outlook.reason == nil else { return outlook }
    if connection == .connecting { return Outlook(.connecting) }
    if picture == nil || isMediaSilent { return Outlook(.unreachable) }
    // What feeds the device has nothing on the screen for a moment only, or says why.
    if isFed, !isPlaying { return Outlook(application == nil ? .launching : .loading) }
    return outlook
  }

  /// Whether another sender has the screen, as far as that is seen: its media play, or its application runs. A device that only an
  /// address names has no list, so nobody is a guest there.
  private var hasGuest: Bool {
    guard !isFed, device.id != DeviceID(0), let application else { return false }
    if let media, !media.isEnded { return true }
    return application.applicationID != queue.application
  }

  /// An address that a device was given as documents have it; nil for one that castq serves, which is the device's alone.
  private func shown(_ address: String?, _ hasSecrets: Bool) -> String? {
    hasSecrets || address.map(ServedAddress.isServed) != true ? address : nil
  }

  /// Pictures that the document is about, whoever serves them, and whose words their addresses are.
  package func pictures(_ resolvers: ResolverRules) -> [(address: String, origin: FetchOrigin)] {
    [artwork?.url, media.flatMap { AdProgress($0) }.flatMap { clip($0)?.posterURL }].compactMap(\.self)
      .map { ($0, origin(ofPicture: $0, resolvers)) }
  }

  /// What the entry names was loaded by castq; anything else, whoever has cast to the device may have named.
  private func origin(ofPicture address: String, _ resolvers: ResolverRules) -> FetchOrigin {
    let media = queue.row?.draft.media
    let isOfEntry =
      media?.metadata?.images.contains { $0.url == address } == true
      || media?.adBreakClips.contains { $0.posterURL == address } == true
    guard isOfEntry, let draft = queue.row?.draft else { return .receiver(host: device.endpoint.host) }
    return draft.pictureOrigin(resolvers)
  }

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
      "connection": .string((connection ?? (picture == nil ? .offline : .connected)).rawValue),
      "at": JSONOutput.time(at), "application": application ?? .null,
      "player_state": JSONOutput.text(playerState),
      "entry": JSONOutput.number(queue.entry.map { Int($0.rawValue) }),
      "item_id": JSONOutput.number(media?.currentItemID?.rawValue),
      "title": JSONOutput.text(queue.row?.title ?? information?.metadata?.title),
      "subtitle": JSONOutput.text(information?.metadata?.subtitle),
      "url": JSONOutput.text(queue.row?.draft.media.url ?? shown(information?.url, hasSecrets)),
      "image": JSONOutput.text(shown(artwork?.url, hasSecrets)),
      "art": JSONOutput.text(artwork.map { WebArt.digest(of: $0.url) }),
      "live": information.map { .bool($0.streamType == .live) } ?? .null,
      "position_s": JSONOutput.number(media?.streamPosition?.seconds),
      "duration_s": JSONOutput.number(information?.streamDuration?.seconds),
      "rate": JSONOutput.number(media?.playbackRate), "volume": volume ?? .null,
      "configured_volume": JSONOutput.number(configuredLevel), "video": video ?? .null,
      "tracks": media?.tracksJSON ?? [], "ad": ad(hasSecrets) ?? .null, "ad_marks_s": adMarks ?? .null,
      "queue": [
        "pending": .integer(Int64(queue.pending)), "queued": .integer(Int64(queue.queued)),
        "next": JSONOutput.number(queue.next.map { Int($0.rawValue) }),
        "next_title": JSONOutput.text(queue.nextTitle),
        "repeat": JSONOutput.text(queue.settings?.repeatMode.rawValue),
        "shuffle": queue.settings.map { .bool($0.isShuffled) } ?? .null,
      ],
      "daemon_silent_s": JSONOutput.number(silence?.time.seconds),
      "media_answers": picture == nil ? .null : .bool(!isMediaSilent),
      "waiting_for": JSONOutput.text(waiting.waitingFor), "reason": JSONOutput.text(waiting.reason?.rawValue),
      "why": JSONOutput.text(reason(hasCommands: false)), "until": JSONOutput.time(waiting.until),
      "since": JSONOutput.time(waiting.since), "calls": JSONOutput.number(waiting.calls),
      "kind": isOfQueue ? .string(queue.decision?.decision.kind.word ?? "base") : .null,
      "rule": JSONOutput.text(rule?.name), "programme": JSONOutput.text(rule?.programme),
      "lists": .array(
        queue.lists.map { list in
          [
            "source": JSONOutput.text(AddressText.withoutSecrets(list.source)),
            "since": JSONOutput.time(list.since),
            "message": .string(list.problem.words),
          ]
        }),
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

  private func clip(_ ad: AdProgress) -> AdBreakClipInfo? {
    information?.adBreakClips.first { $0.identifier == ad.clipID }
  }

  private func ad(_ hasSecrets: Bool) -> JSONValue? {
    media.flatMap { AdProgress($0) }.map { ad in
      let clip = clip(ad)
      return [
        "break": JSONOutput.text(ad.breakID), "clip": JSONOutput.text(ad.clipID),
        "position_s": JSONOutput.number(ad.position), "skippable_in_s": JSONOutput.number(ad.skippableIn),
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

  /// The configured volume as people read it, 0 to 100.
  package var configuredLevel: Int? { queue.configuredVolume.map { Int(bounded: ($0 * 100).rounded()) } }
}
