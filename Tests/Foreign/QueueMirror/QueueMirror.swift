import CastProtocol
import CastSender
import Foundation
import Synchronization

/// A sender made with the SDK that does what its standard input says, a JSON object a line, and answers each with a line:
/// `drive_two_senders.py` has it edit a queue beside another sender, and asks what it believes the queue to be.
@main
struct QueueMirror {
  let session: Session
  let client: RemoteMediaClient
  let bell = Bell()

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let endpoint = DeviceEndpoint(arguments[1]) else {
      throw Misuse(words: "castq-queue-mirror HOST:PORT MEDIA-URL")
    }
    // Two programs edit without a pause, and the device tells each of them of all edits.
    var options = SessionOptions()
    options.messageLimit = nil
    let session = Session(device: Device(endpoint: endpoint), options: options)
    try await session.start()
    let mirror = QueueMirror(session: session, client: session.remoteMediaClient)
    mirror.client.mediaQueue.add(mirror.bell)
    mirror.client.add(mirror.bell)
    session.add(mirror.bell)
    say(["ready": true])
    // Blocks the main thread alone, which nothing else here needs.
    while let line = readLine() {
      say(try await mirror.answer(JSONValue(parsing: line), url: arguments[2]))
    }
    await session.leave()
  }

  private static func say(_ json: JSONValue) {
    FileHandle.standardOutput.write(Data((json.text + "\n").utf8))
  }

  private func answer(_ order: JSONValue, url: String) async throws -> JSONValue {
    let ids = (order["ids"]?.array ?? []).compactMap(\.int).map { MediaQueueItemID($0) }
    let before = order["before"]?.int.map { MediaQueueItemID($0) }
    switch order["do"]?.string {
    case "load":
      let options = MediaQueueLoadOptions(repeatMode: .all)
      return await outcome(client.queueLoad(Self.items(order["count"]?.int ?? 1, url), options: options))
    case "insert":
      let count = order["count"]?.int ?? 1
      return await outcome(client.queueInsertItems(Self.items(count, url), beforeItemWithID: before))
    case "remove": return await outcome(client.queueRemoveItems(withIDs: ids))
    case "reorder": return await outcome(client.queueReorderItems(withIDs: ids, beforeItemWithID: before))
    case "update":
      let items = zip(ids, Self.items(ids.count, url)).map { id, item in
        var item = item
        item.itemID = id
        return item
      }
      return await outcome(client.queueUpdateItems(items))
    // Nobody announces what becomes of the order: who asks has to look.
    case "mix": return await outcome(client.queueShuffle())
    case "shuffle": return await outcome(client.queueSetShuffle(true))
    case "jump": return await outcome(client.queueJump(by: order["count"]?.int ?? 1))
    case "volume": return await outcome(session.setDeviceVolume(order["level"]?.double ?? 0))
    case "pause": return await outcome(client.pause())
    case "expect ids":
      await bell.until { client.mediaQueue.itemIDs == ids && client.mediaQueue.isComplete }
      return ["ok": true]
    case "expect state":
      let state = order["state"]?.string
      await bell.until { (client.mediaStatus?.playerState).map { "\($0)" } == state }
      return ["ok": true]
    case "expect volume":
      let level = order["level"]?.double ?? 0
      await bell.until { abs((session.receiverStatus?.volume?.level ?? -1) - level) < 0.01 }
      return ["ok": true]
    case "ids": return ["ids": .array(client.mediaQueue.itemIDs.map { .integer(Int64($0.rawValue)) })]
    default: throw Misuse(words: "unknown order \(order.text)")
    }
  }

  private func outcome<Value>(_ request: Request<Value>) async -> JSONValue {
    switch await request.outcome {
    case .completed: ["ok": true]
    case .failed(let error): ["ok": false, "why": .string("\(error)")]
    case .aborted(let reason): ["ok": false, "why": .string("\(reason)")]
    }
  }

  private static func items(_ count: Int, _ url: String) -> [MediaQueueItem] {
    (0..<count).map { _ in
      MediaQueueItem(mediaInformation: MediaInformation(contentID: url, contentType: "video/mp4"))
    }
  }
}

struct Misuse: Error { var words: String }

/// Rings when anything changes, for whoever waits until something is so.
final class Bell: MediaQueueListener, RemoteMediaClientListener, SessionListener {
  private let waiting = Mutex<[AsyncStream<Void>.Continuation]>([])

  private func ring() { for sleeper in waiting.withLock({ $0 }) { sleeper.yield() } }

  func mediaQueueDidChange(_ queue: MediaQueue) { ring() }
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaStatus: MediaStatus?) { ring() }
  func session(_ session: Session, didUpdate receiverStatus: ReceiverStatus) { ring() }

  func until(_ isSo: () -> Bool) async {
    let (rings, sleeper) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    waiting.withLock { $0.append(sleeper) }
    if isSo() { return waiting.withLock { $0.removeAll() } }
    for await _ in rings where isSo() { break }
    waiting.withLock { $0.removeAll() }
  }
}
