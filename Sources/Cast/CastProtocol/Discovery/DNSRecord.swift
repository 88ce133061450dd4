/// The type of a record.
package struct DNSRecordType: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: UInt16

  package init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// An IPv4 address.
  package static let a = DNSRecordType(1)
  /// Another name: from a service to its instance.
  package static let ptr = DNSRecordType(12)
  /// Strings; the keys and values of an instance.
  package static let txt = DNSRecordType(16)
  /// An IPv6 address.
  package static let aaaa = DNSRecordType(28)
  /// Host and port of an instance.
  package static let srv = DNSRecordType(33)
  /// The types that exist for a name.
  package static let nsec = DNSRecordType(47)
  /// In a query: all types.
  package static let any = DNSRecordType(255)

  package var description: String {
    switch self {
    case .a: "A"
    case .ptr: "PTR"
    case .txt: "TXT"
    case .aaaa: "AAAA"
    case .srv: "SRV"
    case .nsec: "NSEC"
    case .any: "ANY"
    default: "TYPE\(rawValue)"
    }
  }
}

/// A question of a query.
package struct DNSQuestion: Sendable, Hashable {
  package var name: DNSName
  package var type: DNSRecordType
  /// Whether a unicast reply is allowed (QU).
  package var wantsUnicastReply: Bool

  package init(name: DNSName, type: DNSRecordType, wantsUnicastReply: Bool = false) {
    self.name = name
    self.type = type
    self.wantsUnicastReply = wantsUnicastReply
  }
}

/// A resource record.
package struct DNSRecord: Sendable, Hashable {
  package var name: DNSName
  package var data: DNSRecordData
  /// Time to live in seconds; 0 withdraws the record.
  package var timeToLive: UInt32
  /// Whether it replaces the known records of its name and type, instead of adding to them.
  package var flushesCache: Bool

  package init(name: DNSName, data: DNSRecordData, timeToLive: UInt32, flushesCache: Bool = false) {
    self.name = name
    self.data = data
    self.timeToLive = timeToLive
    self.flushesCache = flushesCache
  }

  package var type: DNSRecordType { data.type }
}

/// The content of a record.
package enum DNSRecordData: Sendable, Hashable {
  /// The four bytes of an IPv4 address.
  case a([UInt8])
  /// The sixteen bytes of an IPv6 address.
  case aaaa([UInt8])
  case ptr(DNSName)
  case srv(priority: UInt16, weight: UInt16, port: UInt16, target: DNSName)
  /// Strings of 1 to 255 bytes; empty ones are omitted.
  case txt([[UInt8]])
  /// The bytes of an unsupported type. A name in them may point into the received packet.
  case other(DNSRecordType, [UInt8])

  package var type: DNSRecordType {
    switch self {
    case .a: .a
    case .aaaa: .aaaa
    case .ptr: .ptr
    case .srv: .srv
    case .txt: .txt
    case .other(let type, _): type
    }
  }
}
