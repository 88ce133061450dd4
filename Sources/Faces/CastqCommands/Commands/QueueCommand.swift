import ArgumentParser
import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// `castq queue`
struct QueueCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Show the queue, with stable entry numbers; exits 1 when it is empty.", aliases: ["list"])

  @OptionGroup var given: GivenOptions

  func run() async throws {
    let call = try await QueueCall(global, isReader: true)
    let (workspace, device) = (call.workspace, call.device)
    let (settings, order, entries) = try workspace.ask { (here) throws(StoreError) in
      (
        try here.queue.settings(for: device.id),
        global.json ? try here.queue.order(of: device.id) : nil,
        try here.filled(try here.queue.entries(for: device.id))
      )
    }
    if global.jsonl {
      for entry in entries { Console.print(JSONOutput.entry(entry, on: device)) }
    } else if let order {
      Console.print(JSONOutput.queue(entries, of: order, settings, on: device))
    } else {
      let hasWindows = entries.contains { $0.draft.notBefore != nil || $0.draft.notAfter != nil }
      let zone = try hasWindows ? Zone.site(global) : nil
      let table = QueueTable(entries: entries, settings: settings, zone: zone, now: .now)
      table.lines(on: Console.dataTerminal).forEach(Console.print)
    }
    try workspace.reportDamage()
    guard entries.isEmpty else { return }
    if !global.isMachineReadable, !global.quiet {
      Console.say("castq: nothing is queued for \(device.label); add something with 'castq enqueue SOURCE'")
    }
    throw Silent(exit: .no)
  }
}

/// `castq remove ENTRY…`
struct RemoveCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove entries from the queue.", aliases: ["rm"])

  @OptionGroup var given: GivenOptions

  @Argument(
    help: ArgumentHelp(
      "Numbers of entries, as 'castq queue' shows them under ENTRY; p3 is what stands at POS 3.",
      valueName: "entry"),
    transform: EntryArgument.init)
  var entries: [EntryArgument]

  func run() async throws {
    try await QueueCall(global).remove(entries)
  }
}

/// `castq move ENTRY POS`
struct MoveCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move an entry to a position.", aliases: ["mv"])

  @OptionGroup var given: GivenOptions

  @Argument(
    help: "Number of the entry, as 'castq queue' shows it under ENTRY; p3 is what stands at POS 3.",
    transform: EntryArgument.init)
  var entry: EntryArgument

  @Argument(
    help: "Position, from 1 (1 or p1); a position past the end means the end.", transform: Self.position)
  var position: Int

  private static func position(_ text: String) throws -> Int {
    guard let position = Int(text.hasPrefix("p") ? text.dropFirst() : text[...]), position >= 1 else {
      throw ValidationError("positions count from 1")
    }
    return position
  }

  func run() async throws {
    try await QueueCall(global).move(entry, to: position)
  }
}

/// `castq clear`
struct ClearCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Empty the queue.",
    discussion: "The current entry keeps playing to its end and its title is printed; --stop stops it.")

  @OptionGroup var given: GivenOptions

  @Flag(help: "Also stop playback.")
  var stop = false

  func run() async throws { try await global.forEach(clear) }

  private func clear(_ global: CallOptions) async throws {
    let reply = try await LiveControl(global, writes: true).perform(.clear(stops: stop))
    if let title = reply.plays, !global.quiet {
      Console.say(
        "castq: \(reply.device.label): the queue is empty; \(title) plays to its end, 'castq stop' stops it")
    }
  }
}

/// `castq repeat [off|all|one]`
struct RepeatCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat", abstract: "Set the repeat mode of the queue; without an argument, print it.")

  @OptionGroup var given: GivenOptions

  @Argument(help: "Repeat nothing, all of the queue, or one entry.")
  var mode: QueueRepeat?

  func run() async throws { try await global.forEach(set) }

  private func set(_ global: CallOptions) async throws {
    if let mode {
      return _ = try await LiveControl(global, writes: true).perform(.setRepeat(mode))
    }
    let call = try await QueueCall(global, isReader: true)
    let present = try call.workspace.ask { (here) throws(StoreError) in
      try here.queue.settings(for: call.device.id).repeatMode
    }
    guard global.isMachineReadable else { return Console.print(present.rawValue) }
    let document: JSONValue = ["device": .string(call.device.label), "repeat": .string(present.rawValue)]
    Console.print(document)
  }
}

extension QueueRepeat: ExpressibleByArgument {}

/// `castq shuffle [on|off]`
struct ShuffleCommand: CastqCommand {
  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  static let configuration = CommandConfiguration(
    commandName: "shuffle",
    abstract: "Shuffle the queue; each 'shuffle on' draws a new order.")

  @OptionGroup var given: GivenOptions

  @Argument(help: "Shuffle, or return to the order of the list.")
  var state: Switch = .on

  func run() async throws {
    try await global.forEach { try await LiveControl($0, writes: true).perform(.shuffle(state == .on)) }
  }
}
