import CastGuard
import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqStore
import CastqText

/// Answers the page and the API, by the operations that commands print for people.
struct WebDesk: WebDocuments {
  let global: CallOptions
  let board: StatusFeed
  private let executor = OperationExecutor()
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
  let library: MediaLibrary
  let shelf: ProgrammeShelf
  /// Nil where the page starts no daemon.
  let daemonStart: DaemonStart?
  let daemonService: String?

  init(_ options: CallOptions, _ settings: WebSettings) throws(Failure) {
    let global = options.serving
    self.global = global
    let workspace = try Workspace(global, isReader: true)
    daemonStart = settings.daemon.map { DaemonStart($0, of: workspace.database) }
    daemonService = settings.daemonService
    board = StatusFeed(global, workspace, executor)
    let choices = try? ConfigurationFile(global).read().get().programs
    let ffmpeg = choices.map(Environment.programs)?.ffmpeg
    let scaler = ffmpeg.map { PictureScaler($0, folder: Environment.value("TMPDIR") ?? "/tmp") }
    let files = FileArt(global, workspace, hasFrames: true)
    art = ArtBook(scaler, files) { await LocalPlaces.showing($0, global, workspace) }
    library = MediaLibrary(global, workspace, art)
    shelf = ProgrammeShelf(global, library, art)
  }

  func answer(_ question: WebQuestion) async throws(Failure) -> WebDocument {
    try await answer(question) { _ in }
  }

  func answer(
    _ question: WebQuestion, step: @escaping @Sendable (JSONValue) async -> Void
  ) async throws(Failure) -> WebDocument {
    let result = await result(in: slots(for: question)) { () async throws(Failure) in
      if case .announce(let object, let isProgramme) = question {
        return try await announce(object, isProgramme, step)
      }
      return try await perform(question)
    }
    // Whoever changed something need not wait until the rows are looked at again.
    if question.isChange { await board.readRows() }
    return try result.get()
  }

  func device(_ name: String) async throws(Failure) -> KnownDevice {
    let found = await result(in: naming) { () async throws(Failure) in
      try await board.workspace.known(name)
    }
    return try found.get()
  }

  private func result<Value: Sendable>(
    in slots: Slots, _ body: @Sendable () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    await slots.enter()
    defer { slots.leave() }
    // A failure may quote playlists, receivers and addresses.
    return await withTaskExecutorPreference(executor) { await Result.catching(body).mapError(\.shown) }
  }

  func check(_ question: WebQuestion) throws(Failure) {
    switch question {
    case .command(_, let object): _ = try PlaybackVerb(object)
    case .announce(let object, let isProgramme): _ = try Self.announcement(object, isProgramme)
    default: break
    }
  }

  private func slots(for question: WebQuestion) -> Slots {
    switch question {
    case .announce: announcing
    case .device, .rule, .list: naming
    case .art, .check, .library, .programmeShelf: fetching
    default: question.isChange ? changing : question.asksDevices ? asking : reading
    }
  }

  func news(watching watched: AsyncStream<WatchInterest>) -> AsyncStream<WatchNews> {
    board.news(watching: watched)
  }

