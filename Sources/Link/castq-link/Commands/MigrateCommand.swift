import ArgumentParser
import CastProtocol
import CastqPostgres
import CastqText

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
      let strangers = try centre.sitesWithoutRole()
      if global.json {
        let document: JSONValue = [
          "before": .integer(Int64(before)), "version": .integer(Int64(now)),
          "without_role": .array(strangers.map { .string($0) }),
        ]
        LinkOutput.print(document.text)
      } else if !strangers.isEmpty, !global.quiet {
        LinkOutput.say(
          "castq-link: no role may act for \(strangers.joined(separator: ", ")): unless they come as the owner of the tables, "
            + "'castq-link site add NAME' lets them in"
        )
      }
    } catch { throw Failure(error) }
  }
}
