import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Synchronization

/// What a connection to the device showed.
struct DeviceContact {
  var finding: ConnectionFinding
  /// The running application that is not the idle screen; nil when there is none.
  var application: String?
  /// Why the device's certificate is not valid now.
  var windowProblem: String?
  /// Its address.
  var place: DeviceEndpoint?
}

extension Examination {
  /// Time limits of the connection, of an answer over it, and of what follows a connection at most: whoever waits for a dead device waits
  /// for the whole run, which may take 15 s.
  private static let (connect, answer, rest) = (Duration.seconds(6), Duration.seconds(4), Duration.seconds(4))

  /// Connects to the device beside whatever else is connected, without an application knowing.
  func contact(_ missing: Failure?) async -> DeviceContact {
    guard let device else {
      let failure = missing ?? Failure("device_unknown", "no device is known", exit: .deviceUnknown)
      return DeviceContact(finding: ConnectionFinding(endpoint: "", typedLabel: "", outcome: .none(failure)))
    }
    var finding = ConnectionFinding(
      endpoint: "\(device.endpoint)", typedLabel: device.typedLabel, isPinned: device.isPinned,
      outcome: .answered)
    let verdict = VerdictMemory()
    let call = DeviceCall(device, in: workspace, global)
    let session: Session
    do throws(Failure) {
      session = try call.session(options(.device)) { verdict.remember($0) }
    } catch {
      finding.outcome = .none(error)
      return DeviceContact(finding: finding)
    }
    do throws(CastError) {
      try await session.start()
      call.succeeded(session)
    } catch {
      finding.outcome = .failed(CastErrorSummary(error))
    }
    var contact = DeviceContact(finding: finding, place: session.device.endpoint)
    contact.finding.endpoint = "\(session.device.endpoint)"
    contact.finding.proof = proof(verdict.newest, of: device, hasAnswered: finding.hasAnswered)
    contact.application = session.receiverStatus?.application.map { $0.displayName ?? $0.applicationID }
    if case .proved(let identity)? = verdict.newest { contact.windowProblem = identity.windowProblem }
    await session.leave()
    return contact
  }

  private func options(_ purpose: SessionPurpose) -> SessionOptions {
    var options = SessionOptions(purpose: purpose, reconnection: nil)
    let given = global.timeout ?? Self.connect
    options.connectTimeout = min(Self.connect, given)
    // The connection's own error comes first, and says more.
    options.startTimeout = options.connectTimeout + Self.rest
    options.requestTimeout = min(Self.answer, given)
    return options
  }

  private func proof(
    _ verdict: DeviceVerdict?, of device: KnownDevice, hasAnswered: Bool
  ) -> ConnectionFinding.Proof? {
    // What was proved just now may have been pinned.
    let row = (try? workspace.devices.device(device.id)) ?? device
    switch verdict {
    case nil where !hasAnswered: return nil
    case nil: return row.trust == .pin && row.silentAt != nil ? .silent : .notRequired
    case .proved:
      if case .roots = row.trust { return .roots }
      return row.pinnedKey.map { .pinned(key: $0) } ?? .unpinned(isGroup: row.isGroup)
    case .unproved(let error):
      return error.code == .deviceAuthenticationTimeoutFailure ? .silent : .cannot
    case .refused(let error): return .refused(CastErrorSummary(error))
    }
  }

  /// Time limits of a launch and of the load after it.
  private static let patience = Duration.seconds(10)

  /// Launches something where nothing runs, and has the device fetch a sound if castq serves one.
  /// - Returns: nil for the fetch when nothing was loaded.
  func launch(
    _ contact: DeviceContact, _ server: ServedFiles, isFed: Bool
  ) async -> (launch: LaunchFinding, fetch: MediaFinding.DeviceFetch?) {
    guard let device, contact.finding.hasAnswered else { return (.notReached, nil) }
    if let name = contact.application { return (.busy(name), nil) }
    if launch == false { return (.notWanted, nil) }
    if launch == nil {
      if isFed { return (.fed, nil) }
      if rules.isSilent(at: rules.clock(at: .now) { Zone.local.utcOffset(at: $0) }) {
        return (.quietHours, nil)
      }
    }
    // A feeder that began now would join the application, which is closed again.
    let lock: DatabaseLock?
    do throws(StoreError) {
      lock = try device.id == DeviceID(0) ? nil : DatabaseLock(.feeder(device.id), of: workspace.database)
    } catch {
      if case .busy = error { return (.fed, nil) }
      return (.notReserved("\(error)"), nil)
    }
    defer { lock?.release() }
    let application = global.app?.uppercased() ?? rules.receiverApplication
    var options = options(.play(applicationID: application ?? "CC1AD845"))
    (options.launchTimeout, options.loadTimeout) = (Self.patience, Self.patience)
    options.startTimeout = Self.patience
    do throws(Failure) {
      let session = try DeviceCall(device, in: workspace, global).session(options)
      let before = await server.own?.soundsServed() ?? 0
      let result = await LaunchTest.perform(with: session, media: server.own?.sound)
      guard let load = result.load, let own = server.own else { return (result.launch, nil) }
      guard await own.soundsServed() > before else { return (result.launch, .nothingArrived) }
      switch load {
      case .success: return (result.launch, .played)
      case .failure(let error): return (result.launch, .notPlayed(CastErrorSummary(error)))
      }
    } catch {
      return (.notReserved(error.message), nil)
    }
  }
}

/// The newest verdict about a device.
private final class VerdictMemory: Sendable {
  private let verdict = Mutex<DeviceVerdict?>(nil)

  var newest: DeviceVerdict? { verdict.withLock { $0 } }

  func remember(_ newest: DeviceVerdict) { verdict.withLock { $0 = newest } }
}
