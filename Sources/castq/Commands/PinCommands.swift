import ArgumentParser
import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import Glibc

/// `castq device pin NAME [--off|--roots FILE]`
struct PinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Say how a device has to prove who it is.",
    discussion: """
      Without an option: by the key that it proves at first contact and that is remembered from then on, which is the \
      default; the device is asked for it at once, and it is printed. Another key is then refused with exit code 77 until 'castq device unpin'.
      What a device announces on the network proves nothing: a pinned one keeps its name and its kind until this command has asked it anew, \
      over a connection on which it has proved its key. Groups of speakers cannot be pinned: they prove the key of whichever speaker leads.
      """)

  @OptionGroup var global: GlobalOptions
  @Argument(help: "Alias, name, UUID or address.") var name: String

  @Flag(help: "Take whoever answers at its address for the device.")
  var off = false

  @Option(
    help: ArgumentHelp(
      "Take only a device whose certificate leads to one in this file (PEM or DER).", valueName: "file"))
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

  /// Asks the device for its key now, so that it can be compared with what the device or its maker says.
  private func meet(_ device: KnownDevice, _ workspace: Workspace) async throws {
    let timeout = global.deviceTimeout
    let session = try await DeviceCall(device, in: workspace, global).started(
      SessionOptions(
        purpose: .device, connectTimeout: timeout, startTimeout: global.timeout?.duration,
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

  /// Reads name and kind over a connection on which the device has proved its key; only when it was announced under another name.
  private func askName(of device: KnownDevice, in session: Session, _ workspace: Workspace) async throws {
    let row = try workspace.ask { (here) throws(StoreError) in try here.devices.device(device.id) }
    guard let row, row.hasProof, row.announcedName != nil else { return }
    guard let told = try? await session.requestDeviceInformation().value else {
      if !global.quiet {
        Console.say("castq: \(device.label): it did not report its name; the one in the ledger stays")
      }
      return
    }
    try workspace.ask { (here) throws(StoreError) in
      try here.devices.proved(
        name: told.friendlyName, model: told.modelName,
        capabilities: told.capabilities.map { DeviceCapabilities(rawValue: UInt64(bitPattern: Int64($0))) },
        of: row.id, at: .now)
    }
  }

  private static func noKey(of device: KnownDevice) -> Failure {
    let why =
      device.isGroup
      ? "a group proves the key of whichever speaker leads it, so it cannot be pinned; pin its speakers"
      : device.silentAt != nil
        ? "it did not answer the challenge, and is used all the same; try again, or accept that with 'castq device pin --off'"
        : "it cannot prove who it is, and is used all the same; accept that with 'castq device pin --off'"
    return Failure("not_pinned", "\(device.label): no key is pinned: \(why)", exit: .notPermitted)
  }
}

/// `castq device unpin NAME`
struct UnpinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin", abstract: "Forget a device's key; the next one that it proves is pinned.",
    discussion:
      "Right after a device was replaced by another one; else find out first who answers in its place.")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "Alias, name, UUID or address.") var name: String

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.known(name)
    try workspace.ask { (here) throws(StoreError) in try here.devices.unpin(device.id) }
  }
}

extension RootsFile {
  /// Its full path, so that it is found from every folder, once it was seen to hold certificates.
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
