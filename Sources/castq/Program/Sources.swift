import ArgumentParser
import CastqCore

/// What a command was given to play, read and judged.
struct SourceList {
  private(set) var drafts: [EntryDraft] = []
  private(set) var issues: [PlaylistIssue] = []
  private(set) var repeatMode: QueueRepeat?
  private(set) var shuffle: Bool?
  private var missing: [String] = []

  /// Reads sources in their order; `-` is standard input.
  init(_ sources: [String], format: String?) throws(Failure) {
    var wanted: PlaylistFormat?
    if let format {
      guard let known = PlaylistFormat(rawValue: format.lowercased()) else {
        let names = PlaylistFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure("usage", "--format knows \(names), not '\(format)'", exit: .usage)
      }
      wanted = known
    }
    let reader = PlaylistReader(loader: FileLoader())
    for source in sources {
      let parsed: ParsedPlaylist
      if source == "-" {
        do throws(PlaylistLoadError) {
          let bytes = try FileLoader.standardInput(limit: 64 << 20)
          parsed = reader.read(bytes: bytes, named: "-", format: wanted)
        } catch {
          throw Failure("input", error.message, exit: .inputOutput)
        }
      } else {
        parsed = reader.read(source: source, format: wanted)
      }
      if parsed.isMissing { missing.append(source) }
      drafts += parsed.playlist.drafts
      issues += parsed.issues
      repeatMode = parsed.playlist.repeatMode ?? repeatMode
      shuffle = parsed.playlist.shuffle ?? shuffle
    }
  }

  var errors: [PlaylistIssue] { issues.filter { $0.severity == .error } }

  /// Says what is wrong to whoever reads along.
  func say(quietly: Bool) {
    for issue in issues where !quietly || issue.severity == .error { Console.say(TerminalText.sanitized("\(issue)")) }
  }

  /// A source that is not there, or in which nothing can be played, ends the command.
  func requireSomething() throws(Failure) {
    if drafts.isEmpty, let missing = missing.first {
      throw Failure("input_missing", "\(missing): no such file or directory; check the path", exit: .inputMissing)
    }
    if drafts.isEmpty {
      let why = errors.first.map { "\($0)" } ?? "the sources are empty"
      throw Failure("bad_playlist", "nothing to play: \(why)", exit: .badData)
    }
  }

  /// The exit of a command that took what was good and left the rest.
  var failure: Failure? {
    guard let first = errors.first else { return nil }
    let more = errors.count > 1 ? " and \(errors.count - 1) more" : ""
    if let missing = missing.first, errors.allSatisfy({ $0.file == missing }) {
      return Failure("input_missing", "\(missing): no such file or directory", exit: .inputMissing)
    }
    return Failure("bad_playlist", "\(first)\(more); the other entries were taken", exit: .badData)
  }
}

/// How sources are named on the command line.
struct SourceOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Playlist, media file, folder, URL, or - for standard input.", valueName: "source"))
  var sources: [String] = []

  @Option(help: ArgumentHelp("Format of standard input when it cannot be told: m3u or m3u8.", valueName: "format"))
  var format: String?
}
