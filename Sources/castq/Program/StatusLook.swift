import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore

/// One look at a device: what it says at once, and what its application says of media, if it says anything.
struct StatusLook {
  let call: DeviceCall
  let options: SessionOptions

  /// How long an application may take to say what it plays once its device has said that it runs.
  static let mediaPatience = Duration.seconds(2)

  /// The session and what it knows; the caller ends it.
  func picture() async throws(ControlFailure) -> (session: Session, picture: StatusPicture) {
    let session = try call.session(options)
    let events = session.events()
    let step = await withTaskGroup(of: Step?.self) { group in
      group.addTask {
        do throws(CastError) {
          try await session.start()
          return .told
        } catch {
          return .failed(error)
        }
      }
      group.addTask {
        for await event in events {
          guard case .receiverStatus(let status) = event, status.playsMedia else { continue }
          guard (try? await TimeSource.continuous.sleep(Self.mediaPatience)) != nil else { return nil }
          return .silent(status)
        }
        return nil
      }
      var first: Step?
      while first == nil, let step = await group.next() { first = step }
      group.cancelAll()
      // Ends the start that is still under way.
      if case .silent = first { await session.leave() }
      return first
    }
    switch step {
    case .silent(let status):
      return (session, StatusPicture(receiver: status, isMediaSilent: true))
    case .failed(let error): throw ControlFailure(error)
    case .told, nil:
      return (session, StatusPicture(of: session))
    }
  }

  private enum Step: Sendable {
    case told
    case silent(ReceiverStatus)
    case failed(CastError)
  }
}

extension StatusPicture {
  /// What a session knows now.
  init(of session: Session) {
    self.init(
      receiver: session.receiverStatus, application: session.application, media: session.mediaStatus)
  }
}

extension ReceiverStatus {
  /// Whether an application runs that can be asked what it plays.
  var playsMedia: Bool { application?.namespaces.contains(Namespace.media.rawValue) == true }
}

extension Workspace {
  /// What a device's list waits for: in the words of whoever feeds it or, where nobody does, by its rows.
  func outlook(_ device: KnownDevice, _ global: GlobalOptions) async throws(Failure) -> Outlook {
    guard device.id != DeviceID(0) else { return Outlook() }
    if !global.noDaemon, let socket = controlSocket(for: device) {
      let told = try? await ControlClient(socket: socket, device: device.id)
        .ask(.outlook, timeout: .seconds(2))
      if let told { return Outlook(json: told) }
    }
    return try ask { (here) throws(StoreError) in
      if let since = try here.queue.stoppedAt(device.id) { return Outlook(.stopped, since: since) }
      let next = try here.queue.upcoming(for: device.id, limit: 1, besides: nil, at: .now)
      guard next.isEmpty else { return Outlook() }
      let change = try here.queue.nextChange(for: device.id, after: .now)
      return change.map { Outlook(.notBefore, until: $0) } ?? Outlook(.nothingDue)
    }
  }
}
