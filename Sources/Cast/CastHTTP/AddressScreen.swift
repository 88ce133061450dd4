import CastGuard
import NIOCore
import Synchronization

/// The rule for one address of the web, applied to each IP address of its host.
final class AddressScreen: Sendable {
  private let rule: FetchGuard
  private let address: HTTPAddress
  private let computer: OwnComputer
  private let refused = Mutex<FetchRefusal?>(nil)

  init(_ rule: FetchGuard, _ address: HTTPAddress) {
    (self.rule, self.address) = (rule, address)
    computer = rule.origin == .owner ? OwnComputer() : .read()
  }

  /// The first refusal; nil when there was none.
  var refusal: FetchRefusal? { refused.withLock { $0 } }

  /// The addresses that may be connected to, with the port of the address of the web.
  func passed(_ addresses: [SocketAddress]) -> [SocketAddress] {
    addresses.compactMap { candidate in
      var candidate = candidate
      candidate.port = address.port
      guard rule.origin != .owner else { return candidate }
      guard let literal = candidate.ipAddress.flatMap({ IPAddress($0.prefix { $0 != "%" }) }) else {
        return nil
      }
      if let refusal = rule.refusal(of: address.host, port: address.port, at: literal, on: computer) {
        refused.withLock { $0 = $0 ?? refusal }
        return nil
      }
      return candidate
    }
  }
}