  private func perform(_ question: WebQuestion) async throws(Failure) -> WebDocument {
    switch question {
    // A page never waits for a search of the network, unless somebody asked for it.
    case .devices: return WebDocument(try await DeviceListing(board.workspace, global, .never).json)
    case .scan: return WebDocument(try await DeviceListing(stores(), global, .always(Self.search)).json)
    case .device(let name): return try await device(name)
    case .status(let name, let isLive):
      return WebDocument(try await isLive ? liveStatus(of: name) : board.document(of: name))
    case .statuses(let isLive):
      return WebDocument(try await isLive ? liveStatuses() : board.documents())
    case .queue(let name, let since, let from, let count):
      return try queue(name, since: since, from: from, count: count)
    case .history(let options): return try await history(WebQuery(options))
    case .report(let kind, let options): return try await report(kind, options)
    case .paper(let paper, let options): return try await self.paper(paper, options)
    case .proof(let options): return try await proof(WebQuery(options))
    case .plan(let options): return try await plan(WebQuery(options))
    case .why(let what, let options): return try await why(WebQuery.question(what), WebQuery(options))
    case .list(let list):
      return WebDocument(try schedule { (call) throws(Failure) in try call.document(list) })
    case .rule(let name):
      return Self.rule(try schedule { (call) throws(Failure) in try call.ruleDocument(name) })
    case .programme(let name):
      return WebDocument(try schedule { (call) throws(Failure) in try call.programmeDocument(name) })
    case .library(let query):
      return WebDocument(try await library.document(query) { [shelf] in await shelf.ads() })
    case .programmeShelf: return WebDocument(try await shelf.document())
    case .preview(let name, let object): return try preview(name, object)
    case .doctor(let name, let isPaged):
      var call = global
      call.device = name.map { [$0] } ?? []
      return WebDocument(try await Examination.report(call, launch: false).json(isPaged: isPaged))
    case .check(let sources): return try await check(try Self.checked(sources))
    case .metrics: return WebDocument(["text": .string(try await daemonMetrics())])
    case .health: return WebDocument(try await daemonHealth())
    case .daemon: return WebDocument(daemonPresence)
    case .art(let digest, let width): return try await picture(digest, width: width)
    case .command, .enqueue, .move, .remove, .removeAll, .restore, .putRule, .editRule, .copyRule,
      .removeRule, .enable, .exception, .announce, .addDevice, .makeProgramme, .addToProgramme,
      .removeProgramme, .startDaemon:
      return try await change(question)
    }
  }

  /// Sources that mean the same wherever the server was started.
  static func checked(_ sources: [String]) throws(Failure) -> [String] {
    for source in sources where !source.contains("://") && !source.hasPrefix("/") {
      throw Failure(
        "usage", "'\(TerminalText.excerpt(source))' is neither an address nor an absolute path", exit: .usage)
    }
    guard !sources.isEmpty, sources.count <= 1000 else {
      throw Failure("usage", "name 1 to 1000 sources", exit: .usage)
    }
    return sources
  }

  // MARK: - Rows

  /// The stores, open for as long as the page is; opened anew where they may only be read, because that may have changed.
  func stores() throws(Failure) -> Workspace {
    board.workspace.database.isReadOnly ? try Workspace(global) : board.workspace
  }

  /// Runs a body on the rows.
  func ask<Value>(_ body: (Workspace) throws(Failure) -> Value) throws(Failure) -> Value {
    try body(stores())
  }

  /// A device of the ledger, or of the configuration, and the stores.
  func named(_ device: String) async throws(Failure) -> (CallOptions, Workspace, KnownDevice) {
    var call = global
    call.device = [device]
    let site = try stores()
    return (call, site, try await site.device(call))
  }

  /// Asks the schedule, by the connection of the feed, which writes nothing: opening the file takes longer than most reads.
  private func schedule<Value>(
    _ body: (ScheduleCall) throws(Failure) -> Value
  ) throws(Failure) -> Value { try body(ScheduleCall(global, board.workspace)) }

  /// A rule, with its revision.
  static func rule(_ document: JSONValue) -> WebDocument {
    WebDocument(document, version: document["revision"]?.int.map { "\($0)" })
  }

  private func device(_ name: String) async throws(Failure) -> WebDocument {
    let here = board.workspace
    return WebDocument(try here.document(try await here.known(name), global))
  }

  private func history(_ query: WebQuery) async throws(Failure) -> WebDocument {
    let (asked, outcome, limit) = (try query.period(), try query.outcome(), try query.limit())
    let (call, here) = (query.call(global), board.workspace)
    let filter = try await here.filter(
      call, asked.read(call, isShown: false), outcome: outcome, limit: limit)
    let plays = try here.ask { (here) throws(StoreError) in try here.history.plays(matching: filter) }
    return WebDocument(JSONOutput.plays(plays))
  }

  private func plan(_ query: WebQuery) async throws(Failure) -> WebDocument {
    let asked = try query.plan()
    return WebDocument(text: try await PlanRun(query.call(global), asked, board.workspace).json())
  }

  private func why(_ question: WhyQuestion?, _ query: WebQuery) async throws(Failure) -> WebDocument {
    let zone = try query.namedZone()
    let run = try WhyRun(query.call(global), tz: zone, board.workspace)
    return WebDocument(try await run.reply(question).json)
  }

