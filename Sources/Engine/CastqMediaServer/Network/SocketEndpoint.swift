import Glibc

/// A socket address of IPv4 or IPv6, as the system stores it.
struct SocketEndpoint {
  private var storage: sockaddr_storage
  private var length: socklen_t

  var family: CInt { CInt(storage.ss_family) }

  /// Parses an IP address; names are not resolved. The port is arbitrary, because a socket needs one to connect.
  init(literal text: String) throws(LocalAddressError) {
    var bare = text[...]
    if bare.hasPrefix("["), bare.hasSuffix("]") { bare = bare.dropFirst().dropLast() }
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard !bare.isEmpty, getaddrinfo(String(bare), "8009", &hints, &found) == 0, let found else {
      throw .notAnAddress(text)
    }
    defer { freeaddrinfo(found) }
    storage = sockaddr_storage()
    length = found.pointee.ai_addrlen
    guard let address = found.pointee.ai_addr, Int(length) <= MemoryLayout<sockaddr_storage>.size else {
      throw .notAnAddress(text)
    }
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
  }

  /// The local endpoint of a socket; nil when the system does not report it.
  init?(localOf handle: CInt) {
    var name = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(handle, $0, &size) }
    }
    guard result == 0 else { return nil }
    storage = name
    length = size
  }

  func withAddress<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Without a zone; an IPv4-mapped IPv6 address is written as IPv4.
  var literal: String? {
    var text = [CChar](repeating: 0, count: 64)
    let result = withAddress {
      getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    }
    guard result == 0 else { return nil }
    let bytes = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map { UInt8(bitPattern: $0) }
    return Self.plain(String(decoding: bytes, as: UTF8.self))
  }

  /// An address that the system has written, an IPv4-mapped IPv6 address as IPv4.
  static func plain(_ literal: String) -> String {
    literal.hasPrefix("::ffff:") && literal.contains(".") ? String(literal.dropFirst(7)) : literal
  }

  /// False for the unspecified, multicast and broadcast addresses, for which connecting gives a wrong result.
  var isOneHost: Bool {
    guard let literal else { return false }
    let isMulticast = literal.split(separator: ".").first.flatMap { UInt8($0) }.map { $0 >= 224 } ?? false
    return !["0.0.0.0", "::"].contains(literal) && !isMulticast && !literal.lowercased().hasPrefix("ff")
  }
}
