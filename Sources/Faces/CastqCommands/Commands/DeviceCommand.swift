import ArgumentParser
import CastProtocol
import CastqOperations
import CastqStore
import CastqText

/// `castq device …`
struct DeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Manage the known devices.",
    subcommands: [
      Add.self, Remove.self, Show.self, Alias.self, Default.self, PinCommand.self, UnpinCommand.self,
    ])

  /// `castq device add NAME HOST[:PORT]`
  struct Add: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a device at an address, or move it there.",
      discussion: """
        A host name is resolved at every connection. Needs no discovery, so it works where multicast is blocked.
        """)

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the device.") var name: String
    @Argument(help: ArgumentHelp("Its address; the default port is 8009.", valueName: "host[:port]"))
    var address: String

    func run() async throws {
      let device = try Workspace(global).addDevice(named: name, at: address)
      if global.isMachineReadable { Console.print(JSONOutput.device(device)) }
    }
  }

  /// `castq device rm NAME`
  struct Remove: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Forget a device, its queue and the rules for it alone; history stays.",
      aliases: ["remove"])

    @OptionGroup var given: GivenOptions
    @Argument(help: "Alias, name, UUID or address.", completion: NameCompletion.knownDevices) var name: String

    func run() async throws {
      try Workspace(global).removeDevice(name)
    }
  }

  /// `castq device show [NAME]`
  struct Show: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show everything known about a device.",
      discussion:
        "Shows its address, its capabilities, how it must prove its identity, the pinned key, and the dark gaps between items."
    )

    @OptionGroup var given: GivenOptions
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
  struct Alias: CastqCommand {
    static let configuration = CommandConfiguration(abstract: "Give a device a short name.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Alias, name, UUID or address.", completion: NameCompletion.knownDevices) var name: String
    @Argument(help: "The short name; omit it to remove the alias.") var alias: String?

    func run() async throws {
      try await Workspace(global).setAlias(alias, of: name)
    }
  }

  /// `castq device default NAME`
  struct Default: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the device to use when none is named; without an argument, print it.")

    @OptionGroup var given: GivenOptions
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
      try await workspace.setDefault(name)
      if let configured = try global.configuredDefault(), !global.quiet {
        Console.say(
          "castq: default_device of the configuration is \(TerminalText.excerpt(configured)), and comes first; remove it there"
        )
      }
    }
  }
}
