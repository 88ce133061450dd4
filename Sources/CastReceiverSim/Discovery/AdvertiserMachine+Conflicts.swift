import CastMulticast
import CastProtocol

/// Others that want the same name (RFC 6762, 8 and 9).
///
/// Only the instance is fought for: the host's name is the device's UUID, which nobody else has.
extension AdvertiserMachine {
  /// After so many conflicts the next one must wait.
  private static let conflictLimit = 15
  private static let conflictPause = Duration.seconds(5)
  private static let loserPause = Duration.seconds(1)

  /// Somebody says something: that is a conflict when it is said under our name.
  mutating func heard(_ response: DNSMessage, on link: MulticastLink) {
    let records = records(on: link)
    let own = records.records(.service).map(\.data)
    let isTaken = (response.answers + response.additionals).contains { record in
      guard case .srv = record.data else { return false }
      return record.name == records.instance && record.timeToLive > 0 && !own.contains(record.data)
    }
    guard isTaken else { return }
    // Who has the name already is asked once more whether it still wants it; who has not takes another.
    if case .probing = phase { rename() }
    conflicts += 1
    probe(after: conflicts < Self.conflictLimit ? .zero : Self.conflictPause)
  }

  /// Somebody probes for the same name at the same time: the one whose records come later in the alphabet wins
  /// (RFC 6762, 8.2).
  mutating func compete(with query: DNSMessage, on link: MulticastLink) {
    guard case .probing = phase else { return }
    let records = records(on: link)
    let theirs = query.authorities.filter { $0.name == records.instance }
    guard !theirs.isEmpty else { return }
    let ours = [AdvertisedPart.service, .text].flatMap(records.records)
    guard Self.order(ours).lexicographicallyPrecedes(Self.order(theirs), by: Self.precedes) else { return }
    probe(after: Self.loserPause)
  }

  /// As the rule compares: by type, then by the bytes of the data, names in full.
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
