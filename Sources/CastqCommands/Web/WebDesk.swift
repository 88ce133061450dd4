import CastGuard
import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore
import CastqDocuments

/// Answers the page and the API, by the commands that answer people.
struct WebDesk: WebDocuments {
  let global: GlobalOptions
  let calls: CommandCall
  let board: StatusFeed
  private let executor = CommandExecutor()
  /// Reading is quick; changes may wait for a television, and announcements for all of them. Each kind has its own places, so that none
  /// waits for another: names are read before each command, and what devices or the network are asked may take long.
  private let naming = Slots(8)
  private let reading = Slots(8)
  private let asking = Slots(8)
  private let fetching = Slots(8)
  private let changing = Slots(32)
  private let announcing = Slots(32)
  var orders: OrderMemory { board.orders }
  let art: ArtBook

  init(_ global: GlobalOptions) throws(Failure) {
    self.global = global
    calls = CommandCall(global)
    let workspace = try Workspace(global, isReader: true)
    board = StatusFeed(global, workspace, executor)
    let choices = try? ConfigurationFile(global).read().get().programs
    let ffmpeg = choices.map(Environment.programs)?.ffmpeg
    let scaler = ffmpeg.map { PictureScaler($0, folder: Environment.value("TMPDIR") ?? "/tmp") }
    art = ArtBook(scaler) { await LocalPlaces.showing($0, global, workspace) }
  }

  func answer(_ question: WebQuestion) async throws(ControlFailure) -> WebDocument {
    let slots = slots(for: question)
    await slots.enter()
    let result = await withTaskExecutorPreference(executor) {
      await Result.catching { () async throws(ControlFailure) in try await perform(question) }
    }
    slots.leave()
    // Whoever changed something need not wait until the rows are looked at again.
    if question.isChange { await board.readRows() }
    return try result.get()
  }

  func check(_ question: WebQuestion) throws(ControlFailure) {
    switch question {
    case .command(let device, let object):
      let (name, options, arguments) = try RemoteVerb.words(object)
      try calls.check(name, options: options + ["--device=\(device)"], arguments)
    case .announce(let object, let isProgramme):
      let (options, source) = try Self.announcement(object, isProgramme)
      try calls.check(["announce"], options: options, [source])
    default: break
    }
  }

  private func slots(for question: WebQuestion) -> Slots {
    switch question {
    case .announce: announcing
    case .device, .rule, .list: naming
    case .art, .check: fetching
    default: question.isChange ? changing : question.asksDevices ? asking : reading
    }
  }

  func news(watching watched: AsyncStream<WebInterest>) -> AsyncStream<WebNews> {
    board.news(watching: watched)
  }

  private func perform(_ question: WebQuestion) async throws(ControlFailure) -> WebDocument {
    switch question {
    case .devices: return try await devices()
    case .scan: return try await document(["devices"], ["--scan=2s"])
    case .device(let name): return try await document(["device", "show"], [], [name])
    case .status(let name, let isLive):
      return isLive
        ? try await document(["status"], on: name) : WebDocument(try await board.document(of: name))
    case .statuses(let isLive):
      return isLive
        ? try await document(["status"], ["--all"]) : WebDocument(try await board.documents())
    case .queue(let name, let since, let from, let count):
      return try queue(name, since: since, from: from, count: count)
    case .history(let options): return try await document(["history"], Self.words(options))
    case .report(let kind, let options):
      guard Self.reports.contains(kind) else {
        throw ControlFailure(
          "unknown",
          "there is no report \(TerminalText.excerpt(kind)); there are \(Self.reports.joined(separator: ", "))",
          exit: .badData)
      }
      let rest = WebOptions(options.values.filter { $0.name != "format" })
      guard let format = options["format"], format != "json" else {
        return try await document(["report", kind], Self.words(rest))
      }
      guard format == "csv" else { throw ControlFailure("usage", "the format is json or csv", exit: .usage) }
      let text = try await calls.document(["report", kind], options: Self.words(rest), format: "--csv")
      var table = WebDocument(text: "")
      table.bytes = (type: "text/csv; charset=utf-8", bytes: Array(text.utf8))
      return table
    case .plan(let options): return try await document(["plan"], Self.words(options))
    case .why(let what, let options):
      return try await document(["why"], Self.words(options), what.map { [$0] } ?? [])
    case .list(let list): return try await document(list.command, [])
    case .rule(let name):
      let answer = try await document(["schedule", "show"], [], [name])
      return WebDocument(text: answer.text, version: answer.json["revision"]?.int.map { "\($0)" })
    case .programme(let name): return try await document(["programme", "show"], [], [name])
    case .preview(let name, let object): return try preview(name, object)
    case .doctor(let name):
      let text = try await calls.document(
        ["doctor"], options: ["--no-launch"] + (name.map { ["--device=\($0)"] } ?? []))
      return WebDocument(text: text)
    case .check(let sources):
      return try await document(["check"], [], try Self.checked(sources))
    case .metrics: return WebDocument(["text": .string(try await daemonMetrics())])
    case .health: return WebDocument(try await daemonHealth())
    case .art(let digest, let width): return try await picture(digest, width: width)
    case .command, .enqueue, .move, .remove, .removeAll, .restore, .putRule, .removeRule, .enable, .exception,
      .announce:
      return try await change(question)
    }
  }

