import ArgumentParser
import CastqOperations
import CastqOutput
import CastqStore

/// `castq group …`
struct GroupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "Name groups of devices: '-d @NAME' means all of one.",
    discussion: "'-d @all' means every device that was added, named or used.",
    subcommands: [Add.self, List.self, Remove.self])

  /// `castq group add NAME DEVICE…`
  struct Add: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add devices to a group, which is made if it is missing.")

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the group.", completion: NameCompletion.groups) var name: String
    @Argument(
      help: ArgumentHelp("Alias, name, UUID or address of known devices.", valueName: "device"),
      completion: NameCompletion.knownDevices)
    var members: [String]
    @Flag(help: "Remove its other devices from the group.") var replace = false

    func run() async throws {
      try await ScheduleCall(global).addGroup(name, members: members, replaces: replace)
    }
  }

  /// `castq group ls`
  struct List: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the groups with their devices.", aliases: ["list"])

    @OptionGroup var given: GivenOptions

    func run() async throws {
      let call = try ScheduleCall(global, isReader: true)
      let groups = try call.ask { (store) throws(StoreError) in try store.groups() }
      var table = Table([("NAME", .flexible), ("DEVICES", .flexible)])
      for group in groups {
        table.add([group.name, group.members.map(\.label).joined(separator: ", ")])
      }
      try call.print(
        groups.map(ScheduleOutput.group), as: "groups", table,
        none: "there is no group; 'castq group add NAME DEVICE…' makes one")
    }
  }

  /// `castq group rm NAME [DEVICE…]`
  struct Remove: CastqCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm", abstract: "Remove a group that no rule uses, or some of its devices.",
      aliases: ["remove"])

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the group.", completion: NameCompletion.groups) var name: String
    @Argument(
      help: ArgumentHelp("Only these devices.", valueName: "device"), completion: NameCompletion.knownDevices)
    var members: [String] = []

    func run() async throws {
      try await ScheduleCall(global).removeGroup(name, members: members)
    }
  }
}
