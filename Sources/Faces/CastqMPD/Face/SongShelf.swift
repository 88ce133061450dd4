import CastqPlaylists

/// The words of songs that were told, so that a long queue is read and rendered once and not at each request.
struct SongShelf {
  /// Bytes of all texts, and queues: what does not fit begins anew.
  static let (most, queues) = (16 << 20, 4)

  private struct Queue {
    var facts: MPDFacts
    var texts: [EntryID: String] = [:]
    var bytes = 0
    var usedAt = 0
  }

  private var shelves: [String: Queue] = [:]
  private var uses = 0

  /// The bytes of all texts.
  var bytes: Int { shelves.values.reduce(0) { $0 + $1.bytes } }

  /// What was kept of a song; nil for nothing, and when other things are known by now.
  func text(of song: EntryID, _ partition: String, _ facts: MPDFacts) -> String? {
    guard let queue = shelves[partition], queue.facts == facts else { return nil }
    return queue.texts[song]
  }

  mutating func keep(_ text: String, of song: EntryID, _ partition: String, _ facts: MPDFacts) {
    uses += 1
    var queue = shelves.removeValue(forKey: partition) ?? Queue(facts: facts)
    if queue.facts != facts { queue = Queue(facts: facts) }
    queue.usedAt = uses
    queue.bytes += text.utf8.count - (queue.texts.updateValue(text, forKey: song)?.utf8.count ?? 0)
    if shelves.count >= Self.queues, let oldest = shelves.min(by: { $0.value.usedAt < $1.value.usedAt }) {
      shelves[oldest.key] = nil
    }
    shelves[partition] = queue
    if bytes > Self.most { shelves = [:] }
  }

  /// Songs have other words.
  mutating func forget(_ songs: Set<EntryID>, of partition: String) {
    for song in songs {
      guard let text = shelves[partition]?.texts.removeValue(forKey: song) else { continue }
      shelves[partition]?.bytes -= text.utf8.count
    }
  }
}
