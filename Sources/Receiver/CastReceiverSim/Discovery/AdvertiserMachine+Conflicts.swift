import CastMulticast
import CastProtocol

/// Conflicts over the name (RFC 6762, 8 and 9).
///
/// Only the instance can conflict: the host's name is the device's UUID, which is unique.
extension AdvertiserMachine {
  /// Number of conflicts after which probing pauses.
  private static let conflictLimit = 15
  private static let conflictPause = Duration.seconds(5)
  private static let loserPause = Duration.seconds(1)

  /// Handles a response; other data under our name are a conflict.
  mutating func heard(_ response: DNSMessage, on link: MulticastLink) {
    let records = records(on: link)
    let own = records.records(.service).map(\.data)
    let isTaken = (response.answers + response.additionals).contains { record in
      guard case .srv = record.data else { return false }
      return record.name == records.instance && record.timeToLive > 0 && !own.contains(record.data)
    }
    guard isTaken else { return }
    // A device that has announced the name probes for it again; one that is still probing is renamed.
    if case .probing = phase { rename() }
    conflicts += 1
    probe(after: conflicts < Self.conflictLimit ? .zero : Self.conflictPause)
  }

  /// Resolves simultaneous probes for the same name: the records that are lexicographically later win (RFC 6762, 8.2).
  mutating func compete(with query: DNSMessage, on link: MulticastLink) {
    guard case .probing = phase else { return }
    let records = records(on: link)
    let theirs = query.authorities.filter { $0.name == records.instance }
    guard !theirs.isEmpty else { return }
    let ours = [AdvertisedPart.service, .text].flatMap(records.records)
    guard Self.order(ours).lexicographicallyPrecedes(Self.order(theirs), by: Self.precedes) else { return }
    probe(after: Self.loserPause)
  }

  /// The records in comparable form: by type, then by the bytes of the data, with uncompressed names.
  private static func order(_ records: [DNSRecord]) -> [[UInt8]] {
    records.map { rank($0.data) }.sorted(by: precedes)
  }

  private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }

  private static func rank(_ data: DNSRecordData) -> [UInt8] {
    func big(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
    func text(_ bytes: [UInt8]) -> [UInt8] { [UInt8(clamping: bytes.count)] + bytes }
    func name(_ name: DNSName) -> [UInt8] { name.labels.flatMap { text(Array($0.utf8)) } + [0] }
    switch data {
    case .a(let bytes): return big(DNSRecordType.a.rawValue) + bytes
    case .aaaa(let bytes): return big(DNSRecordType.aaaa.rawValue) + bytes
    case .ptr(let target): return big(DNSRecordType.ptr.rawValue) + name(target)
    case .txt(let texts): return big(DNSRecordType.txt.rawValue) + texts.flatMap(text)
    case .srv(let priority, let weight, let port, let target):
      return [DNSRecordType.srv.rawValue, priority, weight, port].flatMap(big) + name(target)
    case .other(let type, let bytes): return big(type.rawValue) + bytes
    }
  }
}
