import ArgumentParser
import CastGuard
import CastqOperations
import CastqPlaylists

/// `castq export`
struct ExportCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the queue as a playlist.",
    discussion: """
      YAML and JSON hold everything: 'castq import' restores the same queue. What another format does not hold is \
      reported on standard error.
      """)

  @OptionGroup var given: GivenOptions

  @Option(help: ArgumentHelp("yaml, json, m3u, m3u8, pls, xspf or jspf.", valueName: "format"))
  var format: PlaylistFormat?

  func run() async throws {
    let call = try await QueueCall(global, isReader: true)
    let writer = try call.exported(as: format ?? (global.isMachineReadable ? .json : .yaml))
    Console.printLines(writer.text)
    if !global.quiet {
      for loss in writer.losses { Console.say("castq: \(loss); YAML keeps it") }
    }
    try call.workspace.reportDamage()
  }
}

/// `castq import FILE`
struct ImportCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Replace the queue by a playlist, without starting it.")

  @OptionGroup var given: GivenOptions

  @Argument(help: ArgumentHelp("Playlist, or - for standard input.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: ArgumentHelp("Format of standard input, where it cannot be detected.", valueName: "format"))
  var format: PlaylistFormat?

  @Flag(help: "Import nothing if the playlist has an error.")
  var strict = false

  func run() async throws {
    try SiteFile.refuse(file)
    let queue = try await QueueCall(global, adding: true)
    let list = await queue.read(SourceRequest(sources: [file], format: format), isStrict: strict)
    if !global.isMachineReadable { list.printIssues(quietly: global.quiet) }
    try queue.replace(with: list, isStrict: strict).print(global)
    if let failure = list.failure { throw Silent(failure) }
  }
}
