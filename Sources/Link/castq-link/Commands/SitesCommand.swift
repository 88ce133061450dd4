import ArgumentParser
import CastProtocol
import CastqOperations
import CastqOutput
import CastqPostgres
import CastqText

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
    } catch { throw Failure(error) }
    if global.json {
      LinkOutput.print(JSONValue.object(["sites": .array(sites.map(\.json))]).text)
    } else if sites.isEmpty {
      if !global.quiet { LinkOutput.say("castq-link: no site was heard yet") }
    } else {
      let zone = try Zone.site(global.call)
      var table = Table([
        ("SITE", .left), ("LAST SEEN", .left), ("AGO", .left), ("WAITING", .right), ("REFUSED", .right),
      ])
      for site in sites { table.add(site.cells(zone)) }
      table.lines().forEach(LinkOutput.print)
      LinkOutput.print(zone.legend)
    }
  }
}

extension Centre.Site {
  private var seen: WallTime { WallTime(milliseconds: seenAt) }

  fileprivate var json: JSONValue {
    [
      "site": .string(name), "last_seen": .string(RFC3339.text(seen)),
      "silent_s": JSONValue(silence.rounded()) ?? .null,
      "waiting": .integer(Int64(waiting)), "refused": .integer(Int64(refused)),
    ]
  }

  fileprivate func cells(_ zone: Zone) -> [String] {
    [name, zone.text(seen), AgeText.words(silence), "\(waiting)", "\(refused)"]
  }
}
