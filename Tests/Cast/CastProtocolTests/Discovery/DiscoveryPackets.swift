import CastProtocol

/// Packets of devices, written by hand from the protocol (13.1).
enum DiscoveryPackets {
  static let id = "0123456789abcdef0123456789abcdef"
  static let instance = DNSName(
    labels: ["Chromecast-Ultra-" + id, "_googlecast", "_tcp", "local"])
  static let host: DNSName = "01234567-89ab-cdef-0123-456789abcdef.local"

  /// The answer of one device: PTR, and SRV, TXT and A besides.
  static let answer = [UInt8](
    hex: "0000840000000001000000030b5f676f6f676c6563617374045f746370056c6f63616c00000c0001000000780034"
      + "314368726f6d65636173742d556c7472612d30313233343536373839616263646566303132333435363738396162"
      + "63646566c00cc02e0021800100000078002d000000001f492430313233343536372d383961622d636465662d3031"
      + "32332d343536373839616263646566c01dc02e001080010000119400702369643d30313233343536373839616263"
      + "646566303132333435363738396162636465660576653d3035136d643d4368726f6d656361737420556c74726112"
      + "69633d2f73657475702f69636f6e2e706e670d666e3d576f686e7a696d6d65720763613d343130310473743d3003"
      + "72733dc07400018001000000780004c0a80114")

  static let answerMessage = DNSMessage.response(
    [DNSRecord(name: CastServiceRecord.serviceType, data: .ptr(instance), timeToLive: 120)],
    additionals: [
      DNSRecord(
        name: instance, data: .srv(priority: 0, weight: 0, port: 8009, target: host), timeToLive: 120,
        flushesCache: true),
      DNSRecord(name: instance, data: .txt(strings), timeToLive: 4500, flushesCache: true),
      DNSRecord(name: host, data: .a([192, 168, 1, 20]), timeToLive: 120, flushesCache: true),
    ])

  static let strings = [
    "id=0123456789abcdef0123456789abcdef", "ve=05", "md=Chromecast Ultra", "ic=/setup/icon.png",
    "fn=Wohnzimmer", "ca=4101", "st=0", "rs=",
  ].map { Array($0.utf8) }

  /// The question of one who looks for devices.
  static let question = [UInt8](
    hex: "0000000000010000000000000b5f676f6f676c6563617374045f746370056c6f63616c00000c8001")

  static let questionMessage = DNSMessage.query([
    DNSQuestion(name: CastServiceRecord.serviceType, type: .ptr, wantsUnicastReply: true)
  ])
}

extension SeededGenerator {
  /// A message with names that share their ends, and records of all kinds.
  mutating func dnsMessage() -> DNSMessage {
    var names: [DNSName] = ["local", "_googlecast._tcp.local"]
    for _ in 0..<Int.random(in: 1...6, using: &self) {
      let label = String(
        (0..<Int.random(in: 1...15, using: &self)).map { _ in
          Array("aAzZ09-_. \\äß漢").randomElement(using: &self) ?? "x"
        })
      names.append(DNSName(labels: [label]).inside(names.randomElement(using: &self) ?? "local"))
    }
    func name(_ generator: inout SeededGenerator) -> DNSName {
      names.randomElement(using: &generator) ?? "local"
    }
    return DNSMessage(
      id: UInt16.random(in: 0...9, using: &self), isResponse: Bool.random(using: &self),
      isAuthoritative: Bool.random(using: &self), isTruncated: Bool.random(using: &self),
      questions: (0..<Int.random(in: 0...2, using: &self)).map { _ in
        DNSQuestion(name: name(&self), type: .any, wantsUnicastReply: Bool.random(using: &self))
      },
      answers: (0..<Int.random(in: 0...4, using: &self)).map { _ in record(name(&self), name(&self)) },
      authorities: (0..<Int.random(in: 0...1, using: &self)).map { _ in record(name(&self), name(&self)) },
      additionals: (0..<Int.random(in: 0...4, using: &self)).map { _ in record(name(&self), name(&self)) })
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }

  private mutating func record(_ name: DNSName, _ other: DNSName) -> DNSRecord {
    let data: DNSRecordData =
      switch Int.random(in: 0..<6, using: &self) {
      case 0: .a(bytes(4))
      case 1: .aaaa(bytes(16))
      case 2: .ptr(other)
      case 3: .srv(priority: 1, weight: 2, port: UInt16.random(in: 0...65_535, using: &self), target: other)
      case 4: .txt((0..<Int.random(in: 0...3, using: &self)).map { bytes($0 + 1) })
      default: .other(.nsec, bytes(5))
      }
    return DNSRecord(
      name: name, data: data, timeToLive: UInt32.random(in: 0...4500, using: &self),
      flushesCache: Bool.random(using: &self))
  }
}
