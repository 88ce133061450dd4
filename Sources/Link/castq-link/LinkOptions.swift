import ArgumentParser
import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPostgres
import CastqStore
import CastqText
import Glibc

/// Options of every command.
struct LinkOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The SQLite file of this site.", valueName: "path"), completion: .file())
  var db: String?

  @Option(
    help: ArgumentHelp("The configuration file.", valueName: "path"),
    completion: .file(extensions: ["yaml", "yml", "json"]))
  var config: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(name: [.customShort("q"), .long], help: "Print fewer messages.")
  var quiet = false

  /// What its calls of castq are about.
  var call: CallOptions {
    var call = CallOptions()
    (call.db, call.config, call.quiet) = (db, config, quiet)
    // Problems of single entries are printed for people.
    call.json = true
    return call
  }

  var databasePath: String { call.databasePath }

  var configurationPath: String { ConfigurationFile(call).path }

  /// What the configuration says of the link; nothing where there is no file.
  func rules() throws(Failure) -> LinkRules { try ConfigurationFile(call).link().get() }

  /// The name of this site.
  func site(_ rules: LinkRules) throws(Failure) -> String {
    if let site = rules.site { return site }
    throw Failure(
      "configuration", "\(configurationPath) names no site; write link: {site: NAME, postgres: URL}",
      exit: .configuration)
  }

  /// The centre.
  func centre(_ rules: LinkRules) throws(Failure) -> Centre {
    guard let address = rules.postgres else {
      throw Failure(
        "configuration", "\(configurationPath) names no centre; write link: {postgres: URL}",
        exit: .configuration)
    }
    do throws(PostgresError) {
      return Centre(try PostgresConnection(self.address(address), name: "castq-link"))
    } catch { throw Failure(error) }
  }

  /// The database of this site.
  func database() throws(Failure) -> Database {
    do throws(StoreError) { return try Database(path: databasePath) } catch { throw Failure(error) }
  }
}
