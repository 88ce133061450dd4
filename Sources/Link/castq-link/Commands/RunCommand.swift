import ArgumentParser
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqStore
import CastqText
import UnixSignals

/// `castq-link run`
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Send plays to the centre and states to the broker, for ever.",
    discussion: """
      At the first run with a centre, every play of the past is sent, too. While the centre or the broker is away, plays wait in the \
      database of the site and screens play on.
      """)

  @OptionGroup var global: LinkOptions

  func run() async throws {
    LinkOutput.beginService()
    let rules = try global.rules()
    let site = try global.site(rules)
    guard rules.postgres != nil || rules.mqtt != nil || rules.bundle != nil || rules.bundleKey != nil else {
      throw Failure(
        "configuration",
        "\(global.configurationPath) links \(site) with nothing; write link: {postgres: URL, mqtt: URL, bundle: URL}",
        exit: .configuration)
    }
    global.sayWeaknesses(rules)
    let database = try global.database()
    let lock = try lock(database)
    defer { lock.release() }
    let uplink = try rules.postgres.map { (address) throws(Failure) in
      try open(database, site: site, address: address)
    }
    // Also without an address: a person may apply a bundle that waits for its time.
    let bundles =
      rules.bundle == nil && rules.bundleKey == nil
      ? nil : BundleFollower(try BundleCommand.desk(global, rules), source: rules.bundle)
    let face = try rules.mqtt.map { (address) throws(Failure) in
      try connect(site: site, address: address, rules) { bundles?.look() }
    }
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    if !global.quiet { LinkOutput.say("castq-link: ready as \(site)") }
    try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
      if let uplink {
        group.addTask {
          try await uplink.run()
          return nil
        }
      }
      if let face {
        group.addTask {
          await face.run()
          return nil
        }
      }
      if let bundles {
        group.addTask {
          await bundles.run()
          return nil
        }
      }
      if let lease = try LeaseWatch.inherited() {
        group.addTask {
          await lease.endUnlessCancelled() == nil ? nil : .terminated
        }
      }
      group.addTask {
        for await signal in signals { return signal == .sigint ? .interrupted : .terminated }
        return nil
      }
      var ending: ExitStatus?
      while let status = try? await group.next() {
        guard let status, ending == nil else { continue }
        ending = status
        group.cancelAll()
      }
      throw SilentEnd(exit: ending ?? .bug)
    }
  }

  /// Two links of one site would push each other off the broker, and send the same plays.
  private func lock(_ database: Database) throws(Failure) -> DatabaseLock {
    do throws(StoreError) { return try DatabaseLock(.link, of: database) } catch {
      throw Failure(error)
    }
  }

  private func open(_ database: Database, site: String, address: String) throws(Failure) -> Uplink {
    let outbox = OutboxStore(database)
    let known: OutboxStore.Link?
    do throws(StoreError) {
      try outbox.open(site: site, at: .now)
      known = try outbox.link()
    } catch { throw Failure(error) }
    guard let known, known.site == site else {
      throw Failure(
        "configuration",
        "\(database.path) is linked as \(known?.site ?? "nothing"), and the configuration says \(site); 'castq-link unlink' ends that link, and a new one sends what that one has not sent",
        exit: .configuration)
    }
    return Uplink(database, site: site, address: global.address(address), hasSent: known.cursor > 0)
  }

  private func connect(
    site: String, address: String, _ rules: LinkRules, announced: @escaping @Sendable () -> Void
  ) throws(Failure) -> LiveFace {
    LiveFace(
      try BrokerControl(global.call), site: site, client: try global.broker(address, site: site),
      discovery: rules.discovery, announced: announced)
  }
}
