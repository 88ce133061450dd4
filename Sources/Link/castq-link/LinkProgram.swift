import ArgumentParser
import CastProtocol
import CastqText
import Glibc

/// The program: parse, call, print.
@main
struct LinkProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "castq-link",
    abstract: "Link a site of castq with a centre: plays up, bundles down, states and commands over MQTT.",
    discussion: """
      Beside 'castq daemon', which needs none of it. The configuration file names the site, the centre's PostgreSQL and the MQTT \
      broker under 'link'; docs/link.md has an example.
      """,
    version: "castq-link \(ProgramVersion.number)",
    subcommands: [
      RunCommand.self, StandbyCommand.self, MigrateCommand.self, ReportCommand.self, SitesCommand.self,
      SiteCommand.self, BundleCommand.self, ResendCommand.self, UnlinkCommand.self,
    ])

  @MainActor static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // As in castq: what libdispatch tells syslog about priorities, when its first thread begins, is nobody's concern.
    setenv("LIBDISPATCH_LOG", "NO", 0)
    let arguments = Array(CommandLine.arguments.dropFirst())
    let isJSON = !Set(arguments.prefix { $0 != "--" }).isDisjoint(with: ["--json", "--jsonl"])
    do {
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      leave(failure, isJSON: isJSON)
    } catch let silent as SilentEnd {
      Glibc.exit(silent.exit.rawValue)
    } catch {
      guard exitCode(for: error) != .success else {
        LinkOutput.print(fullMessage(for: error))
        Glibc.exit(0)
      }
      let words = message(for: error).split(whereSeparator: \.isNewline).map(String.init)
      leave(
        Failure("usage", "\(words.joined(separator: " ")); see 'castq-link --help'", exit: .usage),
        isJSON: isJSON)
    }
  }

  private static func leave(_ failure: Failure, isJSON: Bool) -> Never {
    let failure = failure.typed.shown
    if isJSON {
      LinkOutput.print(JSONValue.object(["error": failure.json]).text)
    } else {
      LinkOutput.say("castq-link: \(failure.message)")
    }
    Glibc.exit(failure.exit.rawValue)
  }
}

/// An exit code whose message has been printed already.
struct SilentEnd: Error {
  let exit: ExitStatus
}
