import ArgumentParser
import CastqFeeding
import CastqLink
import CastqOperations
import CastqPostgres
import CastqStore
import CastqText

/// `castq-link unlink`
struct UnlinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "End the link of this site: plays are put into the outbox no more.",
    discussion: """
      What waits keeps its number: a new link, under this name or another, sends that and what was played since, and no play twice. While \
      plays wait, the centre is asked whether it has them already; when it does not answer, the link stays. With --forget nothing is \
      asked, and a new link sends every play of history, as to a new centre. The broker is asked to forget what it keeps of the site and its \
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
      throw Failure(error)
    }
    defer { lock.release() }
    let outbox = OutboxStore(database)
    let linked: String?
    do throws(StoreError) { linked = try outbox.link()?.site } catch { throw Failure(error) }
    if let linked, !forget { try removeSent(outbox, of: linked, rules) }
    do throws(StoreError) { try outbox.close(isForgetting: forget) } catch { throw Failure(error) }
    guard let address = rules.mqtt, let site = linked ?? rules.site else { return }
    let sweep = BrokerSweep(
      try global.broker(address, site: site, hasWill: false), site: site, discovery: rules.discovery)
    guard let reason = await sweep.run() else { return }
    throw Failure(
      "broker",
      "the broker may still keep what it has of \(site): \(reason); with that name in the configuration, 'castq-link unlink' asks again",
      exit: .unreachable)
  }

  /// A link that was killed may not have heard that its last batch has come: those plays wait here, and are there.
  private func removeSent(_ outbox: OutboxStore, of site: String, _ rules: LinkRules) throws(Failure) {
    guard let address = rules.postgres else { return }
    let waiting: [OutboxPlay]
    do throws(StoreError) { waiting = try outbox.read(limit: UplinkMachine.batch).plays } catch {
      throw Failure(error)
    }
    guard !waiting.isEmpty else { return }
    let there: [Int64]
    do throws(PostgresError) {
      let centre = Centre(try PostgresConnection(global.address(address), name: "castq-link \(site)"))
      there = try centre.numbersThatAreThere(
        among: waiting.map { ($0.seq, CentreColumns.of($0)) }, of: site)
    } catch {
      // A centre without the tables of castq has no play. One that knows the role no more has given what it had to another name, under
      // the same numbers.
      guard !error.isOfSchema, !error.isOfConnection else { return }
      let failure = Failure(error)
      throw Failure(
        failure.code,
        "\(failure.typed.message); plays of \(site) wait, and the centre may have some of them already: the link stays; 'castq-link unlink --forget' ends it all the same",
        exit: failure.exit)
    }
    do throws(StoreError) { try outbox.remove(there) } catch { throw Failure(error) }
  }
}
