import ArgumentParser
import CastqOperations
import CastqStore
import CastqText

/// `castq enqueue SOURCE…`
struct EnqueueCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "enqueue", abstract: "Append to the queue.", aliases: ["add"])

  @OptionGroup var given: GivenOptions
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
      let call = try await QueueCall(global, adding: true)
      let list: SourceList
      if let read {
        list = read
      } else {
        list = await call.read(input.request, isStrict: strict)
        if !global.isMachineReadable { list.printIssues(quietly: global.quiet) }
        read = list
      }
      let placement: QueueStore.Placement = next ? .next : at.map { .at($0) } ?? .end
      try await report(try await call.add(list, placement, plays: play, isStrict: strict), call)
    }
  }

  /// Prints what was added, and has it played. A rule keeps the screen: what was added stays in the queue, which the message says.
  /// With `--json` both are one document.
  private func report(_ added: AddedEntries, _ call: QueueCall) async throws {
    var added = added
    if !call.global.json { added.print(call.global) }
    do throws(Failure) { try await call.start(added) } catch {
      guard call.global.json else { throw error }
      added.failure = error
      added.print(call.global)
      throw Silent(error)
    }
    if call.global.json { added.print(call.global) }
    if let failure = added.list.failure { throw Silent(failure) }
  }
}

extension AddedEntries {
  /// Prints the added entries and the skipped lines, with `--json` and `--jsonl`.
  func print(_ global: CallOptions) {
    if global.jsonl {
      for document in entries { Console.print(document) }
    } else if global.json {
      Console.print(json)
    }
  }
}
