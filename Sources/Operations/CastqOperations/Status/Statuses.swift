import CastProtocol
package import CastSender
package import CastqStore
package import CastqText

extension Workspace {
  /// How long each of several devices may take, so that one that is off does not delay the others.
  private static let patience = Duration.seconds(3)

  /// The status of every known device, by its name; a failure of one device does not hide the others.
  package func statuses(
    _ global: CallOptions
  ) async throws(Failure) -> (states: [ScreenState], failures: [Failure]) {
    let devices = try allDevices()
    var options = DeviceCall.observing(global)
    if global.timeout == nil { options.startTimeout = Self.patience }
    let results = await withTaskGroup(of: (Int, Result<ScreenState, Failure>).self) { group in
      for (index, device) in devices.enumerated() {
        group.addTask { [options] in
          let look = StatusLook(call: DeviceCall(device, in: self, global), options: options)
          return (
            index,
            await Result.catching { () async throws(Failure) in
              try await status(of: device, look, global).state
            }
          )
        }
      }
      return await group.reduce(into: [Int: Result<ScreenState, Failure>]()) { $0[$1.0] = $1.1 }
    }
    var (states, failures): ([ScreenState], [Failure]) = ([], [])
    for index in devices.indices {
      switch results[index] {
      case .success(let document)?: states.append(document)
      case .failure(let failure)?: failures.append(failure)
      case nil: break
      }
    }
    return (states, failures)
  }
}

extension Workspace {
  /// The state of a screen, by what is seen of its device and by the rows.
  package func state(of device: KnownDevice, _ seen: SeenStatus) throws(Failure) -> ScreenState {
    let rows = try screenRows(device, status: seen.picture?.media)
    // A lock is looked at only for who has rules.
    return ScreenState(device: device, seen: seen, rows: rows, hasDaemon: rows.hasRules && hasDaemon)
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
  ) async throws(Failure) -> (state: ScreenState, failure: Failure?) {
    var place = device
    let fed = await fedStatus(of: device, global)
    var seen = SeenStatus(connection: .connected, picture: fed.picture)
    (seen.silence, seen.isFed) = (fed.silence, fed.picture != nil)
    var failure: Failure?
    if seen.picture == nil {
      do throws(Failure) {
        let (session, picture) = try await look.picture()
        look.call.succeeded(session)
        place.endpoint = session.device.endpoint
        seen.picture = picture
        await session.end(.leave)
      } catch {
        failure = Failure(error, device: device, global)
        // With a broken configuration there is no status to show.
        if error.exit == .configuration, let failure { throw failure }
        seen.connection = .offline
        seen.isRefused = error.exit == .notPermitted
      }
    }
    if seen.silence == nil { seen.outlook = await daemonOutlook(device, global) }
    seen.at = .now
    return (try state(of: place, seen), failure)
  }
}
