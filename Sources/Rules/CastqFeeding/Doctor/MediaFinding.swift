import CastProtocol
import CastqText

/// Whether devices can fetch local files from this computer.
package struct MediaFinding: Sendable, Hashable {
  /// Where the port comes from.
  package enum PortOrigin: Sendable, Hashable {
    /// An option, a variable or the configuration fixes it.
    case fixed
    /// It is stored for the database.
    case stored
    /// A running castq has it.
    case running
    /// The stored one is in use, so that another one would be used.
    case displaced(stored: Int)
  }

  /// What another process of this computer saw at the address that devices are given.
  package enum Server: Sendable, Hashable {
    /// It got the very bytes; or, from a running castq, an answer that its access log has.
    case fetchedBack
    /// This computer has no address that leads to the device; the words say why.
    case noAddress(String)
    /// The server could not listen; the words say why.
    case cannotListen(String)
    /// It did not get them; the words say why.
    case notFetched(String)
    /// Something else answered.
    case otherContent
    /// The other process could not be started; the words say why.
    case notTried(String)
    /// There is no database, which has the port.
    case unexamined
    /// A running castq has served nothing yet, and its port is not taken from it.
    case idle
  }

  /// What the device itself did.
  package enum DeviceFetch: Sendable, Hashable {
    case played
    /// It fetched the test sound, and did not play it.
    case notPlayed(CastErrorSummary)
    /// It was given the address, and nothing arrived.
    case nothingArrived
    /// From a running castq: the file's name, and the seconds since.
    case lately(file: String, seconds: Double)
    case nothingLately
    /// Nothing was launched, so that it was not asked.
    case notAsked
  }

  /// Host and port that devices are given; nil when there is none.
  package var address: String?
  /// Whether an option, a variable or the configuration says that address.
  package var isAdvertised: Bool
  /// The port that castq listens on; nil when it does not.
  package var port: Int?
  package var origin: PortOrigin
  /// The device's host; nil without a device.
  package var deviceHost: String?
  package var server: Server
  package var deviceFetch: DeviceFetch

  package init(
    address: String? = nil, isAdvertised: Bool = false, port: Int? = nil, origin: PortOrigin = .stored,
    deviceHost: String? = nil, server: Server, deviceFetch: DeviceFetch = .notAsked
  ) {
    self.address = address
    self.isAdvertised = isAdvertised
    self.port = port
    self.origin = origin
    self.deviceHost = deviceHost
    self.server = server
    self.deviceFetch = deviceFetch
  }

  package var verdicts: [DoctorVerdict] { [serverVerdict, deviceVerdict, firewall] }

  /// Whether the device has fetched something, whatever this computer's own processes see.
  private var isProved: Bool {
    switch deviceFetch {
    case .played, .notPlayed, .lately: true
    case .nothingArrived, .nothingLately, .notAsked: false
    }
  }

  /// Whether this computer itself gets at the files.
  private var isServed: Bool { server == .fetchedBack }

  private var place: String { address.map { "http://\($0)" } ?? "no address" }

  private var serverVerdict: DoctorVerdict {
    switch server {
    case .fetchedBack:
      return .ok(
        .mediaServer, "another process of this computer fetched from \(place), without a firewall in between")
    case .noAddress(let words): return .fail(.mediaServer, message: words, exit: .unreachable)
    case .cannotListen(let words): return .fail(.mediaServer, message: words, exit: .tryAgain)
    case .notTried(let words):
      return .warn(
        .mediaServer, "\(place) could not be tried: \(words)", advice: "fetch a file from there by hand")
    case .idle:
      return .skipped(
        .mediaServer, "the running castq has served no file yet",
        advice: "run it again while a local file plays")
    case .unexamined: return .skipped(.mediaServer, "the database is missing, which keeps its port")
    case .notFetched(let words):
      return notServed(
        "\(place) cannot be fetched from this computer: \(DoctorVerdict.halves(of: words).words)")
    case .otherContent: return notServed("something else than castq answers at \(place)")
    }
  }

  private func notServed(_ words: String) -> DoctorVerdict {
    // A router need not lead back into its own network.
    if isProved {
      return .warn(.mediaServer, words, advice: "nothing, as long as the device fetches, which it did")
    }
    let own = port.map { " to port \($0) of this computer" } ?? ""
    return .fail(
      .mediaServer, words,
      advice: isAdvertised
        ? FaceWords(
          typed:
            "correct --advertise (CASTQ_ADVERTISE, advertise: in the configuration), or what forwards it\(own)",
          paged: "correct advertise: in the configuration, or what forwards it\(own)")
        : "let this computer's own firewall pass it", exit: .unreachable)
  }

  private var deviceVerdict: DoctorVerdict {
    switch deviceFetch {
    case .played: .ok(.deviceFetch, "the device fetched a silent test sound from \(place) and played it")
    case .notPlayed(let error): .fail(.deviceFetch, message: error.message, exit: error.exit)
    case .nothingArrived:
      .fail(
        .deviceFetch, "the device was given an address at \(place), and no request arrived",
        advice: isServed ? opening : "mend the media server first", exit: .unreachable)
    case .lately(let file, let seconds):
      .ok(
        .deviceFetch,
        "the device fetched \(TerminalText.excerpt(file)) from the running castq, \(AgeText.words(seconds)) ago"
      )
    case .nothingLately: .skipped(.deviceFetch, "the device has fetched nothing from the running castq yet")
    case .notAsked: .skipped(.deviceFetch, "nothing was launched, so the device was not asked to fetch")
    }
  }

  /// What a firewall has to let in.
  private var opening: FaceWords? {
    guard let port else { return nil }
    let source = deviceHost.map { "from \($0) " } ?? ""
    return "let TCP port \(port) in, such as 'ufw allow \(source)to any port \(port) proto tcp'"
  }

  private var firewall: DoctorVerdict {
    guard let port else { return .skipped(.firewall, "no port is in use for local files") }
    let words =
      switch origin {
      case .fixed: "devices fetch at TCP port \(port), which is fixed"
      case .stored: "devices fetch at TCP port \(port), which this database keeps"
      case .running: "devices fetch at TCP port \(port) of the running castq"
      case .displaced(let stored):
        "port \(stored) of this database is in use, so files would be served at \(port)"
      }
    if case .displaced = origin {
      return .warn(
        .firewall, words,
        advice: FaceWords(
          typed: "end the other feeder, use one 'castq daemon', or give each a --media-port of its own",
          paged: "end the other feeder, use one daemon, or give each a port of its own"))
    }
    if isServed, deviceFetch == .nothingArrived, let opening {
      return .warn(.firewall, "\(words), and no request came in", advice: opening)
    }
    return .ok(
      .firewall, isProved ? "\(words), and the device has reached it" : words,
      advice: isProved ? nil : opening)
  }
}
