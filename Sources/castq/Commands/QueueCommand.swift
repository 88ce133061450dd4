import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq queue`
struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Show what is queued, with stable entry numbers; exits 1 when nothing is.", aliases: ["list"])

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    let (settings, entries) = try workspace.ask { (here) throws(StoreError) in
      (try here.queue.settings(for: device.id), try here.queue.entries(for: device.id))
    }
    if global.jsonl {
      for entry in entries { Console.print(JSONOutput.entry(entry)) }
    } else if global.json {
      let document: JSONValue = [
        "device": .string(device.label), "repeat": .string(settings.repeatMode.rawValue),
        "shuffle": .bool(settings.isShuffled), "entries": .array(entries.map(JSONOutput.entry)),
      ]
      Console.print(document)
    } else {
      var table = Table([
        ("POS", .right), ("ENTRY", .right), ("STATE", .left), ("LENGTH", .right), ("TITLE", .left),
      ])
      for entry in entries {
        let length = entry.draft.media.streamDuration.map { ClockText.format($0.seconds) } ?? "-"
        table.add(["\(entry.position)", "\(entry.id.rawValue)", entry.state.rawValue, length, entry.title])
      }
      table.lines.forEach(Console.print)
    }
    guard entries.isEmpty else { return }
    if !global.isMachineReadable, !global.quiet {
      Console.say("castq: nothing is queued for \(device.label); add something with 'castq enqueue SOURCE'")
    }
    throw Silent(exit: .no)
  }
}

/// `castq remove ENTRY…`
struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take entries out of the queue.", aliases: ["rm"])

  @OptionGroup var global: GlobalOptions

  @Argument(help: ArgumentHelp("Entry numbers, as 'castq queue' shows them.", valueName: "entry"))
  var entries: [Int64]

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    try workspace.ask { (here) throws(StoreError) in
      try here.queue.remove(entries.map(EntryID.init), from: device.id)
    }
  }
}

/// `castq move ENTRY POS`
struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move an entry to a position.", aliases: ["mv"])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Entry number, as 'castq queue' shows it.")
  var entry: Int64

  @Argument(help: "Position, from 1; beyond the end is the end.")
  var position: Int

  func validate() throws {
    if position < 1 { throw ValidationError("positions count from 1") }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    try workspace.ask { (here) throws(StoreError) in
      try here.queue.move(EntryID(entry), toPosition: position, on: device.id)
    }
  }
}

/// `castq clear`
struct ClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "clear", abstract: "Empty the queue.")

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    try workspace.ask { (here) throws(StoreError) in try here.queue.clear(for: device.id) }
  }
}

/// `castq repeat off|all|one`
struct RepeatCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat", abstract: "Say what the queue does at its end.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "off, all or one.")
  var mode: QueueRepeat

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    try workspace.ask { (here) throws(StoreError) in try here.queue.setRepeat(mode, for: device.id) }
  }
}

extension QueueRepeat: ExpressibleByArgument {}

/// `castq shuffle [on|off]`
struct ShuffleCommand: AsyncParsableCommand {
  enum Switch: String, ExpressibleByArgument {
    case on, off
  }

  static let configuration = CommandConfiguration(
    commandName: "shuffle",
    abstract: "Play the queue in a shuffled order, a new one each time this is switched on.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "on or off.")
  var state: Switch = .on

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    try workspace.ask { (here) throws(StoreError) in
      try here.queue.setShuffle(state == .on, seed: UInt64.random(in: 0...UInt64.max), for: device.id)
    }
  }
}
