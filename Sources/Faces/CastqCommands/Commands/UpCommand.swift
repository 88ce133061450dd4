import ArgumentParser
import CastqFeeding
import CastqOperations
import CastqPrograms
import CastqStore
import CastqText
import Glibc
import UnixSignals

/// `castq up`
struct UpCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "up", abstract: "Run the daemon and the operator page until interrupted.",
    discussion: """
      For people: 'castq daemon' and 'castq web' in one, as long as the terminal is open; services run them apart. Where a daemon runs \
      already, the page alone is started. When one of both ends, the other one is ended, and the exit code is that of the first. \
      Leaving stops no screen.
      """)

  @OptionGroup var given: GivenOptions

  @Option(
    help: ArgumentHelp(
      "Where the page listens; by default that of the configuration, else 127.0.0.1:8010.",
      valueName: "host:port"),
    transform: WebCommand.listen)
  var listen: WebListen?

  func run() async throws {
    guard access(WebProgramFile.path, X_OK) == 0 else { throw WebProgramFile.unavailable(errno) }
    let workspace = try Workspace(global, isReader: true)
    // Trapped before anything starts, so that nothing is left behind.
    let group = CompanionGroup()
    await group.obey(await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup))
    let address = try await startPage(in: group)
    if let address {
      let daemon = DatabaseLock.holder(.daemon, of: workspace.database)
      if let daemon, daemon.isAlive {
        say(
          "\(address); a daemon runs already (process \(daemon.process)) and goes on; Ctrl-C stops the page")
      } else {
        say("\(address); Ctrl-C stops both")
        try await add("the daemon", WebProgramFile.beside("castq"), ["daemon"] + given.ofServices, to: group)
      }
    }
    let (exit, words) = await group.ended()
    if let words, address != nil { Console.say("castq: \(words), and nothing runs any more") }
    throw Silent(exit: exit)
  }

  private func say(_ words: String) { if !global.quiet { Console.say("castq: the page is at \(words)") } }

  /// Starts the page, and waits until it serves. Before that nothing else begins: its port may be taken.
  /// - Returns: its address; nil where it ends instead, and has said why.
  private func startPage(in group: CompanionGroup) async throws(Failure) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure("unavailable", String(cString: strerror(errno)), exit: .unreachable)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let words =
      ["web", "--ready-descriptor", "\(Self.readyDescriptor)"]
      + (listen.map { ["--listen", $0.text] } ?? []) + given.ofServices
    do {
      defer { close(ends[1]) }
      try await add(
        "the page", WebProgramFile.path, words, [Self.readyDescriptor: .own(ends[1])], to: group)
    }
    return await ReadyLine.read(ends[0])
  }

  /// The descriptor on which the page reports that it is ready.
  private static let readyDescriptor: Int32 = 3

  /// Starts a program in the process group of this one, with its terminal and output. Its standard input is empty.
  private func add(
    _ name: String, _ path: String, _ words: [String], _ more: [Int32: ProgramLaunch.Descriptor] = [:],
    to group: CompanionGroup
  ) async throws(Failure) {
    let descriptors = more.merging([STDIN_FILENO: .nothing]) { $1 }
    do throws(ProgramError) {
      await group.add(name, try ProgramLaunch(path, words, descriptors: descriptors).start())
    } catch {
      throw Failure("unavailable", "\(name): \(error)", exit: .unreachable)
    }
  }
}
