import ArgumentParser
import CastProtocol
import CastqCore
import CastqOperations
import CastqStore

/// `castq device …`
struct DeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Manage the known devices.",
    subcommands: [
      Add.self, Remove.self, Show.self, Alias.self, Default.self, PinCommand.self, UnpinCommand.self,
    ])

  /// `castq device add NAME HOST[:PORT]`
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a device at an address, or move it there.",
      discussion: """
        A host name is resolved at every connection. Needs no discovery, so it works where multicast is blocked.
        """)

    @OptionGroup var given: GivenOptions
    var global: CallOptions { given.call }
    @Argument(help: "Name of the device.") var name: String
    @Argument(help: ArgumentHelp("Its address; the default port is 8009.", valueName: "host[:port]"))
    var address: String

    func run() async throws {
      let name = try ScheduleName.device(name, "a device")
      guard let endpoint = DeviceEndpoint(address) else {
        throw Failure("usage", "'\(address)' is no address: write HOST, HOST:PORT or [V6]:PORT", exit: .usage)
      }
      let workspace = try Workspace(global)
      let device = try workspace.ask { (here) throws(StoreError) in
        try here.devices.add(name: name, endpoint: endpoint, at: .now)
      }
      if global.isMachineReadable { Console.print(JSONOutput.device(device)) }
    }
  }

  /// `castq device rm NAME`
  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Forget a device, its queue and the rules for it alone; history stays.",
      aliases: ["remove"])

    @OptionGroup var given: GivenOptions
    var global: CallOptions { given.call }
    @Argument(help: "Alias, name, UUID or address.", completion: NameCompletion.knownDevices) var name: String

    func run() async throws {
      let workspace = try Workspace(global)
      // Only the ledger is searched, never the network.
      try workspace.ask { (here) throws(StoreError) in
        try here.devices.remove(try here.devices.device(matching: name).id, at: .now)
      }
    }
  }

  /// `castq device show [NAME]`
  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show everything known about a device.",
      discussion:
        "Shows its address, its capabilities, how it must prove its identity, the pinned key, and the dark gaps between items."
    )

    @OptionGroup var given: GivenOptions
    var global: CallOptions { given.call }
    @Argument(
      help: "Alias, name, UUID or address; by default the default device.",
      completion: NameCompletion.knownDevices) var name: String?

    func run() async throws {
      let workspace = try Workspace(global, isReader: true)
      if name == nil { try global.checkOne() }
      let known = try await workspace.known(try name ?? global.meantDevice())
      if global.isMachineReadable { return Console.print(try workspace.document(known, global)) }
      let device = try workspace.listedDevices(global).first { $0.id == known.id } ?? known
      let gaps = try workspace.ask { (here) throws(StoreError) in try here.history.gaps(of: device.id) }
      let claims = try workspace.ask { (here) throws(StoreError) in NameClaim.all(in: try here.devices.all())
      }
      DeviceTable.details(device, gaps, claims: claims, now: .now).forEach(Console.print)
    }
  }

  /// `castq device alias NAME [ALIAS]`
  struct Alias: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give a device a short name.")

    @OptionGroup var given: GivenOptions
    var global: CallOptions { given.call }
    @Argument(help: "Alias, name, UUID or address.", completion: NameCompletion.knownDevices) var name: String
    @Argument(help: "The short name; omit it to remove the alias.") var alias: String?

    func run() async throws {
      let alias = try alias.map { (alias) throws(Failure) in try ScheduleName.device(alias, "an alias") }
      let workspace = try Workspace(global)
      let device = try await workspace.known(name)
      try workspace.ask { (here) throws(StoreError) in try here.devices.setAlias(alias, of: device.id) }
    }
  }

  /// `castq device default NAME`
  struct Default: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the device to use when none is named; without an argument, print it.")

    @OptionGroup var given: GivenOptions
    var global: CallOptions { given.call }
    @Argument(help: "Alias, name, UUID or address.", completion: NameCompletion.knownDevices) var name:
      String?

    func run() async throws {
      let workspace = try Workspace(global, isReader: name == nil)
      guard let name else {
        // The one commands use when none is named: the configuration's, else the chosen one, else the only known device.
        let configured = try global.configuredDefault()
        let device = try workspace.ask { (here) throws(StoreError) in
          try here.devices.device(matching: configured)
        }
        return Console.print(global.isMachineReadable ? JSONOutput.device(device).text : device.label)
      }
      let device = try await workspace.known(name)
      try workspace.ask { (here) throws(StoreError) in try here.devices.setDefault(device.id) }
      if let configured = try global.configuredDefault(), !global.quiet {
        Console.say(
          "castq: default_device of the configuration is \(TerminalText.excerpt(configured)), and comes first; remove it there"
        )
      }
    }
  }
}

extension Workspace {
  /// A device in the ledger. One found on the network is added; a bare address is an unknown device.
  func known(_ name: String?) async throws(Failure) -> KnownDevice {
    let device = try await device(name, adding: false)
    guard device.id != DeviceID(0) else {
      throw Failure(
        .unknownDevice(
          name ?? "", known: try ask { (here) throws(StoreError) in try here.devices.all().map(\.label) }),
        database: database.path)
    }
    return device
  }
}
