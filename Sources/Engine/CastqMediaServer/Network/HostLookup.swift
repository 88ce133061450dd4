import Dispatch
import Glibc

/// The IP addresses of hosts that are known by their names.
package enum HostLookup {
  /// The first IP address of a host, as the system orders them, that a route of this machine leads to; an IP address is its own, and so is
  /// a name that has none.
  ///
  /// The system asks its name servers, which may take as long as it waits for them.
  package static func address(of host: String) async -> String {
    if (try? SocketEndpoint(literal: host)) != nil { return host }
    return await withCheckedContinuation { done in
      DispatchQueue.global().async {
        let addresses = addresses(of: host)
        let reached = addresses.first { (try? LocalAddress.reaching($0)) != nil }
        done.resume(returning: reached ?? addresses.first ?? host)
      }
    }
  }

  /// Blocks its caller.
  private static func addresses(of host: String) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var result: [String] = []
    var next = found
    while let entry = next {
      next = entry.pointee.ai_next
      // With its zone, without which an address of one link leads nowhere.
      var text = [CChar](repeating: 0, count: 64)
      let size = socklen_t(text.count)
      guard let address = entry.pointee.ai_addr,
        getnameinfo(address, entry.pointee.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      result.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return result
  }
}
