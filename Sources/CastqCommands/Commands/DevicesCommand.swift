import ArgumentParser
import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore

/// `castq devices [--scan DURATION]`
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the known devices, and discover others.",
    discussion: """
      Lists the known devices at once, as they were last seen; one that castq is connected to is seen now. With --scan, or \
      when none is known, searches the network and adds the devices that answer. Exits 1 when there is none.
      """)

  /// Length of the scan when no device is known and `--scan` is not given.
  private static let firstLook = Duration.seconds(4)

  @OptionGroup var global: GlobalOptions

  @Option(
    defaultAsFlag: DurationArgument(seconds: 5),
    help: ArgumentHelp(
      "Search the network for devices, for so long.", valueName: "duration"),
    transform: DurationArgument.init)
  var scan: DurationArgument? = nil

  func run() async throws {
    let workspace = try Workspace(global, isReader: true)
    var devices = try workspace.listedDevices(global)
    var problems: [DeviceScan.Problem] = []
    var heard = 0
    var since: WallTime?
    if scan != nil || devices.isEmpty {
      let start = WallTime.now
      since = start
      let result = try await look(for: scan?.duration ?? Self.firstLook, in: workspace, since: start)
      problems = result.problems
      heard = result.devices.count
      devices = try workspace.listedDevices(global)
    }
    devices = await workspace.heard(devices, global)
    if global.jsonl {
      for device in devices { Console.print(JSONOutput.device(device)) }
    } else if global.json {
      Console.print(Self.document(devices, problems))
    } else {
      DeviceTable(devices: devices, now: .now, scannedSince: since).lines(width: Console.dataWidth)
        .forEach(Console.print)
    }
    if since != nil, heard == 0, !(global.quiet && !devices.isEmpty) {
      let found = devices.isEmpty ? "no device was found" : "no device was heard"
      Console.say("castq: \(found): \(Discovery.words(for: problems))")
    }
    try workspace.reportDamage()
    if devices.isEmpty { throw Silent(exit: .no) }
  }

  static func document(_ devices: [KnownDevice], _ problems: [DeviceScan.Problem] = []) -> JSONValue {
    ["devices": .array(devices.map(JSONOutput.device)), "problems": .array(problems.map(\.json))]
  }

  /// Scans the network and stores the devices that answer; a terminal shows them as they appear.
  private func look(
    for duration: Duration, in workspace: Workspace, since start: WallTime
  ) async throws(Failure) -> DeviceScan {
    let picture = Console.isTerminal && !global.isMachineReadable ? LivePicture() : nil
    let scan = await Discovery.finder().scan(for: duration) { devices in
      guard let picture, (try? workspace.keep(devices)) != nil,
        let known = try? workspace.listedDevices(global)
      else { return false }
      picture.show(
        DeviceTable(devices: known, now: .now, scannedSince: start).lines(width: Console.dataWidth))
      return false
    }
    picture?.clear()
    try workspace.keep(scan.devices)
    return scan
  }
}

extension DeviceScan.Problem {
  fileprivate var json: JSONValue {
    ["code": .string(code), "message": .string(message), "advice": JSONOutput.text(advice)]
  }
}
