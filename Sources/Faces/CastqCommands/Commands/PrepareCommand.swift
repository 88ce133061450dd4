import ArgumentParser
import CastGuard
import CastProtocol
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import UnixSignals

/// `castq prepare SOURCE…`
struct PrepareCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare", abstract: "Convert ahead of time what the device does not play.",
    discussion: """
      Local files are converted with ffmpeg into the folder of prepared files, and played from there. The files themselves stay as \
      they are. 'castq check --device' says what would be done.
      """)

  @OptionGroup var given: GivenOptions
  @OptionGroup var input: SourceOptions

  func validate() throws {
    if input.sources.isEmpty { throw ValidationError("name at least one SOURCE") }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    let configuration = try global.configuration(for: device)
    let list = await SourceList(
      input.request, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
      music: MusicFolders(global), timeout: global.deviceTimeout)
    if !global.isMachineReadable { list.printIssues(quietly: global.quiet) }
    try list.requireSomething()
    let preparation = try Preparation(workspace, device, configuration, say: global.say)
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let work = Task { [global] in
      let drafts = list.typedDrafts
      let isShown = Console.talksToTerminal && !global.quiet && !global.isMachineReadable
      return await preparation.run(drafts) { index, name in
        if isShown { Console.redraw("preparing \(index + 1) of \(drafts.count): \(name)") }
      } finished: { entry in
        if isShown { Console.redraw("") }
        if global.jsonl {
          Console.print(entry.document(for: device))
        } else if !global.json, !global.quiet || entry.exit != nil {
          Console.print(entry.line(for: device))
        }
      }
    }
    let signal = SignalMemory()
    let handler = Task {
      for await received in signals {
        signal.remember(received == .sigint ? .interrupted : .terminated)
        work.cancel()
      }
    }
    let files = await work.value
    handler.cancel()
    await handler.value
    if global.json {
      Console.print([
        "device": .string(device.label), "files": .array(files.map { $0.document(for: device) }),
        "skipped": .array(list.errors.map(JSONOutput.issue)),
      ])
    }
    if let status = signal.status { throw Silent(exit: status) }
    if let failure = list.failure { throw Silent(failure) }
    if let exit = files.lazy.compactMap(\.exit).first { throw Silent(exit: exit) }
  }
}
