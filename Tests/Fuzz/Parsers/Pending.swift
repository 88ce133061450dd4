import CastProtocol
import CastqFeeding
import CastqPlaylists

extension Parser {
  /// A file of writes that wait, and its lines without their sums, which no engine finds. A write that is read means the same when it is
  /// written and read again.
  func parsePending(_ bytes: [UInt8]) {
    let contents = PendingContents(bytes)
    precondition(contents.end <= bytes.count, "it has no more than there is")
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let json = try? JSONValue(parsing: Array(line)), let write = FeederWrite(json: json) else {
        continue
      }
      precondition(FeederWrite(json: write.json) == write, "a write is another one when it is read again")
      let batch = PendingBatch(
        id: "0011223344556677", queues: [:], writes: [DeviceWrite(device: DeviceID(1), write: write)])
      let file = PendingContents(PendingContents([]).bytes(adding: batch))
      precondition(file.batches == [batch] && file.damage == nil && !file.isTorn)
    }
  }
}