  private static let reports = ["plays", "gaps", "outages", "adherence", "share"]

  /// What a command prints.
  func document(
    _ name: [String], _ options: [String] = [], _ arguments: [String] = [], on device: String? = nil
  ) async throws(ControlFailure) -> WebDocument {
    let options = options + (device.map { ["--device=\($0)"] } ?? [])
    let text = try await calls.document(name, options: options, arguments)
    return WebDocument(text: text.isEmpty ? "{}" : text)
  }

  private static func words(_ options: WebOptions) -> [String] {
    options.values.map { "--\($0.name)=\($0.value)" }
  }

  /// Sources that mean the same wherever the server was started.
  static func checked(_ sources: [String]) throws(ControlFailure) -> [String] {
    for source in sources where !source.contains("://") && !source.hasPrefix("/") {
      throw ControlFailure(
        "usage", "'\(TerminalText.excerpt(source))' is neither an address nor an absolute path", exit: .usage)
    }
    guard !sources.isEmpty, sources.count <= 1000 else {
      throw ControlFailure("usage", "name 1 to 1000 sources", exit: .usage)
    }
    return sources
  }

  // MARK: - Rows

  /// Runs a body on the rows.
  func ask<Value>(_ body: (Workspace) throws(Failure) -> Value) throws(ControlFailure) -> Value {
    do throws(Failure) { return try body(try Workspace(global)) } catch { throw error.shown }
  }

  /// Reads rows by the connection of the feed, which writes nothing: opening the file takes longer than most reads.
  private func look<Value>(_ body: (Workspace) throws(Failure) -> Value) throws(ControlFailure) -> Value {
    do throws(Failure) { return try body(board.workspace) } catch { throw error.shown }
  }

  /// The known devices. A page never waits for a search of the network.
  private func devices() async throws(ControlFailure) -> WebDocument {
    let devices = try look { (here) throws(Failure) in try here.listedDevices(global) }
    return WebDocument(DevicesCommand.document(await board.workspace.heard(devices, global)))
  }

  /// A part of a queue.
  private func queue(
    _ name: String, since: Int64?, from: Int, count: Int
  ) throws(ControlFailure) -> WebDocument {
    try look { (here) throws(Failure) in
      let device = try here.ask { (here) throws(StoreError) in try here.devices.device(matching: name) }
      let part = try here.ask { (here) throws(StoreError) in
        try here.queue.part(of: device.id, from: from, count: count, since: since)
      }
      orders.keep(part.order, of: device.id)
      let entries = try part.entries.map { (entries) throws(Failure) in
        try here.ask { (here) throws(StoreError) in try here.filled(entries) }
      }
      let resolvers = Resolvers.rules(global)
      for entry in entries ?? [] { art.keep(entry, resolvers) }
      return WebDocument(JSONOutput.queue(entries, from: from, of: part.order, part.settings, on: device))
    }
  }
}

extension WebList {
  /// The command that prints it.
  fileprivate var command: [String] {
    switch self {
    case .rules: ["schedule", "ls"]
    case .programmes: ["programme", "ls"]
    case .groups: ["group", "ls"]
    case .dayparts: ["daypart", "ls"]
    case .calendars: ["calendar", "ls"]
    case .shares: ["share", "ls"]
    }
  }
}
