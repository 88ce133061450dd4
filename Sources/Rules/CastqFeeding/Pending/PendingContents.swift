import CastProtocol
package import CastqPlaylists

/// A write that waits for a database, with the device whose feeder has made it.
package struct DeviceWrite: Sendable, Hashable {
  package let device: DeviceID
  package let write: FeederWrite

  package init(device: DeviceID, write: FeederWrite) {
    self.device = device
    self.write = write
  }
}

/// What a process could not write until its end, in its order.
package struct PendingBatch: Sendable, Hashable {
  /// Hexadecimal digits that no other batch has: with them a database knows what it has taken in.
  package let id: String
  /// What travels in the tags of each device's queue: a batch of another database changes nothing.
  package let queues: [DeviceID: String]
  package internal(set) var writes: [DeviceWrite]

  package init(id: String, queues: [DeviceID: String], writes: [DeviceWrite]) {
    self.id = id
    self.queues = queues
    self.writes = writes
  }
}

/// The batches of a file, as far as it can be read.
///
/// A line is a check sum, a space and a JSON document. The sum covers the line and the one before it, so that none can be missing,
/// changed or in another place. What is not written of a file that was made long enough beforehand is zeros.
///
///     castq-pending 1
///     SUM {"batch": ID, "queues": {"3": IDENTITY}}
///     SUM {"device": 3, "do": …}
///     SUM {"end": 1}
package struct PendingContents: Sendable, Hashable {
  /// What can be relied on, the oldest first.
  package private(set) var batches: [PendingBatch] = []
  /// Bytes in front of the first line that is not whole: the next batch is written from here on.
  package private(set) var end = 0
  /// Whether the last batch has no end, because its process was killed while it wrote: the rest of it is lost.
  package private(set) var isTorn = false
  /// What is wrong with the first line that cannot be relied on; nil when there is none.
  package private(set) var damage: String?

  /// The most bytes that are read of a file.
  package static let limit = 64 << 20
  private static let head = Array("castq-pending 1\n".utf8)

  /// Whether nothing is in it but room.
  package var isEmpty: Bool { batches.isEmpty && !isTorn && damage == nil }

  /// The same file, whose batches are written elsewhere.
  package var done: PendingContents {
    var done = self
    done.batches = []
    return done
  }

  /// Reads a file.
  package init(_ bytes: [UInt8]) {
    guard bytes.first(where: { $0 != 0 }) != nil else { return }
    guard bytes.starts(with: Self.head) else {
      // The first line of a process that was killed while it wrote it.
      let begun = bytes.prefix { $0 != 0 }
      isTorn = !begun.isEmpty && Self.head.starts(with: begun)
      if !isTorn { damage = "it has no beginning" }
      return
    }
    end = Self.head.count
    var reader = Reader(sum: PendingSum(Self.head))
    var rest = bytes[end...]
    while let first = rest.first, first != 0 {
      guard let length = rest.firstIndex(of: UInt8(ascii: "\n")).map({ $0 - rest.startIndex }) else { break }
      if let problem = reader.read(rest.prefix(length)) {
        damage = problem
        break
      }
      rest = rest.dropFirst(length + 1)
      end = rest.startIndex
    }
    if damage == nil, bytes.count >= Self.limit { damage = "it is too long" }
    if damage == nil, let first = rest.first(where: { $0 != 0 }), first != rest.first {
      damage = "something stands behind its end"
    }
    isTorn = damage == nil && (reader.isOpen || rest.first.map { $0 != 0 } == true)
    batches = reader.batches
  }

  /// The bytes of a batch behind what a file has.
  package func bytes(adding batch: PendingBatch) -> [UInt8] {
    // The sum of the line before does not go from batch to batch: one that is torn is followed by the next.
    var (bytes, sum) = (end == 0 ? Self.head : [], PendingSum(Self.head))
    func line(_ json: JSONValue) {
      let text = Array(json.text.utf8)
      sum.add(text)
      bytes += Array(sum.text.utf8) + [UInt8(ascii: " ")] + text + [UInt8(ascii: "\n")]
    }
    let queues = Dictionary(batch.queues.map { ("\($0.key.rawValue)", JSONValue.string($0.value)) }) { $1 }
    line(["batch": .string(batch.id), "queues": .object(queues)])
    for each in batch.writes {
      guard case .object(var members) = each.write.json else { continue }
      members["device"] = .integer(each.device.rawValue)
      line(.object(members))
    }
    line(["end": .integer(Int64(batch.writes.count))])
    return bytes
  }

  /// Reads line by line.
  private struct Reader {
    private(set) var batches: [PendingBatch] = []
    /// Whether a batch has begun that has not ended.
    private(set) var isOpen = false
    private var sum: PendingSum
    private let first: PendingSum

    init(sum: PendingSum) { (self.sum, first) = (sum, sum) }

    /// - Returns: what is wrong with the line; nil when nothing is.
    mutating func read(_ line: ArraySlice<UInt8>) -> String? {
      let text = Array(line.dropFirst(PendingSum.length + 1))
      var (next, fresh) = (sum, first)
      next.add(text)
      fresh.add(text)
      let said = String(decoding: line.prefix(PendingSum.length), as: UTF8.self)
      guard line.dropFirst(PendingSum.length).first == UInt8(ascii: " "),
        said == next.text || said == fresh.text, let json = try? JSONValue(parsing: text)
      else {
        return "a line of it was changed"
      }
      if said == fresh.text, let batch = Self.begin(json) {
        (sum, isOpen) = (fresh, true)
        batches.append(batch)
        return nil
      }
      let last = batches.count - 1
      guard said == next.text, isOpen, last >= 0 else { return "a line of it is missing" }
      sum = next
      if json["end"]?.int == batches[last].writes.count {
        isOpen = false
        return nil
      }
      guard let device = json["device"]?.pendingNumber, let write = FeederWrite(json: json) else {
        return "a line of it makes no sense"
      }
      batches[last].writes.append(DeviceWrite(device: DeviceID(device), write: write))
      return nil
    }

    private static func begin(_ json: JSONValue) -> PendingBatch? {
      guard let id = json["batch"]?.string, (16...64).contains(id.utf8.count),
        id.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }), let names = json["queues"]?.object
      else { return nil }
      var queues: [DeviceID: String] = [:]
      for (number, name) in names {
        guard let device = Int64(number), let name = name.string else { return nil }
        queues[DeviceID(device)] = name
      }
      return PendingBatch(id: id, queues: queues, writes: [])
    }
  }
}

/// A sum over lines, FNV-1a: it finds what a disk or an editor has changed, and nobody who means to.
private struct PendingSum {
  static let length = 16
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ bytes: [UInt8]) { add(bytes) }

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: Self.length - digits.count) + digits
  }
}
