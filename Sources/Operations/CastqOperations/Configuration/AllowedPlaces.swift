package import CastGuard
import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqStore
import CastqText

extension LocalPlaces {
  /// The places of the configuration. A mistake there allows nothing; the commands that go by the whole file report it.
  package init(_ global: CallOptions) {
    self.init((try? ConfigurationFile(global).allowedLocal().get()) ?? [])
  }

  /// The places for a picture: a receiver names castq's own address for what castq has loaded from a file.
  /// - Parameter address: the picture.
  package static func showing(_ address: String, _ global: CallOptions, _ workspace: Workspace) async
    -> LocalPlaces
  {
    var places = LocalPlaces(global)
    guard ServedAddress.isServed(address), let port = WebAddress.port(of: address) else { return places }
    let configuration = try? ConfigurationFile(global).read().get()
    let rules = configuration.map { [$0.standard] + $0.devices.map(\.rules) } ?? []
    let advertised = (try? MediaArguments(global))?.advertised?.port
    places.ownPorts = Set(
      [ServedAddress.port(beside: workspace.database.path), advertised].compactMap(\.self)
        + rules.compactMap(\.advertised?.port))
    if !places.ownPorts.contains(port) { places.ownPorts.formUnion(await workspace.servingPorts()) }
    return places
  }
}

extension Workspace {
  /// The ports of the feeders of this computer: where another one had the port of the database, they have ports of their own.
  fileprivate func servingPorts() async -> Set<Int> {
    var sockets: [String: KnownDevice] = [:]
    for device in (try? devices.all()) ?? [] {
      if let socket = controlSocket(for: device) { sockets[socket] = device }
    }
    var ports: Set<Int> = []
    for (socket, device) in sockets {
      let log = try? await ControlClient(socket: socket, device: device.id).ask(
        .fetches, timeout: .seconds(2))
      if let port = log?["port"]?.int { ports.insert(port) }
    }
    return ports
  }
}
