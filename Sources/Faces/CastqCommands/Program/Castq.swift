package import ArgumentParser
import CastqOperations
import CastqText
import Glibc

/// The program: parse, call, print.
package struct Castq: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "castq",
    abstract: "Feed playlists to Google Cast devices, and prove what was played.",
    discussion: """
      Each device has a queue in one SQLite file, which survives reboots of the computer, the network and the television. \
      'castq run' feeds one device until its queue is drained, 'castq daemon' feeds all devices for ever.
      """,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Queue",
        subcommands: [
          CastCommand.self, EnqueueCommand.self, RunCommand.self, QueueCommand.self, RemoveCommand.self,
          MoveCommand.self, ClearCommand.self, RepeatCommand.self, ShuffleCommand.self, ExportCommand.self,
          ImportCommand.self,
        ]),
      CommandGroup(
        name: "Playback",
        subcommands: [
          PlayCommand.self, PauseCommand.self, ToggleCommand.self, StopCommand.self, NextCommand.self,
          PreviousCommand.self, SeekCommand.self, RateCommand.self, VolumeCommand.self, MuteCommand.self,
          UnmuteCommand.self, TracksCommand.self, StyleCommand.self, SkipAdCommand.self, SendCommand.self,
          TransferCommand.self,
        ]),
      CommandGroup(
        name: "Schedule",
        subcommands: [
          ScheduleCommand.self, ProgrammeCommand.self, DaypartCommand.self, CalendarCommand.self,
          GroupCommand.self, ShareCommand.self, AnnounceCommand.self, PlanCommand.self,
          WhyCommand.self,
        ]),
      CommandGroup(
        name: "Service", subcommands: [DaemonCommand.self, WebCommand.self, UpCommand.self, MPDCommand.self]),
      CommandGroup(
        name: "Watching",
        subcommands: [
          StatusCommand.self, RemoteCommand.self, HistoryCommand.self, ReportCommand.self,
        ]),
      CommandGroup(
        name: "Devices and files",
        subcommands: [
          DevicesCommand.self, DeviceCommand.self, DoctorCommand.self, CheckCommand.self, PrepareCommand.self,
          DatabaseCommand.self,
          CompletionCommand.self,
        ]),
    ])

  package init() {}

  /// Runs the command that the process was given, and ends the process.
  package static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let given = GivenWords.all
    // Without a command, castq prints the status of all devices.
    let arguments = ArgumentOrder.normalized(
      ArgumentOrder.namesNothing(given) ? given + ["status", "--all"] : given)
    // The parser's reflection is a quarter of the start-up time; --version skips it.
    if arguments == ["--version"] {
      Console.print(Version.text)
      Glibc.exit(0)
    }
    let isJSON = !Set(arguments.prefix { $0 != "--" }).isDisjoint(with: ["--json", "--jsonl"])
    do {
      if SystemService.isMeant(by: arguments) { try SystemService.enter() }
      var command: any ParsableCommand
      if let parsed = parseCommand(arguments) {
        command = parsed
      } else {
        command = try parseAsRoot(arguments)
      }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      await leave(failure, isJSON: isJSON)
    } catch let silent as Silent {
      await LeftFeeder.end(silent.exit)
    } catch {
      await leaveParser(error, arguments, isJSON: isJSON)
    }
    await LeftFeeder.end(.done)
  }

  /// Parses the arguments of the command that the first word names: parsers for all the others take longer to build than most
  /// commands take to run.
  /// - Returns: nil if the whole program has to parse them, for its help and its words about mistakes.
  private static func parseCommand(_ arguments: [String]) -> (any ParsableCommand)? {
    guard let word = arguments.first, let command = CommandWords.command(word),
      Set(arguments).isDisjoint(with: ["-h", "--help", "--version"])
    else { return nil }
    return try? command.parseAsRoot(Array(arguments.dropFirst()))
  }

  private static func leave(_ failure: Failure, isJSON: Bool) async -> Never {
    // A stop needs no message.
    if !LeftFeeder.wasStopped {
      if isJSON { Console.print(failure.document) } else { failure.report() }
    }
    await LeftFeeder.end(failure.exit)
  }

  /// Prints help and version to stdout, and a usage error as one line on stderr.
  private static func leaveParser(_ error: any Error, _ arguments: [String], isJSON: Bool) async -> Never {
    let reading = CommandWords.read(arguments)
    // A negative step such as -1h contains the letter of -h.
    let step = ArgumentOrder.stepBack(in: arguments)
    let isHelp =
      exitCode(for: error) == .success
      && (reading.isCommand && step == nil
        || !Set(arguments).isDisjoint(with: ["-h", "--help", "--version"]))
    guard !isHelp else {
      let text = fullMessage(for: error)
      let isDump = arguments.contains("--experimental-dump-help")
      Console.print(isDump ? HelpPage.dump(text) : HelpPage.text(text, asked: arguments))
      Glibc.exit(0)
    }
    if arguments == ["-V"] {
      await leave(
        Failure("usage", "no option is called '-V': 'castq --version' prints the version", exit: .usage),
        isJSON: isJSON)
    }
    let problem =
      if let step, exitCode(for: error) == .success {
        "'\(TerminalText.excerpt(step))' is no option"
      } else {
        oneLine(message(for: error))
      }
    switch reading {
    // The parser's message about options after an unknown command would be misleading.
    case .unknown(let words): await leave(Failure("usage", words, exit: .usage), isJSON: isJSON)
    case .command(let path):
      let help = path.isEmpty ? "castq --help" : "castq help \(path.joined(separator: " "))"
      await leave(
        Failure("usage", "\(problem); see '\(help)'", exit: .usage), isJSON: isJSON)
    }
  }

  /// Joins the parser's message, which lists accepted values on separate lines and ends in a full stop, into one line.
  static func oneLine(_ message: String) -> String {
    let lines = message.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    let line = lines.enumerated().reduce("") { text, part in
      guard part.offset > 0 else { return part.element }
      return part.element.hasPrefix("- ")
        ? text + (part.offset > 1 ? ", " : " ") + part.element.dropFirst(2) : text + " " + part.element
    }
    return TerminalText.sanitized(line.hasSuffix(".") ? String(line.dropLast()) : line)
  }
}

/// The program's version.
enum Version {
  static let number = ProgramVersion.number
  static let text = "castq \(number)"
}
