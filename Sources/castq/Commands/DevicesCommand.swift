import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq devices`
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "devices", abstract: "List the known devices.")

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let devices = try workspace.ask { (here) throws(StoreError) in try here.devices.all() }
    if global.jsonl {
      for device in devices { Console.print(JSONOutput.device(device)) }
    } else if global.json {
      let document: JSONValue = ["devices": .array(devices.map(JSONOutput.device))]
      Console.print(document)
    } else if devices.isEmpty {
      Console.say("castq: no device is known yet; add one with 'castq device add NAME HOST[:PORT]'")
    } else {
      var table = Table([("NAME", .left), ("ALIAS", .left), ("ADDRESS", .left), ("", .left)])
      for device in devices {
        table.add([device.name, device.alias ?? "-", "\(device.endpoint)", device.isDefault ? "default" : ""])
      }
      table.lines.forEach(Console.print)
    }
  }
}

/// `castq device …`
struct DeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Keep the ledger of devices.",
    subcommands: [Add.self, Remove.self, Alias.self, Default.self])

  /// `castq device add NAME HOST[:PORT]`
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a device at an address, or move it there.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "What to call it.") var name: String
    @Argument(help: ArgumentHelp("Its address; the port is 8009 unless given.", valueName: "host[:port]"))
    var address: String

    func run() async throws {
      let name = TerminalText.sanitized(name)
      guard !name.isEmpty else { throw Failure("usage", "a device needs a name", exit: .usage) }
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
      commandName: "rm", abstract: "Forget a device and its queue; history stays.", aliases: ["remove"])

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Alias, name, UUID or address.") var name: String

    func run() async throws {
      let workspace = try Workspace(global)
      let device = try workspace.known(name)
      try workspace.ask { (here) throws(StoreError) in try here.devices.remove(device.id) }
    }
  }

  /// `castq device alias NAME ALIAS`
  struct Alias: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give a device a short name.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Alias, name, UUID or address.") var name: String
    @Argument(help: "The short name; none takes it away.") var alias: String?

    func run() async throws {
      let workspace = try Workspace(global)
      let device = try workspace.known(name)
      let alias = alias.map { TerminalText.sanitized($0) }
      try workspace.ask { (here) throws(StoreError) in try here.devices.setAlias(alias, of: device.id) }
    }
  }

  /// `castq device default NAME`
  struct Default: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Choose the device that is meant when none is named.")

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Alias, name, UUID or address.") var name: String

    func run() async throws {
      let workspace = try Workspace(global)
      let device = try workspace.known(name)
      try workspace.ask { (here) throws(StoreError) in try here.devices.setDefault(device.id) }
    }
  }
}

extension Workspace {
  /// A device that is in the ledger already.
  fileprivate func known(_ name: String) throws(Failure) -> KnownDevice {
    try ask { (here) throws(StoreError) in try here.devices.device(matching: name) }
  }
}
