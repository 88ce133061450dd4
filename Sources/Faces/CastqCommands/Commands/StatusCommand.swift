import ArgumentParser
import CastProtocol
import CastqFeeding
import CastqOperations
import CastqStore
import CastqTerminal
import CastqText

/// `castq status`
struct StatusCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what is playing; if nothing is, show why and exit 1.",
    discussion: "Without a command, castq shows the status of every known device, a line each.")

  @OptionGroup var given: GivenOptions

  @Flag(help: "Update the status until interrupted.")
  var follow = false

  @Flag(help: "Show every known device, a line each; with --follow as a wall that is kept up to date.")
  var all = false

  func run() async throws {
    let workspace = try Workspace(global, isReader: true)
    if all, follow { return try await StatusWall(workspace, global).run() }
    if all, global.device.isEmpty {
      return try await StatusOverview(workspace: workspace, global: global).show()
    }
    if follow { return try await Self.follow(workspace, global) }
    try await global.forEach { try await Self.show(workspace, $0) }
  }

  private static func show(_ workspace: Workspace, _ global: CallOptions) async throws {
    let device = try await workspace.device(global)
    let options = DeviceCall.observing(global)
    let look = StatusLook(call: DeviceCall(device, in: workspace, global), options: options)
    let (state, failure) = try await workspace.status(of: device, look, global)
    if global.isMachineReadable {
      Console.print(state.json)
    } else {
      state.lines.forEach(Console.print)
      if let problem = workspace.configured.problem, !global.quiet {
        Console.say("castq: \(problem); until then times are those of this computer")
      }
    }
    if let problem = workspace.database.pendingProblem, !global.quiet { Console.say("castq: \(problem)") }
    if let failure {
      if !global.isMachineReadable { throw failure }
      throw Silent(failure)
    }
    if state.isMediaSilent || state.seen.silence != nil { throw Silent(exit: .unreachable) }
    if !state.isPlaying { throw Silent(exit: .no) }
  }

  /// Reports the status of a device until interrupted: as the mini controller on a terminal, else a line at each change.
  static func follow(_ workspace: Workspace, _ global: CallOptions) async throws {
    let device = try await workspace.device(global)
    let source = StatusSource(workspace: workspace, device: device, global: global)
    if Console.isTerminal, !global.isMachineReadable {
      let opens = try Terminal.isAvailable && global.face().opensController
      guard try await MiniController(source: source, opensWhenCasting: opens).run() else { return }
      throw OwnProgram(global: global, workspace: workspace, device: device).become("remote")
    }
    let news = StatusNews(time: source.time)
    try await untilInterrupted(prints: true) {
      try await source.follow { device, seen in
        let state = try workspace.state(of: device, seen.untimed)
        guard news.isNews(state) else { return }
        Console.print(global.isMachineReadable ? state.json.text : state.line)
      }
    }
  }
}

/// Prints the status of every known device, a line each: what `castq` alone prints.
struct StatusOverview {
  let workspace: Workspace
  let global: CallOptions

  /// Says that no device is known.
  static func noDevice(_ global: CallOptions) -> Silent {
    if !global.isMachineReadable, !global.quiet {
      Console.say(
        "castq: no device is known; 'castq devices' searches for devices, 'castq --help' lists the commands")
    }
    return Silent(exit: .no)
  }

  func show() async throws {
    let (states, failures) = try await workspace.statuses(global)
    if states.isEmpty, failures.isEmpty {
      if global.json { Console.print(["devices": []] as JSONValue) }
      throw Self.noDevice(global)
    }
    if global.json {
      Console.print(["devices": .array(states.map(\.json))] as JSONValue)
    } else {
      for state in states {
        if global.jsonl { Console.print(state.json) } else { Console.print(state.line) }
      }
    }
    guard let last = failures.last else { return }
    for failure in failures.dropLast() { failure.report() }
    throw last
  }
}
