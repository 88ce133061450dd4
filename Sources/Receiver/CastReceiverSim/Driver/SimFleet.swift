import CastMulticast
import CastProtocol
package import CastTLS
package import NIOCore
import NIOPosix

/// Many receivers in one process, sharing threads and a certificate.
package actor SimFleet {
  private let receivers: [ReceiverConfiguration]
  private let options: SimServer.Options
  private let setupPort: Int?
  private let advertising: AdvertisingOptions?
  private var servers: [SimServer] = []
  private var socket: ControlSocket?

  /// - Parameters:
  ///   - port: port of the first receiver, the others follow; 0 for any that are free.
  ///   - setupPort: port of the first receiver's setup page; nil for none.
  ///   - derivesUUIDs: whether each derives a UUID from its name and port; otherwise it has the one of its configuration.
  ///   - advertising: how they are advertised on the network; nil for not at all.
  package init(
    receivers: [ReceiverConfiguration], bind: String, port: Int, setupPort: Int?,
    derivesUUIDs: Bool = false, advertising: AdvertisingOptions? = nil, speed: Double, log: SimLog?
  ) {
    self.advertising = advertising
    self.receivers = receivers
    self.setupPort = setupPort
    var options = SimServer.Options()
    options.bind = bind
    options.port = port
    options.speed = speed
    options.derivesUUID = derivesUUIDs
    options.log = log
    self.options = options
  }

  /// Starts them all and announces each with a line. They run until `stop`.
  /// - Parameters:
  ///   - identity: the certificate that they present; nil makes one, with a key that takes a tenth of a second.
  ///   - group: threads to run on; nil makes some.
  package func start(
    identity: TLSIdentity? = nil, on group: (any EventLoopGroup)? = nil,
    announce: @Sendable (String) -> Void
  ) async throws {
    let group =
      group
      ?? MultiThreadedEventLoopGroup(numberOfThreads: max(1, min(receivers.count, System.coreCount)))
    let identity = try identity ?? TLSIdentity.simulated()
    for (index, receiver) in receivers.enumerated() {
      var own = options
      own.port = options.port == 0 ? 0 : options.port + index
      let server = try await SimServer.start(receiver, own, identity: identity, on: group)
      servers.append(server)
      announce(
        "listening on \(own.bind):\(server.port) name=\(receiver.friendlyName) uuid=\(server.configuration.uuid)"
      )
      if let advertising {
        let advertiser = try await server.advertise(advertising)
        announce("advertised by " + advertiser.links.map(\.description).sorted().joined(separator: ", "))
        for failure in advertiser.failures.values.map(\.description).sorted() {
          announce("not advertised: \(failure)")
        }
      }
    }
    if let setupPort, let first = servers.first {
      let port = try await SetupServer.start(bind: options.bind, port: setupPort, on: group) {
        await first.setupInformation()
      }
      announce("setup page on \(options.bind):\(port)")
    }
  }

  /// Serves control lines at a Unix socket until `stop`. Throws when the path is unavailable.
  package func listen(at path: String) async throws {
    socket = try await ControlSocket.open(path: path, on: MultiThreadedEventLoopGroup.singleton) {
      await self.answer($0)
    }
  }

  /// Closes all connections, frees all ports, and removes the control socket.
  package func stop() async {
    await socket?.stop()
    socket = nil
    for server in servers { await server.stop() }
    servers = []
  }

  /// Executes a line on all receivers, or with `2: …` on the second, and returns when it is done.
  ///
  /// - Returns: `ok`, followed by a space and the result if there is one; or `error: ` and the reason.
  package func answer(_ line: String) async -> String {
    if line == "help" { return ControlLine.help + "\nok" }
    do {
      var chosen = servers
      var text = line[...]
      if let colon = line.firstIndex(of: ":"), let number = Int(line[..<colon]) {
        guard servers.indices.contains(number - 1) else { return "error: there is no receiver \(number)" }
        chosen = [servers[number - 1]]
        text = line[line.index(after: colon)...]
      }
      let command = try ControlLine(parsing: text.trimmed)
      var answers: [String] = []
      for server in chosen {
        if let told = try await Self.follow(command, server) { answers.append(told) }
      }
      return (["ok"] + answers).joined(separator: " ")
    } catch {
      return "error: \(error)"
    }
  }

  /// Executes one command; returns its result, if any.
  static func follow(_ command: ControlLine, _ server: SimServer) async throws(SimControlError)
    -> String?
  {
    switch command {
    case .control(.move(let port)): return "\(try await server.move(toPort: port))"
    case .control(let control): try await server.control(control)
    case .transfer(let host, let port): try await server.transfer(toHost: host, port: port)
    case .status: return await server.report().text
    case .waitUntilUp: try await server.waitUntilUp()
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " || $0 == "\r" }.reversed())
  }
}
