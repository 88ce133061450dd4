import CastSender
import Synchronization

// sample: play-song
/// Loads a song at its second minute, with metadata for the display.
func playSong(_ address: String, _ client: RemoteMediaClient) async throws(CastError) -> MediaStatus {
  var metadata = MediaMetadata(kind: .musicTrack, images: [Image(url: "http://192.0.2.7/cover.jpg")])
  metadata.title = "Morning"
  metadata[.artist] = "The Early Birds"
  let song = MediaInformation(contentID: address, contentType: "audio/mpeg", metadata: metadata)
  let options = MediaLoadOptions(autoplay: false, playPosition: 60)
  return try await client.load(song, options: options).value
}
// end sample

// sample: drag
/// Follows a slider: only the newest of many positions takes effect.
func drag(through positions: [MediaTime], _ client: RemoteMediaClient) async -> [String] {
  let requests = positions.map { client.seek(to: $0) }
  var ends: [String] = []
  for request in requests {
    switch await request.outcome {
    case .completed: ends.append("done")
    case .failed(let error): ends.append("\(error.code)")
    case .aborted(.replaced): ends.append("replaced")
    case .aborted(.cancelled): ends.append("cancelled")
    }
  }
  return ends
}
// end sample

// sample: title-keeper
/// Keeps the title of the current media, whoever loaded it.
final class TitleKeeper: RemoteMediaClientListener {
  private let title = Mutex<String?>(nil)
  var latest: String? { title.withLock { $0 } }

  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaMetadata: MediaMetadata?) {
    title.withLock { $0 = mediaMetadata?.title }
  }
}
// end sample

// sample: play-album
/// Loads an album, and plays it over and over.
func playAlbum(_ songs: [MediaInformation], _ client: RemoteMediaClient) async throws(CastError)
  -> MediaStatus
{
  let items = songs.map { MediaQueueItem(mediaInformation: $0, preloadTime: 10) }
  let options = MediaQueueLoadOptions(repeatMode: .all)
  return try await client.queueLoad(items, options: options).value
}
// end sample

// sample: play-next
/// Inserts a song after the current one.
func playNext(_ song: MediaInformation, _ client: RemoteMediaClient) async throws(CastError) {
  let ids = try await client.queueFetchItemIDs().value
  let current = client.mediaStatus?.currentItemID
  let following = ids.drop { $0 != current }.dropFirst().first
  let item = MediaQueueItem(mediaInformation: song)
  _ = try await client.queueInsertItems([item], beforeItemWithID: following).value
}
// end sample

// sample: titles
/// The titles of the whole queue, fetched twenty at a time.
func titles(_ client: RemoteMediaClient) async throws(CastError) -> [String] {
  var titles: [String] = []
  var rest = try await client.queueFetchItemIDs().value[...]
  while !rest.isEmpty {
    let items = try await client.queueFetchItems(withIDs: Array(rest.prefix(20))).value
    titles += items.map { $0.mediaInformation?.metadata?.title ?? "untitled" }
    rest = rest.dropFirst(20)
  }
  return titles
}
// end sample

// sample: follow-queue
/// Shows the queue at once, and after each change.
func follow(_ queue: MediaQueue, show: ([String]) -> Void) async {
  let updates = queue.updates
  // At least the number of displayed items, or they evict each other.
  queue.cacheSize = 100
  func titles() -> [String] {
    queue.itemIDs.map { queue.item(withID: $0)?.mediaInformation?.metadata?.title ?? "…" }
  }
  show(titles())
  for await _ in updates { show(titles()) }
}
// end sample

// sample: shuffle-and-repeat
/// Shuffles the queue that plays, has it repeat for ever, and returns its new order.
func shuffleAndRepeat(_ client: RemoteMediaClient) async throws(CastError) -> [MediaQueueItemID] {
  _ = try await client.queueShuffle().value
  _ = try await client.queueSetRepeatMode(.all).value
  // Receivers do not announce the new order.
  return try await client.queueFetchItemIDs().value
}
// end sample
