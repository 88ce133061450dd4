import NIOCore
import Synchronization

/// Who is connected, and whether one more may be.
final class ConnectionLedger: Sendable {
  private struct Entries {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var perAddress: [String: Int] = [:]
  }

  private let entries = Mutex(Entries())
  private let limits: MediaServerLimits

  init(limits: MediaServerLimits) { self.limits = limits }

  /// Connections that are open now.
  var channels: [any Channel] { entries.withLock { Array($0.channels.values) } }

  /// False when a limit is reached; otherwise the connection counts until it closes.
  func admit(_ channel: any Channel) -> Bool {
    let address = channel.remoteAddress?.ipAddress ?? ""
    let isAdmitted = entries.withLock { entries in
      guard entries.channels.count < limits.connections else { return false }
      guard entries.perAddress[address, default: 0] < limits.connectionsPerAddress else { return false }
      entries.channels[ObjectIdentifier(channel)] = channel
      entries.perAddress[address, default: 0] += 1
      return true
    }
    if isAdmitted {
      channel.closeFuture.whenComplete { _ in self.dismiss(ObjectIdentifier(channel), address: address) }
    }
    return isAdmitted
  }

  private func dismiss(_ channel: ObjectIdentifier, address: String) {
    entries.withLock { entries in
      guard entries.channels.removeValue(forKey: channel) != nil else { return }
      let left = entries.perAddress[address, default: 1] - 1
      entries.perAddress[address] = left > 0 ? left : nil
    }
  }
}

/// Closes connections above the limits before anything is built for them.
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
