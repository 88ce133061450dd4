import ArgumentParser
import CastProtocol
import CastSender
import CastqDaemon
import CastqOperations
import CastqStore
import CastqText
import Glibc

/// `castq device pin NAME [--off|--roots FILE]`
struct PinCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Set how a device must prove its identity.",
    discussion: """
      Without an option: by the key it proves at first contact, which is then pinned. This is the default. The command \
      connects at once and prints the key. Any other key is refused with exit code 77 until 'castq device unpin'.
      Announcements on the network prove nothing: a pinned device keeps its name and model until this command reads them again, \
      over a connection on which it has proved its key. Speaker groups cannot be pinned: they prove the key of their current leader.
      """)

  @OptionGroup var given: GivenOptions
  @Argument(help: "Alias, name, UUID or address.", completion: NameCompletion.knownDevices) var name: String

  @Flag(help: "Accept any device that answers at its address.")
  var off = false

  @Option(
    help: ArgumentHelp(
      "Accept only a device whose certificate chains to one in this file (PEM or DER).", valueName: "file"),
    completion: .file())
  var roots: String?

  func validate() throws {
    if off, roots != nil { throw ValidationError("--off and --roots exclude each other") }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.known(name)
    let rule: TrustRule = off ? .off : try roots.map { .roots(file: try RootsFile.path($0)) } ?? .pin
    if rule == .pin, device.isGroup, !device.isPinned { throw Self.noKey(of: device) }
    try workspace.ask { (here) throws(StoreError) in try here.devices.setTrust(rule, of: device.id) }
    if rule == .pin || device.announcedName != nil && !off { try await meet(device, workspace) }
  }

  /// Connects to pin the key now, and prints it for comparison.
  private func meet(_ device: KnownDevice, _ workspace: Workspace) async throws {
    let timeout = global.deviceTimeout
    let session = try await DeviceCall(device, in: workspace, global).started(
      SessionOptions(
        purpose: .device, connectTimeout: timeout, startTimeout: global.timeout,
        requestTimeout: timeout, reconnection: nil))
    try await askName(of: device, in: session, workspace)
    await session.leave()
    let met = try workspace.ask { (here) throws(StoreError) in try here.devices.device(device.id) } ?? device
    guard met.trust == .pin else { return }
    guard let key = met.pinnedKey else { throw Self.noKey(of: met) }
    if global.isMachineReadable {
      let gaps = try workspace.ask { (here) throws(StoreError) in try here.history.gaps(of: met.id) }
      return Console.print(JSONOutput.deviceInFull(met, gaps))
    }
    Console.print(DeviceTable.grouped(key))
  }

  /// Reads name and model over a connection on which the device has proved its key; only if it was announced under another name.
  private func askName(of device: KnownDevice, in session: Session, _ workspace: Workspace) async throws {
    let row = try workspace.ask { (here) throws(StoreError) in try here.devices.device(device.id) }
    guard let row, row.hasProof, row.announcedName != nil else { return }
    guard let information = try? await session.requestDeviceInformation().value else {
      if !global.quiet {
        Console.say("castq: \(device.label): it did not report its name; the known name stays")
      }
      return
    }
    try workspace.ask { (here) throws(StoreError) in
      try here.devices.proved(
        name: information.friendlyName, model: information.modelName,
        capabilities: information.capabilities.map {
          DeviceCapabilities(rawValue: UInt64(bitPattern: Int64($0)))
        },
        of: row.id, at: .now)
    }
  }

  private static func noKey(of device: KnownDevice) -> Failure {
    let why =
      device.isGroup
      ? "a group proves the key of its current leader, so it cannot be pinned; pin its speakers"
      : device.silentAt != nil
        ? "it did not answer the challenge, and is used anyway; try again, or accept that with 'castq device pin --off'"
        : "it cannot prove who it is, and is used anyway; accept that with 'castq device pin --off'"
    return Failure("not_pinned", "\(device.label): no key is pinned: \(why)", exit: .notPermitted)
  }
}

/// `castq device unpin NAME`
struct UnpinCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin", abstract: "Forget a device's key; the next key it proves is pinned.",
    discussion:
      "For a device that was replaced. Otherwise find out first what answers at its address.")

  @OptionGroup var given: GivenOptions
  @Argument(help: "Alias, name, UUID or address.", completion: NameCompletion.knownDevices) var name: String

  func run() async throws {
    try await Workspace(global).unpin(name)
  }
}

extension RootsFile {
  /// Its absolute path, once the file has been read as certificates.
  fileprivate static func path(_ text: String) throws(Failure) -> String {
    do throws(TrustFileError) {
      _ = try roots(text)
    } catch {
      throw Failure(
        error.isMissing ? "input_missing" : "bad_data", "\(error)",
        exit: error.isMissing ? .inputMissing : .badData)
    }
    guard let full = realpath(text, nil) else { return text }
    defer { free(full) }
    return String(cString: full)
  }
}
