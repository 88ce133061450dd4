extension DNSMessage {
  /// Splits questions and known answers into as many packets as they need. A list of known answers that continues in the next
  /// packet is marked as truncated (RFC 6762, 7.2).
  package static func queries(
    asking questions: [DNSQuestion], knowing known: [DNSRecord] = []
  ) throws(DNSError) -> [[UInt8]] {
    var messages: [DNSMessage] = []
    var message = DNSMessage()
    var room = Room()
    for question in questions {
      if !room.take(question.name, bytes: 4) {
        messages.append(message)
        message = DNSMessage()
        room = Room()
        _ = room.take(question.name, bytes: 4)
      }
      message.questions.append(question)
    }
    for record in known {
      if !room.take(record) {
        message.isTruncated = true
        messages.append(message)
        message = DNSMessage()
        room = Room()
        _ = room.take(record)
      }
      message.answers.append(record)
    }
    messages.append(message)
    var packets: [[UInt8]] = []
    for message in messages { packets.append(try message.encoded()) }
    return packets
  }

  /// The remaining size of the packet, underestimated: of shared suffixes, only whole names count.
  private struct Room {
    private var rest = DNSMessage.maximumSentLength - 12
    private var written: Set<DNSName> = []

    mutating func take(_ record: DNSRecord) -> Bool {
      guard case .ptr(let target) = record.data, let label = target.labels.first else {
        return take(record.name, bytes: 10 + 255)
      }
      let parent = target.parent
      let bytes = 10 + 1 + label.utf8.count + (written.contains(parent) ? 2 : Self.length(of: parent))
      guard take(record.name, bytes: bytes) else { return false }
      written.insert(parent)
      return true
    }

    mutating func take(_ name: DNSName, bytes: Int) -> Bool {
      let length = bytes + (written.contains(name) ? 2 : Self.length(of: name))
      guard length <= rest else { return false }
      rest -= length
      written.insert(name)
      return true
    }

    private static func length(of name: DNSName) -> Int { name.labels.reduce(1) { $0 + 1 + $1.utf8.count } }
  }
}
