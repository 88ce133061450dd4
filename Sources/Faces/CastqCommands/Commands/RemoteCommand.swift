import ArgumentParser
import CastqOperations
import CastqStore
import CastqTerminal
import CastqText

/// `castq remote`
struct RemoteCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote", abstract: "Control a device on the full screen of the terminal.",
    discussion: """
      What plays, the queue, the plan and the log of a device, by keys and by mouse; '?' lists the keys. Without --device, several \
      devices are offered to choose from. Leaving stops nothing. With NO_COLOR, with TERM=dumb and without a terminal, a line is \
      printed at each change, as by 'castq status --follow'.
      """)

  @OptionGroup var given: GivenOptions

  func validate() throws {
    if global.isMachineReadable {
      throw ValidationError("remote prints no documents; 'castq status --follow --jsonl' does")
    }
  }

  func run() async throws {
    try global.checkOne()
    guard Terminal.isAvailable else {
      return try await StatusCommand.follow(try Workspace(global, isReader: true), global)
    }
    let workspace = try Workspace(global)
    let device = try await device(in: workspace)
    let face = try global.face()
    let terminal: Terminal
    do throws(Terminal.Unavailable) { terminal = try Terminal(palette: FaceStyle.palette(face)) } catch {
      throw Failure("terminal", "the terminal cannot be used: \(error.words)", exit: .inputOutput)
    }
    let status: ExitStatus
    do {
      defer { terminal.close() }
      status = try await RemoteDriver(global, workspace, terminal, face, device: device).run()
    }
    if status != .done { throw Silent(exit: status) }
  }

  /// The named device, or the only one; nil where one is to be chosen.
  private func device(in workspace: Workspace) async throws -> KnownDevice? {
    if try global.meantDevice() != nil { return try await workspace.device(global, adding: true) }
    let devices = try workspace.allDevices()
    return devices.count == 1 ? devices.first : nil
  }
}
