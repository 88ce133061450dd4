import ArgumentParser
import CastqText

/// Resolves the words of a command line to a command, and suggests one for an unknown word.
enum CommandWords {
  /// The result of reading a command line.
  enum Reading: Equatable {
    /// The words of a command's name; empty for the program itself.
    case command([String])
    /// The message for a word that is not a command.
    case unknown(String)

    var isCommand: Bool {
      if case .command = self { true } else { false }
    }
  }

  /// Command names of other programs and their castq equivalents; two-word keys belong to a group of commands.
  private static let foreign: [String: String] = [
    "ls": "devices", "scan": "devices --scan", "info": "status", "skip": "next", "load": "cast",
    "insert": "enqueue --next", "current": "status", "random": "shuffle", "crop": "remove",
    "ffwd": "seek +30s", "rewind": "seek -30s", "volumeup": "volume +5", "volumedown": "volume -5",
    "forward": "seek +30s", "restart": "seek 0", "resume": "play", "unpause": "play", "start": "play",
    "play_toggle": "toggle", "vol": "volume", "playlist": "queue", "del": "remove", "delete": "remove",
    "append": "enqueue", "single": "repeat one", "loop": "repeat all", "watch": "status --follow",
    "idle": "status --follow", "quit": "stop --quit", "log": "history", "save": "export",
    "restore": "import", "serve": "daemon", "subtitles": "tracks",
    "diagnose": "doctor", "test": "doctor", "troubleshoot": "doctor",
    "rule": "schedule", "rules": "schedule ls", "timetable": "plan", "campaign": "share",
    "schedule delete": "schedule rm", "schedule del": "schedule rm", "schedule pause": "schedule disable",
    "schedule resume": "schedule enable", "schedule edit": "schedule add --replace",
    "schedule update": "schedule add --replace", "schedule exclude": "schedule skip",
    "device ls": "devices", "device list": "devices", "device scan": "devices --scan",
    "device rename": "device alias", "device name": "device alias", "device info": "device show",
    "device delete": "device rm", "device del": "device rm", "device forget": "device rm",
    "device trust": "device pin",
    "version": "--version", "discover": "devices --scan", "cast_site": "cast", "lsplaylists": "programme ls",
    "list-timers": "schedule ls", "rename": "device alias", "timers": "schedule ls",
    "share show": "schedule show", "share enable": "schedule enable", "share disable": "schedule disable",
    "share skip": "schedule skip", "share edit": "share add --replace", "share del": "share rm",
    "share delete": "share rm",
  ]

  /// What other programs have a command for, and castq has in another place.
  private static let elsewhere: [String: String] = [
    "reload": "the daemon reads its configuration again at SIGHUP, as 'systemctl reload castq' sends it",
    "config": "the configuration is a file, ~/.config/castq/config.yaml or that of --config",
    "configure": "the configuration is a file, ~/.config/castq/config.yaml or that of --config",
    "tv": "'castq devices' lists the televisions, and -d NAME chooses one",
  ]

  /// Commands that castq had before 1.0, and what does their work. They go with 1.0.
  private static let removed: [String: String] = [
    "at":
      "use at(1), as in \"echo castq -d lobby stop | at 22:00\", cron or a systemd timer, or for something that "
      + "plays once 'castq schedule add NAME --play SOURCE -d DEVICE --once TIME'",
    "atq": "'atq' lists what waits for at(1), 'castq schedule ls' lists the rules",
    "atrm": "'atrm' removes what waits for at(1), 'castq schedule rm' removes a rule",
  ]

  static func read(_ arguments: [String]) -> Reading {
    // What `help` explains must exist, too: the parser prints the help of the whole program for what it does not know.
    if arguments.first == "help" {
      let topic = read(Array(arguments.dropFirst()))
      return topic.isCommand ? .command([]) : topic
    }
    var path: [String] = []
    var type: any ParsableCommand.Type = Castq.self
    for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
      let children = type.configuration.subcommands
      guard !children.isEmpty else { break }
      guard let child = children.first(where: { names(of: $0).contains(word) }) else {
        return .unknown(advice(word, after: path, known: children.flatMap(names(of:))))
      }
      type = child
      path.append(names(of: child).first ?? word)
    }
    return .command(path)
  }

  /// The command that a word names; nil for a group of commands and for unknown words.
  static func command(_ word: String) -> (any ParsableCommand.Type)? {
    Castq.configuration.subcommands.first {
      names(of: $0).contains(word) && $0.configuration.subcommands.isEmpty
    }
  }

  /// The command of a name.
  /// - Parameter path: its words; empty for the program itself.
  static func type(at path: [String]) -> (any ParsableCommand.Type)? {
    var type: any ParsableCommand.Type = Castq.self
    for word in path {
      guard let child = type.configuration.subcommands.first(where: { names(of: $0).contains(word) }) else {
        return nil
      }
      type = child
    }
    return type
  }

  private static func advice(_ word: String, after path: [String], known: [String]) -> String {
    let typed = (path + [word]).joined(separator: " ")
    if let now = removed[typed] { return "'castq \(typed)' was removed: \(now)" }
    let shown = "no command is called '\(TerminalText.excerpt(typed))'"
    if let ours = foreign[typed.lowercased()] { return "\(shown): 'castq \(ours)' does that" }
    if let words = elsewhere[typed.lowercased()] { return "\(shown): \(words)" }
    let lower = word.lowercased()
    let meant =
      known.contains(lower)
      ? lower : Spelling.completion(of: lower, in: known) ?? Spelling.nearest(to: word, in: known)
    if let meant { return "\(shown): did you mean 'castq \((path + [meant]).joined(separator: " "))'?" }
    if path.isEmpty, word.contains(where: { $0 == "." || $0 == "/" }) {
      return "\(shown): 'castq cast SOURCE' plays a file, a list or an address"
    }
    return "\(shown): 'castq help\(path.map { " " + $0 }.joined())' lists them"
  }

  /// Its name and its aliases.
  static func names(of type: any ParsableCommand.Type) -> [String] {
    let configuration = type.configuration
    return [configuration.commandName ?? String(describing: type).lowercased()] + configuration.aliases
  }
}
