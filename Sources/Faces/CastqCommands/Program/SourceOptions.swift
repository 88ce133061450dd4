import ArgumentParser
import CastqOperations
import CastqPlaylists
import CastqText

/// Arguments that name sources.
struct SourceOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Playlist, media file, folder, URL, or - for standard input.", valueName: "source"),
    completion: .file())
  var sources: [String] = []

  @Option(help: ArgumentHelp("Format of standard input, where it cannot be detected.", valueName: "format"))
  var format: PlaylistFormat?

  @Option(
    help: ArgumentHelp(
      "Start with these subtitles: a file for the one entry, a language, or off.",
      valueName: "file|language|off"), completion: .file())
  var subs: String?

  @Option(
    help: ArgumentHelp(
      "What the files and addresses that are named contain, such as video/mp4, whatever they are called.",
      valueName: "type"))
  var type: String?

  @Flag(name: .shortAndLong, help: "Read the folders in a folder, too.")
  var recursive = false

  /// What they ask for.
  var request: SourceRequest {
    SourceRequest(sources: sources, format: format, subs: subs, type: type, recursive: recursive)
  }

  func validate() throws {
    if sources.contains(where: \.isEmpty) { throw ValidationError(SourceRequest.emptySource) }
    if let type, !ContentTypes.isWellFormed(type) {
      throw ValidationError("--type is a content type such as video/mp4, not '\(TerminalText.excerpt(type))'")
    }
  }
}

extension PlaylistFormat: ExpressibleByArgument {}
