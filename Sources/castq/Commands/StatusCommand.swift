import ArgumentParser
import CastProtocol
import CastSender
import CastqCore
import CastqStore

/// `castq status`
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what plays now; exits 1 when nothing does.")

  @OptionGroup var global: GlobalOptions

  @Flag(help: "Keep it up to date until interrupted.")
  var follow = false

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    if follow { return try await follow(device, workspace) }
    let timeout = global.deviceTimeout
    let options = SessionOptions(
      purpose: .observe(applicationID: nil), connectTimeout: timeout, startTimeout: timeout,
      requestTimeout: timeout, reconnection: nil)
    let call = DeviceCall(device, in: workspace, global)
    let session: Session
    do throws(ControlFailure) { session = try call.session(options) } catch {
      throw Failure(error, device: device)
    }
    do throws(CastError) {
      try await session.start()
    } catch {
      let failure = Failure(error, device: device)
      if global.isMachineReadable {
        Console.print(
          StatusDocument(device: device, picture: nil, queue: try workspace.queuePicture(device, status: nil))
            .json)
        throw Silent(failure)
      }
      throw failure
    }
    call.succeeded(session)
    var place = device
    place.endpoint = session.device.endpoint
    let picture = StatusPicture(
      receiver: session.receiverStatus, application: session.application,
      media: session.mediaStatus)
    await session.end(.leave)
    let document = StatusDocument(
      device: place, picture: picture, queue: try workspace.queuePicture(device, status: picture.media))
    if global.isMachineReadable {
      Console.print(document.json)
    } else {
      document.lines.forEach(Console.print)
    }
    if !document.isPlaying { throw Silent(exit: .no) }
  }

  private func follow(_ device: KnownDevice, _ workspace: Workspace) async throws {
    let timeout = global.deviceTimeout
    let options = SessionOptions(
      purpose: .observe(applicationID: nil), connectTimeout: timeout, startTimeout: timeout,
      requestTimeout: timeout, reconnection: nil)
    let follower = StatusFollower(call: DeviceCall(device, in: workspace, global), options: options)
    let isLine = Console.isTerminal && !global.isMachineReadable
    let last = LastLine()
    try await untilInterrupted {
      try await follower.follow { picture in
        let queue = try workspace.queuePicture(device, status: picture?.media)
        let document = StatusDocument(device: device, picture: picture, queue: queue)
        let text = global.isMachineReadable ? document.json.text : document.line
        guard last.changes(to: text) else { return }
        if isLine {
          Console.redraw(TerminalText.excerpt(text, limit: Console.width - 1))
        } else {
          Console.print(text)
        }
      }
    }
  }
}

extension Workspace {
  /// What the database adds to what the device says: which entry it is, and what comes.
  func queuePicture(_ device: KnownDevice, status: MediaStatus?) throws(Failure) -> QueuePicture {
    guard device.id != DeviceID(0) else { return QueuePicture(entry: nil, pending: 0, queued: 0, next: nil) }
    return try ask { (here) throws(StoreError) in
      let settings = try here.queue.settings(for: device.id)
      let counts = try here.queue.counts(for: device.id)
      let item = status.flatMap { $0.queueItem($0.currentItemID) }
      let tag = EntryTag(customData: item?.customData).flatMap { $0.queue == settings.queue ? $0 : nil }
      let page =
        try status == nil
        ? here.queue.playing(on: device.id).flatMap { $0.draft.media.isPage ? $0 : nil } : nil
      let entry = tag?.turn.entry ?? page?.id
      let next = try here.queue.upcoming(
        for: device.id, limit: 1, besides: entry.map { UpcomingPlace(entry: $0, round: settings.round) },
        at: .now)
      return QueuePicture(
        entry: entry, pending: counts[.pending] ?? 0,
        queued: (counts[.offered] ?? 0) + (counts[.queued] ?? 0), next: next.first?.entry,
        page: page?.draft.media)
    }
  }
}
