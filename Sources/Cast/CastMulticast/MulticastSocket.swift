import Glibc
import NIOCore
import NIOPosix

/// Opens the socket of one link.
///
/// Multicast options are set by system calls: NIO refuses them for loopback, which does not report that it supports multicast, but
/// does.
struct MulticastSocket {
  /// Options of Linux that the C library's headers keep to the kernel's (linux/in.h, linux/in6.h).
  private enum Option {
    static let unicastInterface = NIOBSDSocket.Option(rawValue: 50)
    static let multicastAll = NIOBSDSocket.Option(rawValue: 49)
    static let unicastInterface6 = NIOBSDSocket.Option(rawValue: 76)
    static let multicastAll6 = NIOBSDSocket.Option(rawValue: 29)
  }

  /// As the kernel's `struct ip_mreqn`.
  private struct Membership4: Sendable {
    var group: UInt32
    var address: UInt32
    var interfaceIndex: CInt
  }

  /// As the kernel's `struct ipv6_mreq`.
  private struct Membership6: Sendable {
    /// ff02::fb
    var group = (UInt64(0xFF02_0000_0000_0000).bigEndian, UInt64(0xFB).bigEndian)
    var interfaceIndex: CInt
    /// The struct ends where C ends it; Swift's has the alignment of its widest member.
    var padding: CInt = 0
  }

  /// For multicast DNS (RFC 6762, 11): a routed datagram arrives with a lower value.
  private static let hopLimit: CInt = 255

  let link: MulticastLink
  let port: Int
  /// An address of the link: datagrams must not have the source address of another interface.
  let address: InterfaceAddress

  /// The address and port of this link's group.
  static func group(_ link: MulticastLink, port: Int) throws -> SocketAddress {
    // The zone of the IPv6 one is the socket's interface.
    try SocketAddress(ipAddress: link.family == .v4 ? "224.0.0.251" : "ff02::fb", port: port)
  }

  /// Opens the socket, joins the group, and prepares for sending.
  func open(
    on loop: any EventLoop, handler: @escaping @Sendable () -> MulticastHandler
  ) async throws(MulticastError) -> any Channel {
    let channel: any Channel
    do {
      channel = try await bootstrap(on: loop, handler: handler)
        .bind(host: link.family == .v4 ? "0.0.0.0" : "::", port: port).get()
    } catch {
      throw MulticastError(error, doing: "listening on UDP port \(port)", on: link, port: port)
    }
    do {
      try await channel.setOption(.receivePacketInfo, value: true).get()
      guard let options = channel as? any SocketOptionProvider else {
        throw ChannelError.operationUnsupported
      }
      switch link.family {
      case .v4: try await joinIPv4(options)
      case .v6: try await joinIPv6(options)
      }
      return channel
    } catch {
      channel.close(promise: nil)
      throw MulticastError(error, doing: "joining the multicast group", on: link, port: port)
    }
  }

  private func bootstrap(
    on loop: any EventLoop, handler: @escaping @Sendable () -> MulticastHandler
  ) -> DatagramBootstrap {
    // Other programs of this computer use the same port: all of them receive multicast datagrams.
    let shared = DatagramBootstrap(group: loop)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .channelOption(.socketOption(NIOBSDSocket.Option(rawValue: SO_REUSEPORT)), value: 1)
      .channelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: MulticastTransport.lengthLimit + 1)
      )
      .channelOption(.writeBufferWaterMark, value: .init(low: 1 << 16, high: 1 << 18))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(handler())
        }
      }
    switch link.family {
    // Without it a socket receives every group that any program of this computer has joined, on any interface.
    case .v4:
      return shared.channelOption(
        ChannelOptions.Types.SocketOption(level: .ip, name: Option.multicastAll), value: 0)
    case .v6:
      return
        shared
        .channelOption(ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only), value: 1)
        .channelOption(ChannelOptions.Types.SocketOption(level: .ipv6, name: Option.multicastAll6), value: 0)
    }
  }

  private func joinIPv4(_ options: any SocketOptionProvider) async throws {
    let membership = Membership4(
      group: UInt32(0xE000_00FB).bigEndian,
      address: address.bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) },
      interfaceIndex: CInt(truncatingIfNeeded: link.interfaceIndex))
    let index = CInt(truncatingIfNeeded: link.interfaceIndex).bigEndian
    try await options.unsafeSetSocketOption(level: .ip, name: .ip_add_membership, value: membership).get()
    try await options.unsafeSetSocketOption(level: .ip, name: .ip_multicast_if, value: membership).get()
    try await options.unsafeSetSocketOption(level: .ip, name: Option.unicastInterface, value: index).get()
    for name in [NIOBSDSocket.Option.ip_multicast_ttl, NIOBSDSocket.Option(rawValue: IP_TTL)] {
      try await options.unsafeSetSocketOption(level: .ip, name: name, value: Self.hopLimit).get()
    }
    try await options.unsafeSetSocketOption(level: .ip, name: .ip_multicast_loop, value: CInt(1)).get()
  }

  private func joinIPv6(_ options: any SocketOptionProvider) async throws {
    let membership = Membership6(interfaceIndex: CInt(truncatingIfNeeded: link.interfaceIndex))
    let index = CInt(truncatingIfNeeded: link.interfaceIndex)
    try await options.unsafeSetSocketOption(level: .ipv6, name: .ipv6_join_group, value: membership).get()
    try await options.unsafeSetSocketOption(level: .ipv6, name: .ipv6_multicast_if, value: index).get()
    try await options.unsafeSetSocketOption(
      level: .ipv6, name: Option.unicastInterface6, value: index.bigEndian
    ).get()
    for name in [NIOBSDSocket.Option.ipv6_multicast_hops, NIOBSDSocket.Option(rawValue: IPV6_UNICAST_HOPS)] {
      try await options.unsafeSetSocketOption(level: .ipv6, name: name, value: Self.hopLimit).get()
    }
    try await options.unsafeSetSocketOption(level: .ipv6, name: .ipv6_multicast_loop, value: CInt(1)).get()
  }
}
