import NIOCore
import Synchronization

/// The open connections, and the decision whether to admit another one.
///
/// A connection is unknown until it requests a published file. At a limit an unknown connection is closed for a new one, first
/// the oldest one of the address with the most unknown connections. So a peer that only holds connections open cannot keep a
/// device out.
final class ConnectionLedger: Sendable {
  private struct Connection {
    var channel: any Channel
    var address: String
    /// Numbered in the order of arrival.
    var number: Int
    var hasNamedFile = false
  }

  private struct Entries {
    var connections: [ObjectIdentifier: Connection] = [:]
    var lastNumber = 0
    /// Addresses that requested a published file, the latest last: these are devices that castq feeds.
    var devices: [String] = []

    func count(from address: String) -> Int { connections.values.count { $0.address == address } }

    /// The unknown connection to close for a new one; nil when the new one is refused.
    func victim(for newcomer: String, where isCandidate: (Connection) -> Bool) -> ObjectIdentifier? {
      let strangers = connections.filter { !$0.value.hasNamedFile && isCandidate($0.value) }
      let perAddress = Dictionary(strangers.map { ($0.value.address, 1) }, uniquingKeysWith: +)
      func rank(_ connection: Connection) -> (Int, Int, Int) {
        (
          devices.contains(connection.address) ? 1 : 0, -(perAddress[connection.address] ?? 0),
          connection.number
        )
      }
      guard let first = strangers.min(by: { rank($0.value) < rank($1.value) }) else { return nil }
      let isDevice = devices.contains(first.value.address)
      return isDevice && !devices.contains(newcomer) ? nil : first.key
    }
  }

  private let entries = Mutex(Entries())
  private let limits: MediaServerLimits

  init(limits: MediaServerLimits) { self.limits = limits }

  /// Connections that are open now.
  var channels: [any Channel] { entries.withLock { $0.connections.values.map(\.channel) } }

  /// False when a limit is reached; otherwise the connection counts until it closes.
  func admit(_ channel: any Channel) -> Bool {
    let address = channel.remoteAddress?.ipAddress ?? ""
    let (isAdmitted, victim) = entries.withLock { entries -> (Bool, (any Channel)?) in
      let isFullHere = entries.count(from: address) >= limits.connectionsPerAddress
      var victim: (any Channel)?
      if isFullHere || entries.connections.count >= limits.connections {
        let key = entries.victim(for: address) { !isFullHere || $0.address == address }
        guard let key else { return (false, nil) }
        victim = entries.connections.removeValue(forKey: key)?.channel
      }
      entries.lastNumber += 1
      entries.connections[ObjectIdentifier(channel)] = Connection(
        channel: channel, address: address, number: entries.lastNumber)
      return (true, victim)
    }
    victim?.close(promise: nil)
    if isAdmitted { channel.closeFuture.whenComplete { _ in self.remove(channel) } }
    return isAdmitted
  }

  /// Records that the connection requested a published file by its secret link.
  func recordNamedFile(_ channel: any Channel) {
    entries.withLock { entries in
      guard let connection = entries.connections[ObjectIdentifier(channel)], !connection.hasNamedFile else {
        return
      }
      entries.connections[ObjectIdentifier(channel)]?.hasNamedFile = true
      entries.devices.removeAll { $0 == connection.address }
      entries.devices.append(connection.address)
      if entries.devices.count > limits.connections { entries.devices.removeFirst() }
    }
  }

  private func remove(_ channel: any Channel) {
    entries.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
  }
}

/// Closes connections above the limits before a pipeline is built for them.
final class ConnectionLimiter: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private let ledger: ConnectionLedger

  init(_ ledger: ConnectionLedger) { self.ledger = ledger }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    guard ledger.admit(channel) else {
      channel.close(promise: nil)
      return
    }
    context.fireChannelRead(data)
  }
}
