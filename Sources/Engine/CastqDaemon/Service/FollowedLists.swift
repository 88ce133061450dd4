import CastqFeeding
import CastqPlaylists

/// The lists that are read, and read again after each edit: those of programmes, and those that the configuration gives to devices.
struct FollowedLists {
  private let read: @Sendable (String, Duration?) -> AsyncStream<ProgrammeList>
  private let inbox: SiteInbox
  private var readers: [FollowedID: Task<Void, Never>] = [:]

  init(_ settings: DaemonSettings, _ inbox: SiteInbox) { (read, self.inbox) = (settings.lists, inbox) }

  /// Reads a source from now on; each reading is an event.
  mutating func follow(_ id: FollowedID, _ source: String, _ refresh: Duration?) {
    let lists = read(source, refresh)
    readers[id] = Task { [inbox] in
      for await list in lists { inbox.yield(.list(list, of: id, source: source)) }
    }
  }

  mutating func unfollow(_ id: FollowedID) { readers.removeValue(forKey: id)?.cancel() }

  /// Follows none any more.
  mutating func close() {
    for reader in readers.values { reader.cancel() }
    readers = [:]
  }
}
