import CastProtocol
import Logging

/// What plays on a device, packed so that another device can go on with it.
struct MediaLuggage: Sendable {
  private enum Contents: Sendable {
    /// Nothing plays.
    case nothing
    /// What the receiver itself has packed (protocol 6.9).
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
  private var rate = 1.0
  /// Kept in case the other device cannot read what this one has packed; nil when there is nothing else.
  private var spare: Queue?

  /// Items that are asked for at once (protocol 7.9).
  private static let fetchCount = 20

  /// Packs what a session plays; it goes on playing.
  init(packing session: Session) async throws(CastError) {
    let client = session.remoteMediaClient
    guard let status = session.mediaStatus, !status.isEnded, status.playerState != .idle else { return }
    isPaused = status.playerState == .paused
    rate = status.playbackRate
    let queue = await Self.queue(status, client)
    contents = queue.map(Contents.items) ?? .nothing
    spare = queue
    if status.supportedMediaCommands.contains(.streamTransfer) {
      do throws(CastError) {
        contents = .stored(try await client.storeSession().value)
      } catch {
        // The queue does as well.
        session.logger.speaking(for: .sessionTransfer).debug(
          "the receiver cannot store its session", metadata: ["cast.error": "\(error)"])
      }
    }
  }

  /// The whole queue where the receiver gives it out, else what its statuses show of it; nil when there is nothing to load.
  private static func queue(_ status: MediaStatus, _ client: RemoteMediaClient) async -> Queue? {
    var items = await wholeQueue(client) ?? status.queueItems
    if items.isEmpty, let media = status.mediaInformation {
      items = [MediaQueueItem(mediaInformation: media)]
    }
    let index = items.firstIndex { $0.itemID == status.currentItemID } ?? 0
    // Numbers are given by each receiver anew (protocol 7.3), and old ones would be refused.
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

  /// Has another session play it; returns when it plays, or is paused as it was.
  func unpack(in session: Session) async throws(CastError) {
    switch contents {
    case .nothing: return
    case .items(let queue): try await load(queue, in: session.remoteMediaClient)
    case .stored(let state):
      do throws(CastError) {
        _ = try await session.remoteMediaClient.resumeSession(state).value
      } catch {
        guard let spare else { throw error }
        try await load(spare, in: session.remoteMediaClient)
      }
    }
  }

  /// Loads the current item and what fits behind it, then adds the rest, in messages a receiver accepts (protocol 7.9).
  private func load(_ queue: Queue, in client: RemoteMediaClient) async throws(CastError) {
    var first = queue.items[queue.index]
    first.autoplay = !isPaused
    let behind = Self.parts(Array(queue.items[(queue.index + 1)...]))
    let options = MediaQueueLoadOptions(repeatMode: queue.repeatMode, playPosition: queue.position)
    let status = try await client.queueLoad([first] + (behind.first ?? []), options: options).value
    if isPaused, status.playerState != .paused { _ = try await client.pause().value }
    if rate != 1 { _ = try await client.setPlaybackRate(rate).value }
    for part in behind.dropFirst() { _ = try await client.queueInsertItems(part).value }
    guard let id = status.currentItemID else { return }
    for part in Self.parts(Array(queue.items[..<queue.index])) {
      _ = try await client.queueInsertItems(part, beforeItemWithID: id).value
    }
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
