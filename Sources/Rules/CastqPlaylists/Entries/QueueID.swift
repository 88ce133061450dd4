/// Names a queue: a device names the one that people fill, its base.
package protocol QueueReference: Sendable {
  /// The number of its row.
  var number: Int64 { get }
}

/// The number of a queue's row. A device has one that people fill, and one for each programme that it has shown.
package struct QueueID: QueueReference, Hashable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  /// That of the first device, where nothing but one queue exists.
  package static let first = QueueID(1)

  package init(_ queue: some QueueReference) { number = queue.number }
}

extension DeviceID: QueueReference {
  /// The base has the number of its device.
  package var number: Int64 { rawValue }
}
