import CastProtocol
import CastSender
import CastqPostgres
import CastqStore

/// The connection of a site with its centre. libpq blocks its caller, so the actor has a thread of its own: nothing else of the site waits
/// for a centre that is slow or stands still.
actor CentreLine {
  private let executor = StoreExecutor()
  private let address: CentreAddress
  private let name: String
  private let interrupt = PostgresInterrupt()
  private var centre: Centre?

  /// How long the centre may take for one batch.
  private static let patience = Duration.seconds(60)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - address: of the server.
  ///   - name: what the server calls this connection.
  init(address: CentreAddress, name: String) {
    self.address = address
    self.name = name
  }

  /// Connects anew.
  /// - Returns: the version of the centre's tables.
  func connect() throws(PostgresError) -> Int {
    centre = nil
    let centre = Centre(
      try PostgresConnection(
        address, name: name, patience: .init(Self.patience, by: TimeSource.continuous.now),
        interrupt: interrupt))
    let version = try centre.version()
    self.centre = centre
    return version
  }

  /// Ends what it waits for, for good. Safe from anywhere.
  nonisolated func abort() { interrupt.raise() }

  func disconnect() { centre = nil }

  func insert(_ plays: [(seq: Int64, columns: JSONValue)], of site: String) throws(PostgresError)
    -> Centre.Receipt
  {
    try connected().insert(plays, of: site)
  }

  func countRepeats(of plays: [(seq: Int64, columns: JSONValue)], of site: String) throws(PostgresError)
    -> Int
  {
    try connected().countRepeats(of: plays, of: site)
  }

  func heard(_ site: String, waiting: Int, refused: Int) throws(PostgresError) {
    try connected().heard(site, waiting: waiting, refused: refused)
  }

  private func connected() throws(PostgresError) -> Centre {
    guard let centre else { throw PostgresError(words: "there is no connection", state: nil) }
    return centre
  }
}