  private func report(_ name: String, _ options: WebOptions) async throws(Failure) -> WebDocument {
    guard let kind = ReportRun.Kind(rawValue: name) else {
      let known = ReportRun.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        "unknown", "there is no report \(TerminalText.excerpt(name)); there are \(known)", exit: .badData)
    }
    let format = options["format"] ?? "json"
    guard ["json", "csv"].contains(format) else {
      throw Failure("usage", "the format is json or csv", exit: .usage)
    }
    let query = WebQuery(options)
    let (period, key) = (try query.period(), try query.key(of: kind.keys))
    let call = query.call(global)
    let report = try await ReportRun(call, period.read(call), board.workspace).document(kind, by: key)
    return format == "csv" ? Self.table(report) : WebDocument(report.json)
  }

  private static func table(_ report: ReportDocument) -> WebDocument {
    var table = WebDocument(text: "")
    table.bytes = (
      type: "text/csv; charset=utf-8", bytes: Array(report.csv.joined(separator: "\n").utf8)
    )
    return table
  }

  private func paper(_ paper: Paper, _ options: WebOptions) async throws(Failure) -> WebDocument {
    let query = WebQuery(options)
    let period = try query.period()
    let call = query.call(global)
    let made = try await ReportRun(call, period.read(call), board.workspace).paper(paper)
    return options["format"] == "csv" ? Self.table(made.table) : WebDocument(made.json)
  }

  /// Bytes of a proof that a browser is given; the command line writes longer ones.
  private static let longestProof = 64 << 20

  private func proof(_ query: WebQuery) async throws(Failure) -> WebDocument {
    let period = try query.period()
    do {
      let (call, here) = (query.call(global), board.workspace)
      let asked = try period.read(call)
      var writer = ProofWriter(
        key: try SiteKey(database: call.databasePath), site: ProofWriter.hostName, since: asked.since,
        until: asked.until)
      var devices: [KnownDevice] = []
      for name in try call.expandedDevices() { devices.append(try await here.device(name, adding: false)) }
      if !devices.isEmpty { writer.select(devices) }
      var file = WebDocument(text: "")
      file.bytes = (
        type: "application/x-ndjson",
        bytes: try writer.bytes(ProofStore(here.database), limit: Self.longestProof)
      )
      return file
    } catch let error as SiteKeyError {
      throw Failure(error)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure("bug", "the proof failed: an error of the type \(type(of: error))", exit: .bug)
    }
  }

  private static let search = Duration.seconds(2)

  /// Asks a device, or who feeds it.
  private func liveStatus(of name: String) async throws(Failure) -> JSONValue {
    var call = global
    call.device = [name]
    let here = try stores()
    let device = try await here.device(call)
    let look = StatusLook(call: DeviceCall(device, in: here, call), options: DeviceCall.observing(call))
    return try await here.status(of: device, look, call).state.json
  }

  private func liveStatuses() async throws(Failure) -> JSONValue {
    let (states, failures) = try await stores().statuses(global)
    if states.isEmpty, let failure = failures.last { throw failure }
    return ["devices": .array(states.map(\.json))]
  }

  /// What is wrong with what somebody wants to play.
  private func check(_ sources: [String]) async throws(Failure) -> WebDocument {
    let report = try await MediaCheck(call: global, request: SourceRequest(sources: sources)).report()
    if let failure = report.list.subtitleFailure { throw failure }
    return WebDocument(report.json)
  }

  /// A part of a queue.
  private func queue(
    _ name: String, since: Int64?, from: Int, count: Int
  ) throws(Failure) -> WebDocument {
    let here = board.workspace
    let (device, part, entries) = try here.ask { (here) throws(StoreError) in
      let device = try here.devices.device(matching: name)
      let part = try here.queue.part(of: device.id, from: from, count: count, since: since)
      return (device, part, try part.entries.map { (entries) throws(StoreError) in try here.filled(entries) })
    }
    orders.keep(part.order, of: device.id)
    let resolvers = Resolvers.rules(global)
    for entry in entries ?? [] { art.keep(entry, resolvers) }
    return WebDocument(JSONOutput.queue(entries, from: from, of: part.order, part.settings, on: device))
  }
}
