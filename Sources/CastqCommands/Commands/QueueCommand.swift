import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq queue`
struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Show the queue, with stable entry numbers; exits 1 when it is empty.", aliases: ["list"])

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global, isReader: true)
    let device = try await workspace.device(global)
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
      table.lines(width: Console.dataWidth).forEach(Console.print)
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
struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove entries from the queue.", aliases: ["rm"])

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: ArgumentHelp(
      "Numbers of entries, as 'castq queue' shows them under ENTRY; p3 is what stands at POS 3.",
      valueName: "entry"),
    transform: EntryArgument.init)
  var entries: [EntryArgument]

  func run() async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    try await workspace.naming(entries, on: device) { entries throws(Failure) in
      try workspace.ask { (here) throws(StoreError) in try here.queue.remove(entries, from: device.id) }
    }
  }
}

/// `castq move ENTRY POS`
struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move an entry to a position.", aliases: ["mv"])

  @OptionGroup var global: GlobalOptions

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
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    try await workspace.naming([entry], on: device) { entries throws(Failure) in
      try workspace.ask { (here) throws(StoreError) in
        try here.queue.move(entries[0], toPosition: position, on: device.id)
      }
    }
  }
}

/// `castq clear`
struct ClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Empty the queue.",
    discussion: "The current entry keeps playing to its end and its title is printed; --stop stops it.")

  @OptionGroup var global: GlobalOptions

  @Flag(help: "Also stop playback.")
  var stop = false

  func run() async throws { try await global.forEach(clear) }

  private func clear(_ global: GlobalOptions) async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    let (playing, isShowing) = try workspace.ask { (here) throws(StoreError) in
      let playing = try here.queue.playing(on: device.id)
      let isShowing = try here.isShowing(on: device)
      try here.queue.clear(for: device.id)
      return (playing, isShowing)
    }
    if stop {
      if isShowing {
        try await stopPlayback(LiveControl(global: global, workspace: workspace, device: device))
      }
    } else if let playing, !global.quiet {
      Console.say(
        "castq: \(device.label): the queue is empty; \(playing.title) plays to its end, 'castq stop' stops it"
      )
    }
  }

  /// What has ended in the same moment needs no stop.
  private func stopPlayback(_ control: LiveControl) async throws(Failure) {
    do throws(Failure) { try await control.perform(.stop(quits: false)) } catch {
      guard error.exit == .no else { throw error }
    }
  }
}

extension Workspace {
  /// Whether the receiver shows something of castq, or has been asked to: also what has left the queue, of which history has an open play.
  fileprivate func isShowing(on device: KnownDevice) throws(StoreError) -> Bool {
    let counts = try queue.counts(for: device.id)
    if [.offered, .queued, .playing].contains(where: { (counts[$0] ?? 0) > 0 }) { return true }
    var newest = HistoryStore.Filter()
    newest.device = device.id
    newest.limit = 1
    guard let play = try history.plays(matching: newest).first else { return false }
    return play.endedAt == nil
  }
}

/// `castq repeat [off|all|one]`
struct RepeatCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat", abstract: "Set the repeat mode of the queue; without an argument, print it.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Repeat nothing, all of the queue, or one entry.")
  var mode: QueueRepeat?

  func run() async throws { try await global.forEach(set) }

  private func set(_ global: GlobalOptions) async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    if let mode {
      return try workspace.ask { (here) throws(StoreError) in try here.queue.setRepeat(mode, for: device.id) }
    }
    let present = try workspace.ask { (here) throws(StoreError) in
      try here.queue.settings(for: device.id).repeatMode
    }
    guard global.isMachineReadable else { return Console.print(present.rawValue) }
    let document: JSONValue = ["device": .string(device.label), "repeat": .string(present.rawValue)]
    Console.print(document)
  }
}

extension QueueRepeat: ExpressibleByArgument {}

/// `castq shuffle [on|off]`
struct ShuffleCommand: AsyncParsableCommand {
  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  static let configuration = CommandConfiguration(
    commandName: "shuffle",
    abstract: "Shuffle the queue; each 'shuffle on' draws a new order.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Shuffle, or return to the order of the list.")
  var state: Switch = .on

  func run() async throws { try await global.forEach(set) }

  private func set(_ global: GlobalOptions) async throws {
    let workspace = try Workspace(global)
    let device = try await workspace.device(global)
    try workspace.ask { (here) throws(StoreError) in
      try here.queue.setShuffle(state == .on, seed: UInt64.random(in: 0...UInt64.max), for: device.id)
    }
  }
}
