package import CastProtocol
import CastSender
import CastqFeeding
import CastqPlaylists
package import CastqSchedule
package import CastqStore
package import CastqText

/// What a screen shows, why it does not show what it should, and what comes next: the one value that every face draws.
///
/// It is made of what is seen of the device and of what the rows say, and of nothing else: with and without a daemon by the same rules.
package struct ScreenState {
  package var device: KnownDevice
  package var seen: SeenStatus
  package var rows: ScreenRows
  /// Whether rules are for the device, and no daemon runs that plays them.
  package let lacksDaemon: Bool

  /// - Parameter hasDaemon: whether a daemon runs, which plays rules.
  package init(device: KnownDevice, seen: SeenStatus, rows: ScreenRows, hasDaemon: Bool) {
    (self.device, self.seen, self.rows) = (device, seen, rows)
    lacksDaemon = rows.hasRules && !hasDaemon
  }

  /// Nil if the device is unreachable.
  package var picture: StatusPicture? { seen.picture }
  package var media: MediaStatus? { picture?.media }
  /// The current media as its application reports it; a page only while a running application can show one.
  package var information: MediaInformation? { media?.mediaInformation ?? page }
  package var page: MediaInformation? {
    application.map { $0.namespaces.contains(Namespace.media.rawValue) } == false ? rows.page : nil
  }
  /// The running application, even one without media status.
  package var application: ApplicationMetadata? { picture?.application ?? picture?.receiver?.application }

  /// Whether media or a page is on the screen.
  package var isPlaying: Bool { page != nil || media.map { !$0.isEnded } ?? false }

  /// The title of what is on the screen: the row's, and else what the application reports.
  package var title: String? { rows.row?.title ?? information?.metadata?.title }
  /// What people call that which is on the screen.
  package var label: String { title ?? information?.label ?? "something" }

  /// Names what is on the screen, for comparisons.
  package var subject: String {
    "\(rows.entry.map { "\($0.rawValue)" } ?? "") \(information?.url ?? "") \(information?.label ?? "")"
  }

  /// The artwork of the current media. A picture without any is its own.
  package var artwork: Image? {
    let named = [rows.row?.draft.media.metadata, information?.metadata].lazy.compactMap { metadata in
      metadata.flatMap { FirstImagePicker().image(from: $0, hints: ImageHints(kind: .miniController)) }
    }.first
    guard named == nil, information?.isPicture == true else { return named }
    return (rows.row?.draft.media.url ?? information?.url).map { Image(url: $0) }
  }

  /// The player state; distinguishes IDLE and LOADING, as the receiver's extended status does.
  package var playerState: String? {
    guard picture != nil, !isMediaSilent else { return nil }
    guard let media else { return (page == nil ? MediaPlayerState.idle : .playing).word }
    return media.isLoading ? MediaPlayerState.loading.word : media.playerState.word
  }

  /// How fast the position goes on by itself, in seconds of the media a second: 0 while it stands, as in most ads.
  package var speed: Double { media?.streamSpeed ?? 0 }

  /// Seconds from the beginning, so much later than they were seen, and the length; nil for what is not known. A picture has the time
  /// since it appeared: receivers do not report that.
  package func progress(after elapsed: Duration = .zero) -> (position: Double?, length: Double?) {
    if information?.isPicture == true {
      return (rows.still.map { $0.shown + max(elapsed.seconds, 0) }, rows.still?.length)
    }
    return (media?.streamPosition(after: elapsed)?.seconds, information?.streamDuration?.seconds)
  }

  /// Whether the application does not report its media status.
  package var isMediaSilent: Bool { picture?.isMediaSilent == true }

  /// Whether an entry of the queue is on the screen.
  package var isOfQueue: Bool { rows.entry != nil && isPlaying }

  /// The rule by which an entry is on the screen, its programme, and when it ends; nil for what people put in.
  package var rule: (name: String, programme: String, end: WallTime?)? {
    guard isOfQueue, let stored = rows.decision, let onAir = stored.decision.onAir, let name = stored.rule
    else {
      return nil
    }
    return (name, ProgrammeName.shown(onAir.programme), onAir.occurrence.end)
  }

  /// What the list waits for while none of its entries plays.
  package var waiting: Outlook {
    if isOfQueue { return Outlook() }
    let isSeen = picture != nil && !isMediaSilent && !seen.isFed && device.id != DeviceID(0)
    let told = seen.outlook ?? rows.outlook
    let outlook = hasGuest || isSeen ? told.seen(hasGuest: hasGuest) : told
    guard outlook.reason == nil else { return outlook }
    if seen.connection == .connecting { return Outlook(.connecting) }
    if picture == nil || isMediaSilent { return Outlook(.unreachable) }
    // What feeds the device has nothing on the screen for a moment only, or says why.
    if seen.isFed, !isPlaying { return Outlook(application == nil ? .launching : .loading) }
    return outlook
  }

  /// Whether another sender has the screen, as far as that is seen: its media play, or its application runs. A device that only an
  /// address names has no list, so nobody is a guest there.
  private var hasGuest: Bool {
    guard !seen.isFed, device.id != DeviceID(0), let application else { return false }
    if let media, !media.isEnded { return true }
    return application.applicationID != rows.application
  }

  /// The configured volume as people read it, 0 to 100.
  package var configuredLevel: Int? { rows.configuredVolume.map { Int(bounded: ($0 * 100).rounded()) } }
}

extension MediaInformation {
  /// The address of a picture, which is its own artwork; nil for other media.
  var pictureAddress: String? { isPicture ? url : nil }
}
