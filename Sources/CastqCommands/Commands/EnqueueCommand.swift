import CastGuard
import ArgumentParser
import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore

/// `castq enqueue SOURCE…`
struct EnqueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enqueue", abstract: "Append to the queue.", aliases: ["add"])

  @OptionGroup var global: GlobalOptions
  @OptionGroup var input: SourceOptions

  @Flag(
    help:
      "Insert them right after the current entry, before entries of an earlier --next; sources of one command keep their order."
  )
  var next = false

  @Option(help: ArgumentHelp("Insert them before the entry at this position.", valueName: "n"))
  var at: Int?

  @Flag(help: "Also start playing.")
  var play = false

  @Flag(help: "Enqueue nothing if any source has an error.")
  var strict = false

  func validate() throws {
    if input.sources.isEmpty { throw ValidationError("name at least one SOURCE") }
    if next, at != nil { throw ValidationError("--next and --at exclude each other") }
    if let at, at < 1 { throw ValidationError("--at counts from 1") }
  }

  func run() async throws {
    // Standard input can be read once.
    var read: SourceList?
    try await global.forEach { global in
      let workspace = try Workspace(global)
      let device = try await workspace.device(global, adding: true)
      let list: SourceList
      if let read {
        list = read
      } else {
        var whole = await SourceList(
          input, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
          timeout: global.deviceTimeout)
        if strict { whole.add(FileCheck.issues(of: whole.typedDrafts)) }
        list = whole
        if !global.isMachineReadable { list.printIssues(quietly: global.quiet) }
        read = list
      }
      try await enqueue(list, on: device, workspace, global)
    }
  }

  private func enqueue(
    _ list: SourceList, on device: KnownDevice, _ workspace: Workspace, _ global: GlobalOptions
  ) async throws {
    try list.requireSomething()
    if strict, let failure = list.failure {
      throw Failure(failure.code, "nothing was enqueued (--strict): \(failure.message)", exit: failure.exit)
    }
    let feeder = play ? try await FeederCall.background(workspace, device, global) : nil
    try feeder?.checkOptions()
    let placement: QueueStore.Placement = next ? .next : at.map { .at($0) } ?? .end
    let added = try workspace.ask { (here) throws(StoreError) in
      try here.queue.enqueue(
        list.playlist, for: device.id, placement: placement, seed: .random(in: 0...UInt64.max), at: .now)
    }
    if let feeder {
      try await start(feeder) { Self.report(added, list, device, global, $0) }
    } else {
      Self.report(added, list, device, global)
      await FeederCall.poke(workspace, device, global)
    }
    if let failure = list.failure { throw Silent(failure) }
  }

  /// Has the queue fed, and reports what was added. A rule keeps the screen: what was added stays in the queue, which the message says.
  /// - Parameter report: prints what was added, and why it is not played; nil is no reason. With `--json` both are one document.
  private func start(_ feeder: FeederCall, _ report: (Failure?) -> Void) async throws {
    let isOneDocument = feeder.global.json
    if !isOneDocument { report(nil) }
    do throws(Failure) { try await feeder.start(FeedRequest()) } catch {
      var failure = error
      if failure.code == ControlFailure.scheduled { failure.message += "; what was named is enqueued" }
      // The page answers with the failure itself.
      guard isOneDocument, Console.captured == nil else { throw failure }
      report(failure)
      throw Silent(failure)
    }
    if isOneDocument { report(nil) }
  }

  /// Prints the added entries and the skipped lines, with `--json` and `--jsonl`.
  /// - Parameter failure: why they are not played, for the document of `--json`; nil is no reason.
  static func report(
    _ added: [QueueEntry], _ list: SourceList, _ device: KnownDevice, _ global: GlobalOptions,
    _ failure: Failure? = nil
  ) {
    let documents = zip(added, list.typedFiles).map { JSONOutput.added($0, source: $1, on: device) }
    if global.jsonl {
      for document in documents { Console.print(document) }
    } else if global.json {
      var document: [String: JSONValue] = [
        "device": .string(device.label), "added": .array(documents),
        "skipped": .array(list.errors.map(JSONOutput.issue)),
      ]
      if let failure { document["error"] = failure.shown.json }
      Console.print(JSONValue.object(document))
    }
  }
}
