import CastSender

// sample: watch-live
/// Plays a live stream that began at a time of day, in seconds since 1970.
func watchLive(_ address: String, since start: Double, _ client: RemoteMediaClient) async throws(CastError)
  -> MediaStatus
{
  var channel = MediaInformation(
    contentID: address, contentType: "application/vnd.apple.mpegurl", streamType: .live)
  channel.startAbsoluteTime = start
  return try await client.load(channel).value
}
// end sample

// sample: go-back-live
/// Goes back in a live stream, as far as it is kept. Returns the distance to the live edge in seconds; nil if no live stream plays.
func goBack(by seconds: Double, _ client: RemoteMediaClient) async throws(CastError) -> Double? {
  guard let range = client.approximateLiveSeekableRange() else { return nil }
  let position = max(range.startTime, range.endTime - MediaTime(seconds: seconds))
  _ = try await client.seek(to: position, resumeState: .play).value
  guard let edge = client.approximateLiveSeekableRange()?.endTime,
    let reached = client.approximateStreamPosition()
  else { return nil }
  return (edge - reached).seconds
}

/// Returns to the live edge.
func catchUp(_ client: RemoteMediaClient) async throws(CastError) -> MediaStatus? {
  try await client.seekToLiveEdge(resumeState: .play).value
}
// end sample
