import CastProtocol

/// A status of a media session that does not exist, as senders have received (protocol 6.2).
package struct SimStray: Sendable, Hashable {
  package var session: Int
  /// The address of its media; nil is that of the media that plays.
  package var url: String?

  package init(session: Int = 99, url: String? = nil) {
    self.session = session
    self.url = url
  }

  /// Reads `99`, or `99/http://host/film.mp4`.
  init?(parsing text: String) {
    let parts = text.split(separator: "/", maxSplits: 1)
    guard let session = parts.first.flatMap({ Int($0) }) else { return nil }
    self.init(session: session, url: parts.count > 1 ? String(parts[1]) : nil)
  }
}

/// Wrong and incomplete statuses.
extension ReceiverModel {
  mutating func sendStrayStatus(_ stray: SimStray) {
    guard var entry = platform.application?.media?.activeEntry(.full, at: now) else { return }
    entry["mediaSessionId"] = .integer(Int64(stray.session))
    if let url = stray.url {
      entry["media"] = ["contentId": .string(url), "contentType": "video/mp4", "streamType": "BUFFERED"]
      entry["items"] = nil
      entry["queueData"] = nil
      entry["currentItemId"] = 1
    }
    say(entry)
  }

  mutating func sendPartialStatus() {
    guard let whole = platform.application?.media?.activeEntry(.sparse, at: now) else { return }
    say(whole.filter { ["mediaSessionId", "playerState", "currentTime"].contains($0.key) })
  }

  private mutating func say(_ entry: [String: JSONValue]) {
    guard let transport = platform.application?.transport else { return }
    broadcast(MediaStatusText.message(entry, 0), .media, from: transport)
  }
}
