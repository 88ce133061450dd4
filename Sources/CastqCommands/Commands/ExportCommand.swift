import ArgumentParser
import CastGuard
import CastqCore
import CastqOperations

/// `castq export`
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the queue as a playlist.",
    discussion: """
      YAML and JSON hold everything: 'castq import' restores the same queue. What another format does not hold is \
      reported on standard error.
      """)

  @OptionGroup var given: GivenOptions
  var global: CallOptions { given.call }

  @Option(help: ArgumentHelp("yaml, json, m3u, m3u8, pls, xspf or jspf.", valueName: "format"))
  var format: PlaylistFormat?

  func run() async throws {
    let workspace = try Workspace(global, isReader: true)
    let writer = try QueueCall(global, workspace, try await workspace.device(global))
      .exported(as: format ?? (global.isMachineReadable ? .json : .yaml))
    Console.printLines(writer.text)
    if !global.quiet {
      for loss in writer.losses { Console.say("castq: \(loss); YAML keeps it") }
    }
    try workspace.reportDamage()
  }
}

/// `castq import FILE`
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Replace the queue by a playlist, without starting it.")

  @OptionGroup var given: GivenOptions
  var global: CallOptions { given.call }

  @Argument(help: ArgumentHelp("Playlist, or - for standard input.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: ArgumentHelp("Format of standard input, where it cannot be detected.", valueName: "format"))
  var format: PlaylistFormat?

  @Flag(help: "Import nothing if the playlist has an error.")
  var strict = false

  func run() async throws {
    try SiteFile.refuse(file)
    let workspace = try Workspace(global)
    let device = try await workspace.device(global, adding: true)
    var list = await SourceList(
      [file], format: format, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
      music: MusicFolders(global), timeout: global.deviceTimeout)
    if strict { list.add(FileCheck.issues(of: list.typedDrafts)) }
    if !global.isMachineReadable { list.printIssues(quietly: global.quiet) }
    // A list without entries is a mistake, unless it says how a queue goes on, as that of an empty queue does.
    if list.failure != nil || list.playlist.repeatMode == nil { try list.requireSomething() }
    if strict, let failure = list.failure {
      throw Failure(failure.code, "nothing was imported (--strict): \(failure.message)", exit: failure.exit)
    }
    let added = try workspace.replaceQueue(of: device, with: list)
    AddedEntries(added, of: list, on: device).print(global)
    if let failure = list.failure { throw Silent(failure) }
  }
}
