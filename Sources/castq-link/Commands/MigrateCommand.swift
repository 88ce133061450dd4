import ArgumentParser
import CastProtocol
import CastqCore
import CastqPostgres

/// `castq-link migrate`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Make or upgrade the tables of the centre.",
    discussion: "One transaction; a second run changes nothing.")

  @OptionGroup var global: LinkOptions

  func run() throws {
    let centre = try global.centre(try global.rules())
    do throws(PostgresError) {
      let (before, now) = try centre.migrate()
      if global.json {
        let document: JSONValue = [
          "before": .integer(Int64(before)), "version": .integer(Int64(now)),
        ]
        LinkOutput.print(document.text)
      }
    } catch { throw ControlFailure(error) }
  }
}
