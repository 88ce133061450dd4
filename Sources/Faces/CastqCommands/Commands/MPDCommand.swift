import ArgumentParser
import CastGuard
import CastSender
import CastqDaemon
import CastqFeeding
import CastqMPD
import CastqOperations
import CastqPlaylists
import CastqText

/// `castq mpd [--listen HOST:PORT|PATH]`
struct MPDCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "mpd", abstract: "Serve the protocol of the Music Player Daemon, for its clients.",
    discussion: """
      Each device is a partition; clients begin in that of the default device. Only this computer can connect, unless --listen \
      or the configuration says otherwise; then everybody needs a password, which is a token of 'castq web token add'. What is \
      played needs 'castq daemon'.
      """)

  @OptionGroup var given: GivenOptions

  @Option(
    help: ArgumentHelp(
      "Where to listen; by default that of the configuration, else \(MPDListen.standard).",
      valueName: "host:port|path"),
    transform: { text in
      do throws(TextError) { return try MPDListen(text) } catch { throw ValidationError(error.words) }
    })
  var listen: MPDListen?

  func run() async throws {
    try Logging.beginService(verbosity: global.verbose, isQuiet: global.quiet)
    await OpenFiles.begin()
    let configuration = try ConfigurationFile(global).read().get()
    let rules = configuration.mpd
    let first = try listen ?? rules.listen ?? Self.standard()
    let places = [(first, nil)] + rules.devices.map { ($0.listen, Optional($0.name)) }
    let desk = try MPDDesk(global, playlists: rules.playlists)
    if !global.quiet { await Self.sayMissing(rules, desk) }
    var settings = MPDSettings(sleep: TimeSource.continuous.sleep)
    settings.clients = min(settings.clients, GuestShares.ofProcess.mpdClients)
    let face = MPDFace(
      source: desk, folders: MediaFolders(configuration.mediaFolders) { FileLoader() }, settings: settings)
    let sockets = OpenSockets()
    defer { sockets.removeAll() }
    let doors = try places.map { try sockets.door($0.0, for: $0.1, rules) }
    let server = MPDServer(doors, face: face, gate: TokenGate(WebCommand.Token.path(global)))
    let isQuiet = global.quiet
    try await untilInterrupted {
      try await server.run { ports in
        guard !isQuiet else { return }
        for (door, port) in zip(doors, ports) {
          let device = door.partition.map { " for \($0)" } ?? ""
          Console.say("castq: clients of the Music Player Daemon connect to \(door.words(port))\(device)")
        }
      }
    }
  }

  /// Names the devices of the configuration that there are not: their clients are refused until they are added.
  private static func sayMissing(_ rules: MPDRules, _ desk: MPDDesk) async {
    for place in rules.devices where place.name != "default" {
      do throws(Failure) { _ = try await desk.partition(named: place.name) } catch {
        Console.say("castq: mpd: devices: \(error.shownMessage)")
      }
    }
  }

  private static func standard() throws -> MPDListen {
    do throws(TextError) { return try MPDListen(MPDListen.standard) } catch {
      throw Failure("bug", error.words, exit: .bug)
    }
  }
}

extension MPDDoor {
  /// - Parameter port: the port that was chosen; nil for a socket.
  fileprivate func words(_ port: Int?) -> String {
    switch place {
    case .address(let host, let wanted): "\(host.contains(":") ? "[\(host)]" : host):\(port ?? wanted)"
    case .socket(_, let path): path
    }
  }
}

/// The sockets in the file system that clients connect to.
private final class OpenSockets {
  private var paths: [String] = []

  func door(_ place: MPDListen, for device: String?, _ rules: MPDRules) throws -> MPDDoor {
    switch place {
    case .socket(let path):
      let listener: ControlListener
      do throws(ControlSocketError) { listener = try ControlListener(path: path) } catch {
        throw Failure(
          "listen", "cannot listen on \(path): \(error); choose another place with --listen", exit: .tryAgain)
      }
      paths.append(path)
      // Nobody else can connect to it.
      return MPDDoor(
        .socket(descriptor: listener.descriptor, path: path), partition: device,
        permissions: rules.alwaysAsksForPassword ? [] : .all)
    case .address(let place):
      let isFree = HostName.isLoopback(place.host) && !rules.alwaysAsksForPassword
      return MPDDoor(
        .address(host: place.host, port: place.port), partition: device, permissions: isFree ? .all : [])
    }
  }

  func removeAll() { for path in paths { ControlListener.remove(path) } }
}
