package import CastProtocol
package import CastSender
package import CastqCore
package import CastqStore

extension Workspace {
  /// How long each of several devices may take, so that one that is off does not delay the others.
  private static let patience = Duration.seconds(3)

  /// The status of every known device, by its name; a failure of one device does not hide the others.
  package func statuses(
    _ global: CallOptions
  ) async throws(Failure) -> (documents: [StatusDocument], failures: [Failure]) {
    let devices = try allDevices()
    var options = DeviceCall.observing(global)
    if global.timeout == nil { options.startTimeout = Self.patience }
    let results = await withTaskGroup(of: (Int, Result<StatusDocument, Failure>).self) { group in
      for (index, device) in devices.enumerated() {
        group.addTask { [options] in
          let look = StatusLook(call: DeviceCall(device, in: self, global), options: options)
          return (
            index,
            await Result.catching { () async throws(Failure) in
              try await status(of: device, look, global).document
            }
          )
        }
      }
      return await group.reduce(into: [Int: Result<StatusDocument, Failure>]()) { $0[$1.0] = $1.1 }
    }
    var (documents, failures): ([StatusDocument], [Failure]) = ([], [])
    for index in devices.indices {
      switch results[index] {
      case .success(let document)?: documents.append(document)
      case .failure(let failure)?: failures.append(failure)
      case nil: break
      }
    }
    return (documents, failures)
  }
}

extension Workspace {
  /// The document of a status that was seen.
  package func document(
    of device: KnownDevice, _ seen: SeenStatus, _ global: CallOptions
  ) async throws(Failure) -> StatusDocument {
    var document = StatusDocument(
      device: device, picture: seen.picture, queue: try queuePicture(device, status: seen.picture?.media))
    document.isFed = seen.isFed
    if let outlook = seen.outlook {
      document.outlook = outlook
    } else {
      document.outlook = try await outlook(device, global)
    }
    document.lacksDaemon = try lacksDaemon(device)
    return document
  }

  /// Whether rules are for a device, and no daemon runs that plays them.
  package func lacksDaemon(_ device: KnownDevice) throws(Failure) -> Bool {
    if hasDaemon { return false }
    return try ask { (here) throws(StoreError) in try ScheduleStore(here.database).hasRules(for: device.id) }
  }
}

extension DeviceCall {
  /// Options for a session that only reads the status.
  package static func observing(_ global: CallOptions) -> SessionOptions {
    var options = SessionOptions(purpose: .observe(applicationID: nil), reconnection: nil)
    limit(&options, global)
    if global.timeout == nil { options.startTimeout = global.deviceTimeout }
    return options
  }
}

extension Workspace {
  /// The status of a device, and why it could not be reached; nil if it was.
  package func status(
    of device: KnownDevice, _ look: StatusLook, _ global: CallOptions
  ) async throws(Failure) -> (document: StatusDocument, failure: Failure?) {
    var place = device
    let fed = await fedStatus(of: device, global)
    var picture = fed.picture
    let isFed = picture != nil
    var failure: Failure?
    if picture == nil {
      do throws(Failure) {
        let (session, seen) = try await look.picture()
        look.call.succeeded(session)
        place.endpoint = session.device.endpoint
        picture = seen
        await session.end(.leave)
      } catch {
        failure = Failure(error, device: device, global)
        // With a broken configuration there is no status to show.
        if error.exit == .configuration, let failure { throw failure }
      }
    }
    var document = StatusDocument(
      device: place, picture: picture, queue: try queuePicture(device, status: picture?.media))
    document.isFed = isFed
    document.silence = fed.silence
    if !document.isOfQueue {
      document.outlook = try fed.silence == nil ? await outlook(device, global) : outlookOfRows(device)
    }
    document.lacksDaemon = try lacksDaemon(device)
    document.isRefused = failure?.exit == .notPermitted
    document.at = .now
    return (document, failure)
  }
}

extension Workspace {
  /// How long a picture has been shown; receivers do not report that.
  fileprivate func still(_ entry: EntryID?, on device: KnownDevice) throws(StoreError) -> StillPicture? {
    var newest = HistoryStore.Filter()
    newest.device = device.id
    newest.limit = 1
    guard let playing = try queue.playing(on: device.id), playing.id == entry,
      let play = try history.plays(matching: newest).first, play.turn.entry == entry, play.endedAt == nil,
      let since = play.startedAt
    else { return nil }
    return StillPicture(shown: max(WallTime.now - since, 0), length: playing.draft.playingTime()?.seconds)
  }

  /// The queue's part of the status: the current entry and what comes next.
  package func queuePicture(_ device: KnownDevice, status: MediaStatus?) throws(Failure) -> QueuePicture {
    guard device.id != DeviceID(0) else {
      return QueuePicture(clock: configured.clock)
    }
    return try ask { (here) throws(StoreError) in
      let settings = try here.queue.settings(for: device.id)
      let counts = try here.queue.counts(for: device.id)
      let tag = status.flatMap { EntryTag(current: $0, of: settings.queue) }
      let page =
        try status == nil
        ? here.queue.playing(on: device.id).flatMap { $0.draft.media.isPage ? $0 : nil } : nil
      let entry = tag?.turn.entry ?? page?.id
      // What follows is of the list on the screen, which may be a programme's.
      let queue =
        try entry.flatMap { (entry) throws(StoreError) in try here.queue.queue(of: entry) }
        ?? QueueID(device.id)
      let round = try here.queue.settings(for: queue).round
      let next = try here.queue.next(
        for: queue, besides: entry.map { UpcomingPlace(entry: $0, round: round) }, at: .now)
      func row(_ entry: EntryID?) throws(StoreError) -> QueueEntry? {
        guard let entry, let row = try here.queue.entry(entry) else { return nil }
        return try here.filled([row]).first
      }
      return QueuePicture(
        entry: entry, pending: counts[.pending] ?? 0,
        queued: (counts[.offered] ?? 0) + (counts[.queued] ?? 0), next: next?.entry,
        nextTitle: try row(next?.entry)?.title, settings: settings, page: page?.draft.media,
        still: status?.mediaInformation?.isPicture == true ? try here.still(entry, on: device) : nil,
        row: try row(entry), application: here.configured.application(of: device),
        configuredVolume: here.configured.volume(of: device), clock: here.configured.clock,
        lists: try ListProblemStore(here.database).stored(for: device.id),
        decision: entry == nil ? nil : try ScheduleStore(here.database).shown(on: device.id))
    }
  }
}
