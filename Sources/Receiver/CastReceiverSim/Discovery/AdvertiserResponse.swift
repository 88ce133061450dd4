import CastProtocol

/// Builds the datagrams of answers and announcements.
struct AdvertiserResponse: Sendable {
  /// Longest time in seconds that an old resolver may keep an answer (RFC 6762, 6.7).
  private static let legacyTimeToLive: UInt32 = 10

  let records: AdvertisedRecords

  /// - Parameters:
  ///   - isGoodbye: whether the records are withdrawn (protocol 13.5).
  ///   - additional: omitted when there is no room.
  func datagrams(
    _ parts: [AdvertisedPart], additional: [AdvertisedPart] = [], isGoodbye: Bool = false
  ) -> [[UInt8]] {
    var answers = parts.flatMap(records.records)
    if isGoodbye { for index in answers.indices { answers[index].timeToLive = 0 } }
    return Self.datagrams(answers, additional.flatMap(records.records))
  }

  /// The answer to an ordinary DNS resolver, as a name server would give it (RFC 6762, 6.7).
  func legacyDatagram(_ parts: [AdvertisedPart], to query: DNSMessage) -> [UInt8]? {
    func plain(_ parts: [AdvertisedPart]) -> [DNSRecord] {
      parts.flatMap(records.records).map { record in
        var record = record
        record.timeToLive = min(record.timeToLive, Self.legacyTimeToLive)
        record.flushesCache = false
        return record
      }
    }
    var message = DNSMessage(id: query.id, isResponse: true, isAuthoritative: true)
    message.questions = query.questions
    message.answers = plain(parts)
    message.additionals = plain(records.additions(to: parts))
    if let whole = Self.encoded(message) { return whole }
    message.additionals = []
    return Self.encoded(message)
  }

  /// The probe for a name, with the proposed records (RFC 6762, 8.1).
  var probe: [UInt8]? {
    var message = DNSMessage(id: 0, isResponse: false, isAuthoritative: false)
    message.questions = [DNSQuestion(name: records.instance, type: .any, wantsUnicastReply: true)]
    message.authorities = [AdvertisedPart.service, .text].flatMap(records.records).map { record in
      var record = record
      record.flushesCache = false
      return record
    }
    return Self.encoded(message)
  }

  private static func datagrams(_ answers: [DNSRecord], _ additional: [DNSRecord]) -> [[UInt8]] {
    guard !answers.isEmpty else { return [] }
    var message = DNSMessage(id: 0, isResponse: true, isAuthoritative: true)
    message.answers = answers
    message.additionals = additional
    if let whole = encoded(message) { return [whole] }
    if !additional.isEmpty { return datagrams(answers, []) }
    // A single record cannot be split.
    guard answers.count > 1 else { return [] }
    let half = answers.count / 2
    return datagrams(Array(answers[..<half]), []) + datagrams(Array(answers[half...]), [])
  }

  private static func encoded(_ message: DNSMessage) -> [UInt8]? {
    do throws(DNSError) {
      return try message.encoded()
    } catch {
      return nil  // too long for one datagram
    }
  }
}
