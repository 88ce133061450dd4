package import CastProtocol
import CastSender
package import CastqFeeding
package import CastqPlaylists
package import CastqSchedule
package import CastqStore
package import CastqText

/// What the rows and the configuration say of a screen. The rows are of one moment, because they are read in one transaction.
package struct ScreenRows {
  package var entry: EntryID?
  package var pending = 0
  package var queued = 0
  /// Entries that failed for good, and that have played.
  package var failed = 0
  package var finished = 0
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
  /// What the list waits for.
  package var outlook = Outlook()
  /// Whether rules are for the device.
  var hasRules = false

  /// Whether something plays once the device is not stopped any more: of its list, or by rules.
  var hasWork: Bool {
    pending + queued > 0 || entry != nil || hasRules
      || finished + failed > 0 && settings.map { $0.repeatMode != .off } ?? false
  }

  /// Those of a device that castq does not have.
  /// - Parameter clock: how moments are told.
  package init(clock: SiteClock = SiteClock()) { self.clock = clock }
}

/// A picture that is shown for a time.
package struct StillPicture {
  /// Seconds since it appeared.
  package var shown: Double
  /// Seconds to show it; nil if unspecified.
  package var length: Double?
}

extension Workspace {
  /// How long a picture has been shown; receivers do not report that.
  fileprivate func still(_ entry: EntryID?, on device: KnownDevice) throws(StoreError) -> StillPicture? {
    var newest = HistoryStore.Filter()
    newest.device = device.id
    (newest.limit, newest.order) = (1, .written)
    guard let playing = try queue.playing(on: device.id), playing.id == entry,
      let play = try history.plays(matching: newest).first, play.turn.entry == entry, play.endedAt == nil,
      let since = play.startedAt
    else { return nil }
    return StillPicture(shown: max(WallTime.now - since, 0), length: playing.draft.playingTime()?.seconds)
  }

  /// What the rows say of the screen of a device.
  /// - Parameter status: what its application reports; nil if it reports nothing.
  package func screenRows(_ device: KnownDevice, status: MediaStatus?) throws(Failure) -> ScreenRows {
    var rows = ScreenRows(clock: configured.clock)
    guard device.id != DeviceID(0) else { return rows }
    rows.application = configured.application(of: device)
    rows.configuredVolume = configured.volume(of: device)
    return try ask { [rows] (here) throws(StoreError) in
      try here.database.reading { try here.read(rows, of: device, status) }
    }
  }

  private func read(
    _ rows: ScreenRows, of device: KnownDevice, _ status: MediaStatus?
  ) throws(StoreError) -> ScreenRows {
    var rows = rows
    let settings = try queue.settings(for: device.id)
    rows.settings = settings
    let counts = try queue.counts(for: device.id)
    rows.pending = counts[.pending] ?? 0
    rows.queued = (counts[.offered] ?? 0) + (counts[.queued] ?? 0)
    rows.failed = counts[.failed] ?? 0
    rows.finished = counts[.finished] ?? 0
    rows.page =
      try status == nil
      ? queue.playing(on: device.id).flatMap { $0.draft.media.isPage ? $0.draft.media : nil } : nil
    let entry = status.flatMap { EntryTag(current: $0, of: settings.queue) }?.turn.entry
    rows.entry = try rows.page == nil ? entry : queue.playing(on: device.id)?.id
    // What follows is of the list on the screen, which may be a programme's.
    let list =
      try rows.entry.flatMap { (entry) throws(StoreError) in try queue.queue(of: entry) }
      ?? QueueID(device.id)
    let round = try queue.settings(for: list).round
    let place = rows.entry.map { UpcomingPlace(entry: $0, round: round) }
    rows.next = try queue.look(into: list, limit: 1, besides: place, at: .now).first?.entry
    rows.nextTitle = try rows.next.flatMap { (next) throws(StoreError) in try row(next)?.title }
    rows.row = try rows.entry.flatMap { (entry) throws(StoreError) in try row(entry) }
    if status?.mediaInformation?.isPicture == true { rows.still = try still(rows.entry, on: device) }
    rows.lists = try ListProblemStore(database).stored(for: device.id)
    let schedule = ScheduleStore(database)
    rows.decision = try rows.entry.flatMap { (entry) throws(StoreError) in
      try schedule.shown(on: device.id, playing: entry)
    }
    rows.hasRules = try schedule.hasRules(for: device.id)
    rows.outlook = try outlook(ofRows: device.id)
    return rows
  }

  private func row(_ entry: EntryID) throws(StoreError) -> QueueEntry? {
    guard let row = try queue.entry(entry) else { return nil }
    return try filled([row]).first
  }

  /// What a list waits for by the rows alone.
  private func outlook(ofRows device: DeviceID) throws(StoreError) -> Outlook {
    if let since = try queue.stoppedAt(device) { return Outlook(.stopped, since: since) }
    guard try queue.look(into: device, limit: 1, besides: nil, at: .now).isEmpty else { return Outlook() }
    let change = try queue.nextChange(for: device, after: .now)
    return change.map { Outlook(.notYet, until: $0) } ?? Outlook(.nothingDue)
  }

  /// What the list of a device waits for by the rows alone.
  func outlookOfRows(_ device: KnownDevice) throws(Failure) -> Outlook {
    guard device.id != DeviceID(0) else { return Outlook() }
    return try ask { (here) throws(StoreError) in
      try here.database.reading { try here.outlook(ofRows: device.id) }
    }
  }
}
