import ArgumentParser
import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqPostgres
import CastqText

/// `castq-link site VERB`
struct SiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "site", abstract: "Let a site in at the centre, or give it another name.",
    discussion: "Both are for the role that owns the tables, as 'migrate' is.",
    subcommands: [Add.self, Rename.self])

  private static func check(_ name: String) throws(Failure) {
    guard !LinkRules.isSite(name) else { return }
    throw Failure(
      "usage",
      "\(TerminalText.excerpt(name)) is no name of a site; write letters, digits, hyphens, dots and underscores",
      exit: .usage)
  }

  /// `castq-link site add NAME`
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a role for a site, and print its password, which nobody keeps.",
      discussion: """
        The role may read and write what belongs to the site, and nothing else. A role that is there already gets the rights, and keeps \
        its password; it may act for more than one site.
        """)

    @OptionGroup var global: LinkOptions

    @Option(help: ArgumentHelp("The role; the name of the site by default.", valueName: "name"))
    var role: String?

    @Argument(help: "The name of the site, as its configuration has it.")
    var name: String

    func run() throws {
      try SiteCommand.check(name)
      let centre = try global.centre(try global.rules())
      let (role, password) = (role ?? name, Self.password())
      let addition: Centre.Addition
      do throws(PostgresError) {
        try centre.refuseOtherTables()
        addition = try centre.add(site: name, role: role, password: password)
      } catch { throw Failure(error) }
      let shown = addition == .made ? password : nil
      if global.json {
        let document: JSONValue = [
          "site": .string(name), "role": .string(role), "password": shown.map { .string($0) } ?? .null,
        ]
        LinkOutput.print(document.text)
      } else {
        LinkOutput.print("role \(TerminalText.sanitized(role))")
        LinkOutput.print(shown.map { "password \($0)" } ?? "the role was there: its password stays")
      }
    }

    /// 192 bits, in characters that an address takes as they are.
    private static func password() -> String {
      var system = SystemRandomNumberGenerator()
      let bytes = (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &system) }
      return String(KeyText.base64(bytes).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
  }

  /// `castq-link site rename OLD NEW`
  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give everything that the centre has of a site to a new name.",
      discussion: """
        One transaction. End 'castq-link run' at the site before; write the new name into its configuration after it, and run \
        'castq-link unlink' there: what was sent is not sent again.
        """)

    @OptionGroup var global: LinkOptions

    @Argument(help: "The name that the site has.")
    var old: String

    @Argument(help: "The name that it gets; the centre must not have heard of it.")
    var new: String

    func run() throws {
      try SiteCommand.check(new)
      let centre = try global.centre(try global.rules())
      let isStranger: Bool
      let count: Int?
      do throws(PostgresError) {
        try centre.refuseOtherTables()
        isStranger = try !centre.strangers(among: [old]).isEmpty
        count = isStranger ? nil : try centre.rename(site: old, to: new)
      } catch { throw Failure(error) }
      guard !isStranger else {
        throw Failure(
          "site_unknown", "the centre has never heard of \(TerminalText.excerpt(old))", exit: .deviceUnknown)
      }
      guard let count else {
        throw Failure(
          "usage", "the centre has heard of \(new) already: two sites would become one", exit: .usage)
      }
      if global.json {
        LinkOutput.print(JSONValue.object(["site": .string(new), "plays": .integer(Int64(count))]).text)
      } else if !global.quiet {
        LinkOutput.print("\(count) plays of \(TerminalText.sanitized(old)) are those of \(new)")
      }
    }
  }
}
