import CastProtocol
import Logging

/// The state of playback on a device, captured so that another device can continue it.
struct TransferState: Sendable {
  private enum Contents: Sendable {
    /// Nothing plays.
    case nothing
    /// The state that the receiver itself has stored (protocol 6.9).
    case stored(JSONValue)
    /// One item, or a queue.
    case items(Queue)
  }

  private struct Queue: Sendable {
    var items: [MediaQueueItem]
    var index: Int
    var position: MediaTime?
    var repeatMode: MediaRepeatMode?
  }

  private var contents = Contents.nothing
  private var isPaused = false
  /// The speed to set on the other device; nil leaves it alone.
  private var rate: Double?
  /// Used when the other device cannot resume the stored state; nil when there is no queue.
  private var fallback: Queue?

  /// Items in one request (protocol 7.9).
  private static let fetchCount = 20

  /// Captures what a session plays; it continues to play.
  init(capturing session: Session) async throws(CastError) {
    let client = session.remoteMediaClient
    guard let status = session.mediaStatus, !status.isEnded, status.playerState != .idle else { return }
    isPaused = status.playerState == .paused
    rate = Self.rate(status)
    let queue = await Self.queue(status, client)
    contents = queue.map(Contents.items) ?? .nothing
    fallback = queue
    if status.supportedMediaCommands.contains(.streamTransfer) {
      do throws(CastError) {
        contents = .stored(try await client.storeSession().value)
      } catch {
        // The queue suffices.
        session.logger.speaking(for: .sessionTransfer).debug(
          "the receiver cannot store its session", metadata: ["cast.error": "\(error)"])
      }
    }
  }

  /// Nil for the normal speed, and where none is known: an ad reports 0, and receivers refuse it (protocol 6.3, 21.12).
  private static func rate(_ status: MediaStatus) -> Double? {
    let accepted = RemoteMediaClient.minimumPlaybackRate...RemoteMediaClient.maximumPlaybackRate
    return status.playbackRate != 1 && accepted.contains(status.playbackRate) ? status.playbackRate : nil
  }

  /// The whole queue if the receiver returns it, else the part in its status; nil when there is nothing to load.
  private static func queue(_ status: MediaStatus, _ client: RemoteMediaClient) async -> Queue? {
    var items = await wholeQueue(client) ?? status.queueItems
    if items.isEmpty, let media = status.mediaInformation {
      items = [MediaQueueItem(mediaInformation: media)]
    }
    let index = items.firstIndex { $0.itemID == status.currentItemID } ?? 0
    // Each receiver assigns its own item IDs (protocol 7.3), and refuses others.
    let fresh = items.map { item in
      var item = item
      item.itemID = nil
      item.orderID = nil
      return item
    }
    guard fresh.contains(where: { $0.mediaInformation != nil }) else { return nil }
    var queue = Queue(items: fresh, index: index)
    queue.items[index].activeTrackIDs = status.activeTrackIDs
    queue.position = status.mediaInformation?.streamType == .live ? nil : client.approximateStreamPosition()
    queue.repeatMode = status.queueRepeatMode
    return queue
  }

  private static func wholeQueue(_ client: RemoteMediaClient) async -> [MediaQueueItem]? {
    guard let ids = try? await client.queueFetchItemIDs().value, !ids.isEmpty else { return nil }
    var items: [MediaQueueItem] = []
    for start in stride(from: 0, to: ids.count, by: fetchCount) {
      let part = Array(ids[start..<min(start + fetchCount, ids.count)])
      guard let fetched = try? await client.queueFetchItems(withIDs: part).value else { return nil }
      items += part.compactMap { id in fetched.first { $0.itemID == id } }
    }
    return items.count == ids.count ? items : nil
  }

  /// Loads it in another session; returns when it plays, or is paused as before.
  func restore(in session: Session) async throws(CastError) {
    switch contents {
    case .nothing: return
    case .items(let queue): try await load(queue, in: session)
    case .stored(let state):
      do throws(CastError) {
        _ = try await session.remoteMediaClient.resumeSession(state).value
      } catch {
        guard let fallback else { throw error }
        try await load(fallback, in: session)
      }
    }
  }

  /// Loads the current item and what fits behind it, then adds the rest, in messages a receiver accepts (protocol 7.9).
  private func load(_ queue: Queue, in session: Session) async throws(CastError) {
    let client = session.remoteMediaClient
    var first = queue.items[queue.index]
    first.autoplay = !isPaused
    let behind = Self.parts(Array(queue.items[(queue.index + 1)...]))
    let options = MediaQueueLoadOptions(repeatMode: queue.repeatMode, playPosition: queue.position)
    let status = try await client.queueLoad([first] + (behind.first ?? []), options: options).value
    if isPaused, status.playerState != .paused { _ = try await client.pause().value }
    do throws(CastError) {
      if let rate { _ = try await client.setPlaybackRate(rate).value }
    } catch {
      try tolerate(error, without: "its speed", in: session)
    }
    do throws(CastError) {
      for part in behind.dropFirst() { _ = try await client.queueInsertItems(part).value }
      guard let id = status.currentItemID else { return }
      for part in Self.parts(Array(queue.items[..<queue.index])) {
        _ = try await client.queueInsertItems(part, beforeItemWithID: id).value
      }
    } catch {
      try tolerate(error, without: "a part of its queue", in: session)
    }
  }

  /// Logs a failure after the load: the media plays there without what failed.
  /// - Throws: the error where no session is left to continue with, and when the caller cancels.
  private func tolerate(
    _ error: CastError, without part: String, in session: Session
  ) throws(CastError) {
    guard session.state == .active, !Task.isCancelled else { throw error }
    session.logger.speaking(for: .sessionTransfer).warning(
      "transferred without \(part)", metadata: ["cast.error": "\(error)"])
  }

  /// Cuts a list into parts that leave room in a message of 64 KiB.
  private static func parts(_ items: [MediaQueueItem]) -> [[MediaQueueItem]] {
    var parts: [[MediaQueueItem]] = []
    var size = 0
    for item in items {
      let length = item.json.text.utf8.count
      if parts.isEmpty || size + length > 24_576 || parts[parts.count - 1].count >= fetchCount {
        parts.append([])
        size = 0
      }
      parts[parts.count - 1].append(item)
      size += length
    }
    return parts
  }
}
