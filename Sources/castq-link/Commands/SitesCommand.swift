import ArgumentParser
import CastProtocol
import CastqCore
import CastqPostgres

/// `castq-link sites`
struct SitesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sites",
    abstract: "Print when each site was heard last, what waits there, and what the centre has refused.",
    discussion: """
      The site that was not heard for longest comes first. One that is well is heard every half minute. \
      What was refused is kept at its site: 'castq-link resend --list' there says why, and 'castq-link resend' sends it again.
      """)

  @OptionGroup var global: LinkOptions

  func run() throws {
    let centre = try global.centre(try global.rules())
    let sites: [Centre.Site]
    do throws(PostgresError) {
      try centre.refuseNewerTables()
      sites = try centre.sites()
    } catch { throw ControlFailure(error) }
    if global.json {
      LinkOutput.print(JSONValue.object(["sites": .array(sites.map(\.json))]).text)
    } else if sites.isEmpty {
      if !global.quiet { LinkOutput.say("castq-link: no site was heard yet") }
    } else {
      let titles = ["SITE", "LAST SEEN", "AGO", "WAITING", "REFUSED"]
      LinkTable.lines([titles] + sites.map(\.cells), left: 3).forEach { LinkOutput.print($0) }
    }
  }
}

extension Centre.Site {
  private var time: String { RFC3339.text(WallTime(milliseconds: seenAt)) }

  fileprivate var json: JSONValue {
    [
      "site": .string(name), "last_seen": .string(time), "silent_s": JSONValue(silence.rounded()) ?? .null,
      "waiting": .integer(Int64(waiting)), "refused": .integer(Int64(refused)),
    ]
  }

  fileprivate var cells: [String] {
    [TerminalText.sanitized(name), time, AgeText.words(silence), "\(waiting)", "\(refused)"]
  }
}
