package import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqText

/// Where the face gets what it shows, and what it performs: castq's own commands and rows.
package protocol MPDSource: Sendable {
  /// The devices, in the order of their names.
  func partitions() async throws(Failure) -> [MPDPartition]
  /// The name of the partition whose device has this name, as an alias, a name of its own, a UUID or an address.
  /// - Throws: `device_unknown`, and what names the devices that it may mean.
  func partition(named name: String) async throws(Failure) -> String
  /// What `castq status --json` prints, with `at`, the moment of its position, as it was heard last.
  func status(of partition: String) async throws(Failure) -> JSONValue
  /// The order of a queue, and its settings.
  func order(of partition: String) async throws(Failure) -> (QueueOrder, QueueSettings)
  /// Entries of a queue by their numbers, in any order, without those that are gone.
  /// - Parameter facts: what is known beside the rows; nil looks for it.
  func entries(
    _ ids: [EntryID], of partition: String, _ facts: MPDFacts?
  ) async throws(Failure) -> [QueueEntry]
  /// The first entry of a queue that plays one of these addresses; nil when there is none.
  func entry(playing addresses: [String], of partition: String) async throws(Failure) -> QueueEntry?
  /// What songs of a queue are told with beside their rows.
  func facts(of partition: String) async throws(Failure) -> MPDFacts
  /// What is known of files that are in no queue, in the order of their absolute paths.
  func drafts(ofFiles paths: [String], on partition: String) async throws(Failure) -> [EntryDraft]
  /// Performs a verb.
  func perform(_ verb: PlaybackVerb, on partition: String) async throws(Failure)
  /// Reads sources, and puts what they have into the queue.
  /// - Parameter position: from 1; nil is the end.
  func enqueue(
    _ sources: [String], at position: Int?, on partition: String
  ) async throws(Failure) -> [EntryID]
  func remove(_ entries: [EntryID], from partition: String) async throws(Failure)
  /// Puts a queue into another order, in one transaction.
  /// - Parameter change: the present order to the new one, which has the same entries.
  func arrange(
    _ partition: String, _ change: @escaping @Sendable ([EntryID]) throws(MPDFailure) -> [EntryID]
  ) async throws(MPDFailure)
  /// Sets the part of an entry that is played.
  func setSection(
    _ section: MPDSection, of entry: EntryID, on partition: String
  ) async throws(Failure)
  /// The stored lists by their names, with the moments of their last changes.
  func lists() async throws(Failure) -> [(name: String, modifiedAt: WallTime)]
  /// The file of a stored list; nil when there is none of this name.
  func list(_ name: String) async throws(Failure) -> String?
  /// The entries of a stored list.
  func drafts(of list: String) async throws(Failure) -> [EntryDraft]
  /// Stores the queue as a list.
  func save(_ partition: String, as name: String) async throws(Failure)
  func removeList(_ name: String) async throws(Failure)
  /// A picture; nil when there is none.
  /// - Parameter entry: what names it; nil is what a device reports.
  func picture(_ address: String, of entry: EntryDraft?) async -> (type: String, bytes: [UInt8])?
  /// The cover that a local file carries; nil when it has none, or nothing can read it.
  func cover(ofFile path: String) async -> (type: String, bytes: [UInt8])?
  /// What happens, from now on.
  func news() -> AsyncStream<MPDNews>
  /// The partitions whose clients want to hear of everything.
  func watch(_ partitions: Set<String>) async
  /// The time now.
  var now: WallTime { get }
}

/// A device as a partition.
package struct MPDPartition: Sendable, Hashable {
  /// The number of the device, which keeps it when it gets another name.
  package let id: Int64
  package let name: String
  package let isDefault: Bool

  package init(id: Int64, name: String, isDefault: Bool) {
    self.id = id
    self.name = name
    self.isDefault = isDefault
  }
}

/// What is known of the songs of a queue beside their rows: as long as it is the same, songs that stay have the same words.
package struct MPDFacts: Sendable, Hashable {
  /// What devices reported, by address.
  package let lengths: [String: MediaTime]
  /// Another number when something was read of a file.
  package let files: Int64

  package init(lengths: [String: MediaTime], files: Int64) {
    self.lengths = lengths
    self.files = files
  }
}

/// Something that happened.
package enum MPDNews: Sendable {
  /// A device's status: the document.
  case status(partition: String, JSONValue)
  /// A queue has another order, or other entries.
  case queue(partition: String)
  /// There are other partitions, or they have other names.
  case partitions
}
