import CastProtocol
import CastSender
import CastqFeeding
import CastqLink
import CastqPostgres
import CastqStore
import CastqText

/// Sends the plays of this site to the centre, as `UplinkMachine` decides. SQLite blocks its caller: the actor runs on the store's own
/// thread, and waits for the centre without it.
actor Uplink {
  private let database: Database
  private let outbox: OutboxStore
  private let site: String
  private let centre: CentreLine
  private let time: TimeSource
  private var machine = UplinkMachine()
  /// Whether this link has sent a batch, now or before.
  private var hasSent: Bool
  /// Rounds without anything to send since the centre was last told how much waits.
  private var quietRounds = 0

  /// Every so many idle rounds the centre notes that this site is there.
  private static let roundsBetweenNotes = 30

  /// - Parameter hasSent: whether the centre has something that this link has sent.
  init(
    _ database: Database, site: String, address: CentreAddress, hasSent: Bool, time: TimeSource = .continuous
  ) {
    self.database = database
    outbox = OutboxStore(database)
    self.site = site
    self.hasSent = hasSent
    centre = CentreLine(address: address, name: "castq-link \(site)")
    self.time = time
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { database.executor.asUnownedSerialExecutor() }

  /// Runs until its task is cancelled.
  func run() async throws {
    try await withTaskCancellationHandler {
      try await send()
    } onCancel: {
      // A program that is to end does not wait for a server that stands still.
      centre.abort()
    }
  }

  private func send() async throws {
    var event = UplinkMachine.Event.woke
    while !Task.isCancelled {
      var next: UplinkMachine.Event?
      for action in machine.handle(event, random: .random(in: 0...1), at: time.now()) {
        do throws(StoreError) {
          next = try await perform(action) ?? next
        } catch {
          // A site's own database that is held or full now may not be so in a while.
          next = .held(Failure(error).typed.shown.message)
          break
        }
        if case .wait(let pause) = action {
          try await time.sleep(pause)
          next = .woke
        }
      }
      event = next ?? .woke
    }
    // The program ends; what the centre has is removed all the same, or a link under another name would send it again.
    if case .committed(let numbers) = event { try? outbox.remove(numbers) }
  }

  private func perform(_ action: UplinkMachine.Action) async throws(StoreError) -> UplinkMachine.Event? {
    switch action {
    case .connect: return await connect()
    case .disconnect:
      await centre.disconnect()
      return nil
    case .send(let limit): return try await send(limit)
    case .remove(let numbers):
      try outbox.remove(numbers)
      quietRounds = Self.roundsBetweenNotes
      return nil
    case .setAside(let seq, let words):
      try outbox.setAside([seq], AddressText.withoutSecrets(words))
      return nil
    case .renumber(let first, let highest):
      try outbox.renumber(from: first, above: highest)
      return nil
    case .renumberBack(let first, let lowest):
      try outbox.renumberBack(from: first, above: lowest)
      return nil
    case .wait: return nil
    case .report(let words):
      guard !Task.isCancelled else { return nil }
      LinkOutput.say("castq-link: \(words)")
      return nil
    }
  }

  private func connect() async -> UplinkMachine.Event {
    do throws(PostgresError) {
      let version = try await centre.connect()
      guard version == Centre.version else {
        return .denied(
          "has tables of version \(version), and this castq-link needs \(Centre.version): \(Self.remedy(version))"
        )
      }
      quietRounds = Self.roundsBetweenNotes
      return .connected
    } catch {
      return error.isOfSchema
        ? .denied("has no tables of castq: run 'castq-link migrate'") : Self.trouble(error)
    }
  }

  private static func trouble(_ error: PostgresError) -> UplinkMachine.Event {
    if error.isOfConnection {
      return .denied("refuses the connection: \(error.words); \(Failure.connectionAdvice)")
    }
    return error.isOfSilence ? .failed(error.words) : .denied("refuses: \(error.words)")
  }

  private static func remedy(_ version: Int) -> String {
    version > Centre.version ? "install a newer castq-link" : "run 'castq-link migrate'"
  }

  private func send(_ limit: Int) async throws(StoreError) -> UplinkMachine.Event {
    let batch = try outbox.read(limit: limit)
    for damage in database.takeDamage() { LinkOutput.say("castq-link: \(damage)") }
    if !batch.damaged.isEmpty { try outbox.setAside(batch.damaged, "its row is damaged or gone") }
    let plays = batch.plays
    guard let first = plays.first else {
      return batch.damaged.isEmpty ? try await note() : .woke
    }
    do throws(PostgresError) {
      if !hasSent, let refusal = try await refuseRepeats(plays) { return refusal }
      let receipt = try await centre.insert(plays.map { ($0.seq, CentreColumns.of($0)) }, of: site)
      if let ahead = receipt.ahead { return .ahead(first: ahead.first, above: ahead.above) }
      hasSent = true
      if let clash = receipt.clash {
        return .clashed(first: clash.first, count: clash.count, highest: clash.highest)
      }
      return .committed(plays.map(\.seq))
    } catch {
      guard error.isOfData else { return Self.trouble(error) }
      return .refused(first: first.seq, count: plays.count, error.words)
    }
  }

  /// The first batch of a link that was ended and begun again must not come as other plays than those that are there.
  private func refuseRepeats(
    _ plays: [OutboxPlay]
  ) async throws(PostgresError) -> UplinkMachine.Event? {
    let count = try await centre.countRepeats(of: plays.map { ($0.seq, CentreColumns.of($0)) }, of: site)
    guard count > 0 else { return nil }
    return .denied(
      "has \(count) of \(plays.count) plays of \(site) under other numbers, which an earlier link has sent: they would count twice; "
        + "docs/link.md says what to do ('A new link')")
  }

  private func note() async throws(StoreError) -> UplinkMachine.Event {
    quietRounds += 1
    guard quietRounds > Self.roundsBetweenNotes else { return .idle }
    let link = try outbox.link()
    do throws(PostgresError) {
      try await centre.heard(site, waiting: link?.waiting ?? 0, refused: link?.refused ?? 0)
      quietRounds = 0
      return .idle
    } catch { return Self.trouble(error) }
  }
}
