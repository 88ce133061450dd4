import CastProtocol
package import CastSender
package import CastqDaemon
import CastqPlaylists
package import CastqStore
package import CastqText

/// Connects to a device at its current address, and stores the address at which it answered.
package struct DeviceCall {
  private let device: KnownDevice
  private let workspace: Workspace
  private let global: CallOptions

  package init(_ device: KnownDevice, in workspace: Workspace, _ global: CallOptions) {
    self.device = device
    self.workspace = workspace
    self.global = global
  }

  /// A session that has not started, to the device at its last known address.
  /// - Parameters:
  ///   - isBounded: whether `startTimeout` is for the whole call, so that its parts have to fit into it.
  ///   - onVerdict: called with what the device proves, if it must prove something.
  /// - Throws: if the device's file of root certificates cannot be used.
  package func session(
    _ options: SessionOptions, isBounded: Bool = false, onVerdict: (@Sendable (DeviceVerdict) -> Void)? = nil
  ) throws(Failure) -> Session {
    var options = options
    // Two addresses are tried in that time.
    if device.hasTwoPlaces { options.connectTimeout /= 2 }
    let present = (try? workspace.devices.device(device.id)) ?? device
    do throws(TrustFileError) {
      options.trust = try Self.trust(workspace).trust(in: present)
    } catch {
      throw Failure("configuration", "\(error)", hint: .changePin, exit: .configuration)
    }
    if let onVerdict {
      options.trust.report = { [report = options.trust.report] device, verdict in
        onVerdict(verdict)
        await report?(device, verdict)
      }
    }
    let isFirst = present.canProve == nil && present.silentAt == nil
    if global.timeout == nil, let limit = options.startTimeout {
      if isBounded {
        let limits = CallLimits(whole: limit, isFirst: isFirst, hasTwoPlaces: device.hasTwoPlaces)
        options.connectTimeout = limits.connect
        options.requestTimeout = limits.request
        options.trust.patience = options.trust.patience ?? limits.proof
      } else if isFirst {
        // A device that ignores its first challenge uses up the whole connect timeout.
        options.startTimeout = limit + options.connectTimeout
      }
    }
    return Session(
      device: present.castDevice, options: options, resolver: Self.resolver(workspace),
      logger: CastLogger.shared.logger(for: "Session"))
  }

  /// A started session.
  package func started(_ options: SessionOptions) async throws(Failure) -> Session {
    let session: Session
    do throws(Failure) { session = try self.session(options) } catch {
      throw Failure(error, device: device)
    }
    do throws(CastError) { try await session.start() } catch { throw Failure(error, device: device, global) }
    succeeded(session)
    return session
  }

  /// Stores the address of an active session. A store error does not affect the session.
  func succeeded(_ session: Session) {
    guard device.id != DeviceID(0), let row = try? workspace.devices.device(device.id) else { return }
    let endpoint = session.device.endpoint
    let isRecent = row.seenBy == .connect && row.lastSeenAt.map { WallTime.now - $0 < 60 } == true
    guard !isRecent || row.endpoint != endpoint else { return }
    do throws(StoreError) {
      try workspace.devices.seen(device.id, at: .now, endpoint: endpoint)
    } catch {
      if !global.quiet { global.say("castq: \(device.label): its address was not saved: \(error)") }
    }
  }

  /// Locates devices by the ledger and the network.
  package static func resolver(_ workspace: Workspace) -> LedgerResolver {
    LedgerResolver(
      store: workspace.devices, finder: Discovery.finder(), places: workspace.places,
      logger: CastLogger.shared.logger(for: "LedgerResolver"), now: { .now })
  }

  /// Trust rules from the ledger.
  /// - Parameter isFeeder: whether to challenge a device again that was silent before.
  package static func trust(_ workspace: Workspace, isFeeder: Bool = false) -> LedgerTrust {
    LedgerTrust(
      store: workspace.devices, places: workspace.places,
      logger: CastLogger.shared.logger(for: "LedgerTrust"),
      start: isFeeder ? .now : nil, now: { .now })
  }

  /// Sets the timeouts. A given `--timeout` expires first; otherwise the connection's own error, which says more, comes first.
  package static func limit(_ options: inout SessionOptions, _ global: CallOptions) {
    let timeout = global.deviceTimeout
    let isLimited = global.timeout != nil
    options.connectTimeout = isLimited ? timeout + .seconds(1) : timeout
    options.startTimeout = isLimited ? timeout : timeout * 2 + .seconds(1)
    options.requestTimeout = timeout
  }
}
