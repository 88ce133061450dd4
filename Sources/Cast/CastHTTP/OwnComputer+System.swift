import CastGuard
import Glibc

extension OwnComputer {
  /// This computer at this moment: addresses come and go with its networks. One whose interfaces cannot be read has loopback alone.
  static func read() -> OwnComputer {
    var computer = OwnComputer(addresses: [], names: ownNames())
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return computer }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      if let address = entry.pointee.ifa_addr.flatMap(IPAddress.init(system:)) {
        computer.addresses.insert(address)
      }
    }
    return computer
  }

  /// What the computer calls itself, and the same on its network.
  private static func ownNames() -> Set<String> {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .lowercased()
    guard !name.isEmpty, name != "localhost" else { return [] }
    return name.contains(".") ? [name] : [name, "\(name).local"]
  }
}

extension IPAddress {
  /// The address in a socket address of the system; nil for one of another family.
  init?(system address: UnsafeMutablePointer<sockaddr>) {
    switch CInt(address.pointee.sa_family) {
    case AF_INET:
      self.init(
        bytes: address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
        })
    case AF_INET6:
      self.init(
        bytes: address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
        })
    default: return nil
    }
  }
}
