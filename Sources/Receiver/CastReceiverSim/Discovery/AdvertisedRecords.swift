import CastProtocol

/// A part of a device's records: records that are queried, sent and delayed together.
enum AdvertisedPart: Sendable, Hashable {
  /// That the service type exists.
  case enumeration
  /// From the service type, or one of its subtypes, to the instance.
  case pointer(DNSName)
  case service
  case text
  case ipv4
  case ipv6

  /// Whether other devices may have the same record: their answers must not coincide (RFC 6762, 6).
  var isShared: Bool {
    switch self {
    case .enumeration, .pointer: true
    case .service, .text, .ipv4, .ipv6: false
    }
  }
}

/// The records of one device on one link (protocol 13.1).
struct AdvertisedRecords: Sendable {
  static let serviceType: DNSName = "_googlecast._tcp.local"
  private static let enumerationName: DNSName = "_services._dns-sd._udp.local"
  /// Seconds (protocol 13.5).
  private static let timeToLive: UInt32 = 120
  private static let textTimeToLive: UInt32 = 4500

  let receiver: AdvertisedReceiver
  /// 0, or the number that distinguishes this instance from others with the same name (protocol 13.1).
  let suffix: Int
  /// In network order, IPv4 and IPv6.
  let addresses: [[UInt8]]

  var instanceName: String { receiver.instanceName + (suffix == 0 ? "" : "-\(suffix)") }
  var instance: DNSName { DNSName("\(instanceName)._googlecast._tcp.local") }
  var host: DNSName { DNSName("\(receiver.uuid).local") }

  /// Everything, in the order of an announcement.
  var parts: [AdvertisedPart] {
    pointerNames.map(AdvertisedPart.pointer) + [.service, .text, .ipv4, .ipv6]
  }

  private var pointerNames: [DNSName] {
    let subtypes = receiver.applicationIDs.map { "_\($0)" } + receiver.namespaceHashes.map { "_%\($0)" }
    return [Self.serviceType] + subtypes.map { DNSName("\($0)._sub._googlecast._tcp.local") }
  }

  func timeToLive(_ part: AdvertisedPart) -> UInt32 {
    part == .text ? Self.textTimeToLive : Self.timeToLive
  }

  func records(_ part: AdvertisedPart) -> [DNSRecord] {
    switch part {
    case .enumeration: [record(Self.enumerationName, .ptr(Self.serviceType), part)]
    case .pointer(let name): [record(name, .ptr(instance), part)]
    case .service:
      [
        record(
          instance,
          .srv(priority: 0, weight: 0, port: UInt16(clamping: receiver.port), target: host), part)
      ]
    case .text: [record(instance, .txt(receiver.texts), part)]
    case .ipv4: addresses.filter { $0.count == 4 }.map { record(host, .a($0), part) }
    case .ipv6: addresses.filter { $0.count == 16 }.map { record(host, .aaaa($0), part) }
    }
  }

  private func record(_ name: DNSName, _ data: DNSRecordData, _ part: AdvertisedPart) -> DNSRecord {
    DNSRecord(name: name, data: data, timeToLive: timeToLive(part), flushesCache: !part.isShared)
  }

  /// The parts that a question asks for; empty when it concerns other names.
  func parts(for question: DNSQuestion) -> [AdvertisedPart] {
    func wants(_ type: DNSRecordType) -> Bool { question.type == type || question.type == .any }
    var parts: [AdvertisedPart] = []
    if wants(.ptr) {
      if question.name == Self.enumerationName { parts.append(.enumeration) }
      if pointerNames.contains(question.name) { parts.append(.pointer(question.name)) }
    }
    if question.name == instance {
      if wants(.srv) { parts.append(.service) }
      if wants(.txt) { parts.append(.text) }
    }
    if question.name == host {
      if wants(.a) { parts.append(.ipv4) }
      if wants(.aaaa) { parts.append(.ipv6) }
    }
    return parts.filter { !records($0).isEmpty }
  }

  /// The records that a querier needs after these answers (RFC 6763, 12).
  func additions(to parts: [AdvertisedPart]) -> [AdvertisedPart] {
    var wanted: [AdvertisedPart] = []
    for part in parts {
      switch part {
      case .pointer: wanted += [.service, .text, .ipv4, .ipv6]
      case .service: wanted += [.ipv4, .ipv6]
      case .ipv4: wanted.append(.ipv6)
      case .ipv6: wanted.append(.ipv4)
      case .enumeration, .text: break
      }
    }
    var seen = Set(parts)
    return wanted.filter { seen.insert($0).inserted }
  }

  /// Whether the querier lists all of a part as known, with enough time to live left (RFC 6762, 7.1).
  func isKnown(_ part: AdvertisedPart, from known: [DNSRecord]) -> Bool {
    records(part).allSatisfy { own in
      known.contains {
        $0.name == own.name && $0.data == own.data && $0.timeToLive >= own.timeToLive / 2
      }
    }
  }
}
