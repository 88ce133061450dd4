import ArgumentParser
import CastqOperations
import CastqText

/// `castq devices [--scan DURATION]`
struct DevicesCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the known devices, and discover others.",
    discussion: """
      Lists the known devices at once, as they were last seen; one that castq is connected to is seen now. With --scan, or \
      when none is known, searches the network and adds the devices that answer. Exits 1 when there is none.
      """)

  /// Length of the scan when no device is known and `--scan` is not given.
  private static let firstLook = Duration.seconds(4)

  @OptionGroup var given: GivenOptions

  @Option(
    defaultAsFlag: DurationArgument(seconds: 5),
    help: ArgumentHelp(
      "Search the network for devices, for so long.", valueName: "duration"),
    transform: DurationArgument.init)
  var scan: DurationArgument? = nil

  func run() async throws {
    let workspace = try Workspace(global, isReader: true)
    var search = DeviceListing.Search.whenNoneIsKnown(Self.firstLook)
    if let scan { search = .always(scan.duration) }
    let picture = Console.isTerminal && !global.isMachineReadable ? LivePicture() : nil
    let listing = try await DeviceListing(workspace, global, search) { devices, since in
      picture?.show(
        DeviceTable(devices: devices, now: .now, scannedSince: since).lines(on: Console.dataTerminal))
    }
    picture?.clear()
    let devices = listing.devices
    if global.jsonl {
      for device in devices { Console.print(JSONOutput.device(device)) }
    } else if global.json {
      Console.print(listing.json)
    } else {
      DeviceTable(devices: devices, now: .now, scannedSince: listing.searchedSince)
        .lines(on: Console.dataTerminal).forEach(Console.print)
    }
    if listing.heardNothing, !(global.quiet && !devices.isEmpty) {
      let found = devices.isEmpty ? "no device was found" : "no device was heard"
      Console.say("castq: \(found): \(Discovery.words(for: listing.problems))")
    }
    try workspace.reportDamage()
    if devices.isEmpty { throw Silent(exit: .no) }
  }
}
