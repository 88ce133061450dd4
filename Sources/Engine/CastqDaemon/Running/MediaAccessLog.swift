package import CastProtocol
package import CastSender
import CastqFeeding
package import CastqMediaServer
import CastqText
package import Logging
import Synchronization

/// What devices fetched of this process's local files, and when: a line of the log for each response, at level debug, and the last ones
/// in memory for who asks over the control socket.
///
/// Memory suffices: a question concerns the feeder that runs now, and players send several requests for each item, which are not worth
/// a commit each. Secret links occur nowhere, the files do.
package final class MediaAccessLog: Sendable {
  /// Responses that are remembered.
  package static let limit = 200
  /// Refused requests that are remembered, apart, so that strangers cannot displace what devices fetched.
  package static let refusedLimit = 20
  /// Bytes of a document, so that it fits into a reply.
  private static let documentLimit = ControlRequest.lineLimit - 4096

  private struct Row {
    /// When the request was complete.
    let moment: WallTime
    let served: MediaServed
  }

  private struct Rows {
    var fetched: [Row] = []
    var refused: [Row] = []
  }

  private let rows = Mutex(Rows())
  private let logger: Logger
  private let time: TimeSource

  package init(logger: Logger, time: TimeSource = .continuous) {
    self.logger = logger
    self.time = time
  }

  /// Adds a response that has just ended.
  package func record(_ served: MediaServed) {
    let ended = WallTime(milliseconds: time.wallMilliseconds())
    let row = Row(moment: ended.adding(seconds: -served.took.seconds), served: served)
    rows.withLock { rows in
      if served.file == nil {
        Self.add(row, to: &rows.refused, limit: Self.refusedLimit)
      } else {
        Self.add(row, to: &rows.fetched, limit: Self.limit)
      }
    }
    logger.debug("served", metadata: Self.metadata(served))
  }

  private static func add(_ row: Row, to rows: inout [Row], limit: Int) {
    if rows.count == limit { rows.removeFirst() }
    rows.append(row)
  }

  private static func metadata(_ served: MediaServed) -> Logger.Metadata {
    [
      "castq.client": "\(served.client ?? "unknown")", "castq.method": "\(served.method ?? "none")",
      "castq.file": "\(TerminalText.sanitized(served.file ?? "none"))", "castq.status": "\(served.status)",
      "castq.offset": "\(served.offset)", "castq.bytes": "\(served.bytesSent)",
      "castq.complete": "\(served.isComplete)", "castq.took": "\(served.took.wholeMilliseconds)ms",
    ]
  }

  /// The remembered responses in order, the newest last; the oldest are left out where a reply would be too long.
  package func document(port: Int?) -> JSONValue {
    let (fetched, refused) = rows.withLock { ($0.fetched, $0.refused) }
    var room = Self.documentLimit
    let refusals = Self.newest(refused, within: &room)
    let fetches = Self.newest(fetched, within: &room)
    return [
      "port": JSONValue(port) ?? .null, "fetches": .array(fetches), "refused": .array(refusals),
    ]
  }

  private static func newest(_ rows: [Row], within room: inout Int) -> [JSONValue] {
    var documents: [JSONValue] = []
    for row in rows.reversed() {
      let document = Self.document(row)
      let size = document.text.utf8.count + 1
      guard size <= room else { break }
      room -= size
      documents.append(document)
    }
    return documents.reversed()
  }

  private static func document(_ row: Row) -> JSONValue {
    let served = row.served
    return [
      "started_at": .string(RFC3339.text(row.moment)),
      "took_s": JSONValue((served.took.seconds * 1000).rounded() / 1000) ?? .null,
      "client": JSONValue(served.client) ?? .null, "method": JSONValue(served.method) ?? .null,
      "url": JSONValue(served.file.map(FilePath.url)) ?? .null, "status": .integer(Int64(served.status)),
      "offset": .integer(Int64(served.offset)), "bytes": .integer(Int64(served.bytesSent)),
      "complete": .bool(served.isComplete),
    ]
  }
}
