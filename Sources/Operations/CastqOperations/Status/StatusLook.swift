import CastProtocol
package import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
package import CastqSchedule
package import CastqStore
package import CastqText

/// Reads the status of a device once: the receiver's, and the media status of its application, if that answers.
package struct StatusLook {
  package let call: DeviceCall
  package let options: SessionOptions

  package init(call: DeviceCall, options: SessionOptions) {
    self.call = call
    self.options = options
  }

  /// Time limit for the media status after the receiver status.
  static let mediaPatience = Duration.seconds(2)

  /// The session and its status; the caller ends the session.
  func picture() async throws(Failure) -> (session: Session, picture: StatusPicture) {
    let session = try call.session(options, isBounded: true)
    let events = session.events()
    let step = await withTaskGroup(of: Step?.self) { group in
      group.addTask {
        do throws(CastError) {
          try await session.start()
          return .active
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
      // Ends a start that is still in progress.
      if case .silent = first { await session.leave() }
      return first
    }
    switch step {
    case .silent(let status):
      return (session, StatusPicture(receiver: status, isMediaSilent: true))
    case .failed(let error): throw Failure(error)
    case .active, nil:
      return (session, StatusPicture(of: session))
    }
  }

  private enum Step: Sendable {
    case active
    case silent(ReceiverStatus)
    case failed(CastError)
  }
}

/// What the feeder of a device says about it.
enum FedStatus: Sendable {
  case seen(StatusPicture)
  /// It is there and does not run: what it said last is no status.
  case silent(DaemonSilence)
  /// Nothing feeds the device.
  case absent

  /// A feeder that runs answers within some milliseconds.
  static let patience = Duration.seconds(2)

  /// Asks a feeder that has not answered how it is: that is answered elsewhere in it, where the machines themselves stand still.
  init(silent client: ControlClient, for waited: Duration) async {
    // It waits for signs of life for a second.
    let limit = SignsOfLife.limit + .milliseconds(500)
    guard let health = try? await client.ask(.health, timeout: limit) else {
      self = .silent(DaemonSilence(time: waited + limit, hasAnswered: false))
      return
    }
    // A single command may be slow in one that runs.
    self =
      health["silent_s"]?.double.map {
        .silent(DaemonSilence(time: max(.bounded(seconds: $0), waited), hasAnswered: true))
      } ?? .absent
  }

  var picture: StatusPicture? {
    if case .seen(let picture) = self { picture } else { nil }
  }

  var silence: DaemonSilence? {
    if case .silent(let silence) = self { silence } else { nil }
  }
}

extension ReceiverStatus {
  /// Whether the running application reports media status.
  var playsMedia: Bool { application?.namespaces.contains(Namespace.media.rawValue) == true }
}

extension Workspace {
  /// The status of a device as its feeder knows it.
  func fedStatus(of device: KnownDevice, _ global: CallOptions) async -> FedStatus {
    guard !global.noDaemon, device.id != DeviceID(0), let socket = controlSocket(for: device) else {
      return .absent
    }
    let client = ControlClient(socket: socket, device: device.id)
    let limit = min(global.timeout ?? FedStatus.patience, FedStatus.patience)
    do throws(Failure) {
      let reply = try await client.ask(.status, timeout: limit)
      return reply.flatMap(StatusPicture.init(reply:)).map(FedStatus.seen) ?? .absent
    } catch {
      return error.code == Failure.late(limit).code
        ? await FedStatus(silent: client, for: limit) : .absent
    }
  }

  /// Devices as what feeds them knows them: where it is connected, they are seen now, and their status is what their application says. All
  /// others are as the rows have them.
  package func heard(_ devices: [KnownDevice], _ global: CallOptions) async -> [KnownDevice] {
    await withTaskGroup(of: (Int, StatusPicture?).self) { group in
      for (index, device) in devices.enumerated() {
        group.addTask { (index, await fedStatus(of: device, global).picture) }
      }
      return await group.reduce(into: devices) { devices, answer in
        guard let picture = answer.1, picture.receiver != nil else { return }
        devices[answer.0].lastSeenAt = .now
        devices[answer.0].seenBy = .connect
        devices[answer.0].statusText = statusText(of: devices[answer.0], picture)
      }
    }
  }

  /// What the application says of itself; where that is no more than its name, what is on the screen.
  private func statusText(of device: KnownDevice, _ picture: StatusPicture) -> String? {
    let application = picture.receiver?.application
    guard let text = application?.statusText, !text.isEmpty, text != application?.displayName else {
      let seen = SeenStatus(connection: .connected, picture: picture)
      guard let state = try? state(of: device, seen), state.isPlaying else { return application?.statusText }
      return "Casting: \(state.label)"
    }
    return text
  }

  /// What a device's list waits for, from its feeder or, without one, from its rows.
  package func outlook(_ device: KnownDevice, _ global: CallOptions) async throws(Failure) -> Outlook {
    if let outlook = await daemonOutlook(device, global) { return outlook }
    return try outlookOfRows(device)
  }

  /// What a device's list waits for, as its feeder says; nil where there is none.
  func daemonOutlook(_ device: KnownDevice, _ global: CallOptions) async -> Outlook? {
    guard device.id != DeviceID(0), !global.noDaemon, let socket = controlSocket(for: device) else {
      return nil
    }
    let reply = try? await ControlClient(socket: socket, device: device.id)
      .ask(.outlook, timeout: .seconds(2))
    return reply.map { Outlook(json: $0) }
  }
}
