import CastSender
import CastqFeeding
import CastqPlaylists
import CastqStore

/// The requests of clients: the socket at which they arrive, and the tickets of those that have no reply yet.
struct SiteRequests {
  /// Those who watch the devices.
  let board: StatusBoard
  /// Where clients ask; nil where they cannot.
  private(set) var server: ControlServer?
  private var tickets = TicketBook()

  init(_ board: StatusBoard) { self.board = board }

  /// How many clients there are.
  var clients: Int { server?.clients ?? 0 }

  /// Serves live commands; fails without a usable socket path.
  /// - Parameter device: the only one; nil for all.
  static func serve(
    _ device: DeviceID?, _ health: SiteHealth, _ inbox: SiteInbox, _ board: StatusBoard,
    _ settings: DaemonSettings
  ) async throws(ControlSocketError) -> ControlServer {
    let database = health.database
    let path = try SocketPath.choose(
      database: database.path, device: device, runtime: settings.runtimeFolder)
    let watch = StatusWatch(
      // None while the database cannot be read.
      devices: { await database.executor.run { (try? DeviceStore(database).all().map(\.id)) ?? [] } },
      only: device, board: board, boot: String(UInt64.random(in: 0...(.max)), radix: 16),
      time: settings.time
    ) { await inbox.reply(to: $0) }
    let counted = CountedText(inbox: inbox, registry: settings.metrics)
    var limits = ControlServer.Limits()
    limits.connections = settings.shares.controlClients
    let server = try await ControlServer.start(
      path: path, limits: limits,
      watch: { request in
        if case .metrics = request.command { return counted.pieces() }
        return watch.replies(to: request)
      }
    ) { request in
      if case .health = request.command { return .done(await health.document()) }
      return await inbox.reply(to: request)
    }
    health.locks.announce(socket: path)
    return server
  }

  /// Clients ask here.
  mutating func open(_ server: ControlServer) { self.server = server }

  // MARK: - Tickets

  mutating func add(_ ticket: ControlTicket) -> TicketID { tickets.add(ticket) }

  mutating func take(_ id: TicketID) -> ControlTicket? { tickets.take(id) }

  mutating func answer(_ id: TicketID, _ reply: ControlReply) { tickets.answer(id, reply) }

  /// Releases the rest, which fails clients that still wait.
  mutating func close() { tickets.close() }
}
