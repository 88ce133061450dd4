/// A query or a response: one packet of multicast DNS (protocol 13).
package struct DNSMessage: Sendable, Hashable {
  /// Maximum size of a received packet, in bytes.
  package static let maximumReceivedLength = 9000
  /// Maximum size of a sent packet, in bytes: it passes any network without fragmentation.
  package static let maximumSentLength = 1440
  /// Maximum number of entries in all sections of a packet. A meaningful packet of 9000 bytes has fewer.
  package static let maximumRecordCount = 512
  /// Maximum number of parts of one name.
  package static let maximumJumpCount = 32

  /// 0, except in replies to a single host.
  package var id: UInt16
  package var isResponse: Bool
  /// Whether the sender is the owner of the answers; in multicast DNS always true.
  package var isAuthoritative: Bool
  /// In a query: more known answers follow in another packet.
  package var isTruncated: Bool
  package var questions: [DNSQuestion]
  /// In a query: known answers, which need no reply.
  package var answers: [DNSRecord]
  package var authorities: [DNSRecord]
  /// Additional records.
  package var additionals: [DNSRecord]

  package init(
    id: UInt16 = 0, isResponse: Bool = false, isAuthoritative: Bool = false, isTruncated: Bool = false,
    questions: [DNSQuestion] = [], answers: [DNSRecord] = [], authorities: [DNSRecord] = [],
    additionals: [DNSRecord] = []
  ) {
    self.id = id
    self.isResponse = isResponse
    self.isAuthoritative = isAuthoritative
    self.isTruncated = isTruncated
    self.questions = questions
    self.answers = answers
    self.authorities = authorities
    self.additionals = additionals
  }

  /// Creates a query.
  package static func query(
    _ questions: [DNSQuestion], knownAnswers: [DNSRecord] = [], isTruncated: Bool = false
  ) -> DNSMessage {
    DNSMessage(isTruncated: isTruncated, questions: questions, answers: knownAnswers)
  }

  /// Creates a response of the owner.
  package static func response(_ answers: [DNSRecord], additionals: [DNSRecord] = []) -> DNSMessage {
    DNSMessage(isResponse: true, isAuthoritative: true, answers: answers, additionals: additionals)
  }
}
