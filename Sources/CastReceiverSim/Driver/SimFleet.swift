import CastMulticast
import CastTLS
import Glibc
import NIOCore
import NIOPosix

/// Many receivers in one process, sharing threads and a certificate.
package actor SimFleet {
  private let receivers: [ReceiverConfiguration]
  private let options: SimServer.Options
  private let setupPort: Int?
  private let advertising: AdvertisingOptions?
  private var servers: [SimServer] = []

  /// - Parameters:
  ///   - port: port of the first receiver, the others follow; 0 for any that are free.
  ///   - setupPort: port of the first receiver's setup page; nil for none.
  ///   - advertising: how they make themselves known on the network; nil for not at all.
  package init(
    receivers: [ReceiverConfiguration], bind: String, port: Int, setupPort: Int?,
    advertising: AdvertisingOptions? = nil, speed: Double, log: SimLog?
  ) {
    self.advertising = advertising
    self.receivers = receivers
    self.setupPort = setupPort
    var options = SimServer.Options()
    options.bind = bind
    options.port = port
    options.speed = speed
    options.log = log
    self.options = options
  }

  /// Starts them all and announces each with a line. They run as long as the process.
  package func start(announce: @Sendable (String) -> Void) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, min(receivers.count, System.coreCount)))
    let now = time(nil)
    let identity = try TLSIdentity.selfSigned(
      commonName: "castq-receiver-sim", notBefore: now - 3600, notAfter: now + 3 * 86_400)
    for (index, receiver) in receivers.enumerated() {
      var own = options
      own.port = options.port == 0 ? 0 : options.port + index
      let server = try await SimServer.start(receiver, own, identity: identity, on: group)
      servers.append(server)
      announce("listening on \(own.bind):\(server.port) name=\(receiver.friendlyName) uuid=\(receiver.uuid)")
      if let advertising {
        let advertiser = try await server.advertise(advertising)
        announce("advertised by " + advertiser.links.map(\.description).sorted().joined(separator: ", "))
        for failure in advertiser.failures.values.map(\.description).sorted() {
          announce("not advertised: \(failure)")
        }
      }
    }
    if let setupPort, let first = receivers.first {
      let port = try await SetupServer.start(first, bind: options.bind, port: setupPort, on: group)
      announce("setup page on \(options.bind):\(port)")
    }
  }

  /// Says goodbye for all receivers and closes them.
  package func stop() async {
    for server in servers { await server.stop() }
  }

  /// Does what a line says to all receivers, or with `2: …` to the second.
  package func control(_ line: String) async throws(SimControlSyntaxError) {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard let number = parts.first.flatMap({ Int($0) }), parts.count == 2 else {
      let control = try SimControl(parsing: line)
      for server in servers { await server.control(control) }
      return
    }
    guard servers.indices.contains(number - 1) else {
      throw SimControlSyntaxError(description: "there is no receiver \(number)")
    }
    let control = try SimControl(parsing: String(parts[1]))
    await servers[number - 1].control(control)
  }
}
