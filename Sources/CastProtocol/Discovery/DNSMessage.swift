/// A question to all who listen, or an answer: one packet of multicast DNS (protocol 13).
package struct DNSMessage: Sendable, Hashable {
  /// Bytes a packet may have that is read.
  package static let maximumReceivedLength = 9000
  /// Bytes a packet has at most that is written: it passes any network without being cut.
  package static let maximumSentLength = 1440
  /// Entries of all sections that one packet may have. A packet of 9000 bytes that tells something has fewer.
  package static let maximumRecordCount = 512
  /// Places one name may be spread over.
  package static let maximumJumpCount = 32

  /// 0 but where a single asker wants to know his answer again.
  package var id: UInt16
  package var isResponse: Bool
  /// Whether who answers is the owner of what he tells; in multicast DNS always so.
  package var isAuthoritative: Bool
  /// In a question: more known answers follow in another packet.
  package var isTruncated: Bool
  package var questions: [DNSQuestion]
  /// In a question: what is known already and needs no answer.
  package var answers: [DNSRecord]
  package var authorities: [DNSRecord]
  /// What will be asked next anyway.
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

  /// A question.
  package static func query(
    _ questions: [DNSQuestion], knownAnswers: [DNSRecord] = [], isTruncated: Bool = false
  ) -> DNSMessage {
    DNSMessage(isTruncated: isTruncated, questions: questions, answers: knownAnswers)
  }

  /// An answer by the owner.
  package static func response(_ answers: [DNSRecord], additionals: [DNSRecord] = []) -> DNSMessage {
    DNSMessage(isResponse: true, isAuthoritative: true, answers: answers, additionals: additionals)
  }
}
