import ArgumentParser
import CastqCore
import CastqStore

/// `castq-link unlink`
struct UnlinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "End the link of this site: plays are put into the outbox no more.",
    discussion: """
      What waits keeps its number: a new link, under this name or another, sends that and what was played since, and no play twice. With \
      --forget it sends every play of history, as to a new centre. The broker is asked to forget what it keeps of the site and its \
      devices. End 'castq-link run' before.
      """)

  @OptionGroup var global: LinkOptions

  @Flag(help: "Forget what was sent: a new link sends every play again, under new numbers.")
  var forget = false

  func run() async throws {
    let rules = try global.rules()
    let database = try global.database()
    // Beside a link that runs, the site would fall silent: that one begins no link anew.
    let lock: DatabaseLock
    do throws(StoreError) { lock = try DatabaseLock(.link, of: database) } catch {
      throw ControlFailure(error)
    }
    defer { lock.release() }
    let outbox = OutboxStore(database)
    let linked: String?
    do throws(StoreError) {
      linked = try outbox.link()?.site
      try outbox.close(isForgetting: forget)
    } catch { throw ControlFailure(error) }
    guard let address = rules.mqtt, let site = linked ?? rules.site else { return }
    let sweep = BrokerSweep(
      try global.broker(address, site: site, hasWill: false), site: site, discovery: rules.discovery)
    guard let reason = await sweep.run() else { return }
    throw ControlFailure(
      "broker",
      "the broker may still keep what it has of \(site): \(reason); with that name in the configuration, 'castq-link unlink' asks again",
      exit: .unreachable)
  }
}
