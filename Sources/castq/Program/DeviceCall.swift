import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore

/// Calls a device where it is, wherever that is now, and keeps in the ledger where it answered.
struct DeviceCall {
  private let device: KnownDevice
  private let workspace: Workspace
  private let global: GlobalOptions

  init(_ device: KnownDevice, in workspace: Workspace, _ global: GlobalOptions) {
    self.device = device
    self.workspace = workspace
    self.global = global
  }

  /// A session that has not begun, with the device at its last good address.
  /// - Throws: when the file with the certificates that its own has to lead to cannot be used.
  func session(_ options: SessionOptions) throws(ControlFailure) -> Session {
    var options = options
    options.connectTimeout = Self.connectTimeout(options.connectTimeout, device)
    let present = (try? workspace.devices.device(device.id)) ?? device
    do throws(TrustFileError) {
      options.trust = try Self.trust(workspace).trust(in: present)
    } catch {
      throw ControlFailure(
        "configuration", "\(error); 'castq device pin' says how else it may prove who it is",
        exit: .configuration)
    }
    // Somebody who has nothing to say when asked for the first time takes all of the time for it.
    if global.timeout == nil, present.canProve == nil, present.silentAt == nil,
      let limit = options.startTimeout
    {
      options.startTimeout = limit + options.connectTimeout
    }
    return Session(
      device: present.castDevice, options: options, resolver: Self.resolver(workspace),
      logger: Logging.make(global))
  }

  /// A session that is active.
  func started(_ options: SessionOptions) async throws(Failure) -> Session {
    let session: Session
    do throws(ControlFailure) { session = try self.session(options) } catch {
      throw Failure(error, device: device)
    }
    do throws(CastError) { try await session.start() } catch { throw Failure(error, device: device, global) }
    succeeded(session)
    return session
  }

  /// The session is active. What cannot be kept does no harm to it.
  func succeeded(_ session: Session) {
    guard device.id != DeviceID(0), let row = try? workspace.devices.device(device.id) else { return }
    let endpoint = session.device.endpoint
    let isRecent = row.seenBy == .connect && row.lastSeenAt.map { WallTime.now - $0 < 60 } == true
    guard !isRecent || row.endpoint != endpoint else { return }
    do throws(StoreError) {
      try workspace.devices.seen(device.id, at: .now, endpoint: endpoint)
    } catch {
      if !global.quiet { Console.say("castq: \(device.label): where it answered was not kept: \(error)") }
    }
  }

  /// Where devices are, by the ledger and by the network.
  static func resolver(_ workspace: Workspace) -> LedgerResolver {
    LedgerResolver(
      store: workspace.devices, finder: Discovery.finder(),
      logger: CastLogger.shared.logger(for: "LedgerResolver"), now: { .now })
  }

  /// What devices have to prove, by the ledger.
  /// - Parameter isFeeder: whether a device that was silent when it was asked before is asked again now.
  static func trust(_ workspace: Workspace, isFeeder: Bool = false) -> LedgerTrust {
    LedgerTrust(
      store: workspace.devices, logger: CastLogger.shared.logger(for: "LedgerTrust"),
      start: isFeeder ? .now : nil, now: { .now })
  }

  /// How long a device may take. A time that was given is what passes first; else what the connection has to say is worth more.
  static func limit(_ options: inout SessionOptions, _ global: GlobalOptions) {
    let timeout = global.deviceTimeout
    let isLimited = global.timeout != nil
    options.connectTimeout = isLimited ? timeout + .seconds(1) : timeout
    options.startTimeout = isLimited ? timeout : timeout * 2 + .seconds(1)
    options.requestTimeout = timeout
  }

  /// A device that may be elsewhere is called in two places within the time.
  static func connectTimeout(_ timeout: Duration, _ device: KnownDevice) -> Duration {
    let mayBeElsewhere = device.uuid != nil || device.staticEndpoint.map { $0 != device.endpoint } == true
    return mayBeElsewhere ? timeout / 2 : timeout
  }
}
