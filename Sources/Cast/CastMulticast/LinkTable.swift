import NIOCore
import Synchronization

/// The open links of one transport, shared by its sockets.
final class LinkTable: Sendable {
  private struct Entry: Sendable {
    var channel: any Channel
    var addresses: [InterfaceAddress]
  }

  private let entries = Mutex<[MulticastLink: Entry]>([:])

  var links: Set<MulticastLink> { entries.withLock { Set($0.keys) } }

  func channel(of link: MulticastLink) -> (any Channel)? { entries.withLock { $0[link]?.channel } }

  func add(_ link: MulticastLink, _ channel: any Channel, addresses: [InterfaceAddress]) {
    entries.withLock { $0[link] = Entry(channel: channel, addresses: addresses) }
  }

  /// Updates the addresses of an open link.
  func update(_ link: MulticastLink, addresses: [InterfaceAddress]) {
    entries.withLock { $0[link]?.addresses = addresses }
  }

  /// Removes a link; returns its socket.
  func remove(_ link: MulticastLink) -> (any Channel)? {
    entries.withLock { $0.removeValue(forKey: link)?.channel }
  }

  func link(interfaceIndex: Int, family: MulticastLink.Family) -> MulticastLink? {
    entries.withLock { entries in
      entries.keys.first { $0.interfaceIndex == interfaceIndex && $0.family == family }
    }
  }

  func isNeighbour(_ address: [UInt8], of link: MulticastLink) -> Bool {
    // fe80::/10 never leaves a link.
    if address.count == 16, address[0] == 0xFE, address[1] & 0xC0 == 0x80 { return true }
    return entries.withLock { $0[link]?.addresses.contains { $0.isNeighbour(address) } ?? false }
  }
}
