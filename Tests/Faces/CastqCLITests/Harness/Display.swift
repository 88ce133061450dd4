import Foundation

/// What a simulated receiver has shown, by its own log: also what it said while nobody listened.
struct Display {
  /// One item from its first picture on.
  struct Showing: Equatable, CustomStringConvertible {
    var entry: Int
    /// As history words it; nil while it is shown, or when something else followed unsaid.
    var outcome: String?
    var description: String { "\(entry) \(outcome ?? "shown")" }
  }

  private struct Item: Hashable {
    var session: Int
    var id: Int
  }

  /// In their order.
  private(set) var showings: [Showing] = []

  init(_ lines: [String]) {
    var entries: [Item: Int] = [:]
    var current: Item?
    for line in lines where line.contains(#""destination":"*""#) && line.contains("MEDIA_STATUS") {
      guard let status = try? Document(line)["data"]?["status"]?.elements.first,
        let session = status["mediaSessionId"]?.int, let id = status["currentItemId"]?.int
      else { continue }
      for item in status["items"]?.elements ?? [] {
        guard let id = item["itemId"]?.int, let entry = item["customData"]?["castq"]?["e"]?.int else {
          continue
        }
        entries[Item(session: session, id: id)] = entry
      }
      let item = Item(session: session, id: id)
      switch status["playerState"]?.string {
      case "IDLE" where item == current:
        showings[showings.count - 1].outcome = Self.outcome(status["idleReason"]?.string)
        current = nil
      case "PLAYING", "PAUSED", "BUFFERING":
        // A showing begins with all that is known of the item; less may be said late, of one that is over.
        guard item != current, status["media"] != nil, let entry = entries[item] else { continue }
        current = item
        showings.append(Showing(entry: entry))
      default: break
      }
    }
  }

  private static func outcome(_ idleReason: String?) -> String? {
    ["FINISHED": "finished", "ERROR": "failed", "INTERRUPTED": "skipped"][idleReason ?? ""]
  }
}
