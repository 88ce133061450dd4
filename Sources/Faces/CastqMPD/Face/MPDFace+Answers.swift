import CastProtocol
import CastqPlaylists
import CastqText

/// What a client has chosen, as far as answers depend on it.
struct MPDView: Sendable {
  let partition: String
  let tags: Set<MPDTag>
  let binaryLimit: Int
}

extension MPDFace {
  /// Writes the answer to a request, without its end.
  /// - Throws: `MPDFailure` for `ACK`; what `write` throws.
  func answer(_ request: MPDRequest, _ view: MPDView, _ write: MPDWriting) async throws {
    let partition = view.partition
    func send(_ text: String) async throws { if !text.isEmpty { try await write(Array(text.utf8)) } }
    do {
      switch request {
      case .status: try await send(try await status(partition))
      case .currentSong: try await send(try await currentSong(partition, view.tags))
      case .stats: try await send(stats)
      case .outputs: try await send(outputs(partition))
      case .partitions:
        let names = try await partitions().map(\.name)
        try await send(names.map { SongText.line("partition", $0) }.joined())
      case .clearError: clearError(partition)
      case .songs(let range):
        let board = try await refresh(partition)
        let all = MPDRange(start: 0, end: nil)
        let positions = try (range ?? all).checked(in: board.log.songs.count)
        try await writeSongs(positions, board, partition, view.tags, write)
      case .song(let id):
        let board = try await refresh(partition)
        guard let id else {
          return try await writeSongs(0..<board.log.songs.count, board, partition, view.tags, write)
        }
        let song = try Self.song(id, board)
        let positions = board.log.position(of: song).map { [$0] } ?? []
        try await writeSongs(positions, board, partition, view.tags, write)
      case .names: try await writeNames(partition, write)
      case .changes(let version, let range, let isBrief):
        try await writeChanges(since: version, range, isBrief: isBrief, partition, view.tags, write)
      case .play, .playID, .pause, .stop, .next, .previous, .seek, .seekID, .seekCurrent, .setVolume,
        .changeVolume, .getVolume, .repeats, .random, .single, .consume:
        try await send(try await play(request, on: partition))
      case .add, .addID, .delete, .deleteID, .clear, .move, .moveID, .swap, .swapID, .shuffle, .section:
        try await send(try await edit(request, on: partition))
      case .lists: try await send(try await lists())
      case .listSongs(let name, let isFull): try await writeList(name, isFull: isFull, view.tags, write)
      case .load(let name, let range, let place): try await load(name, range, place, on: partition)
      case .save(let name, let saving): try await save(name, saving, on: partition)
      case .removeList(let name): try await removeList(name)
      case .folder(let name):
        let folder = try folder(name)
        let items = try MPDFailure.heard { () throws(MediaFolders.Problem) in try folders.contents(of: folder)
        }
        try await writeItems(items, partition, tags: view.tags, write)
        if folder.name.isEmpty { try await send(try await lists()) }
      case .tree(let name, let isFull):
        let root = try folder(name)
        let inside = try MPDFailure.heard { () throws(MediaFolders.Problem) in try folders.tree(of: root) }
        let items = (root.name.isEmpty ? [] : [root]) + inside
        try await writeItems(items, partition, tags: isFull ? view.tags : nil, write)
      case .art(let name, let offset, let isEmbedded):
        try await writePicture(
          name, from: offset, limit: view.binaryLimit, isEmbedded: isEmbedded, partition, write)
      case .ping, .close, .password, .commands, .tagTypes, .limitTags, .urlHandlers, .decoders, .binaryLimit,
        .partition, .nothing, .constant:
        break
      }
    } catch let failure as Failure {
      throw MPDFailure(failure)
    }
  }

  private func folder(_ name: String) throws(MPDFailure) -> MediaFolders.Item {
    let item = try MPDFailure.heard { () throws(MediaFolders.Problem) in try folders.item(name) }
    guard item.kind == .folder else { throw MPDFailure(.missing, "No such directory") }
    return item
  }

  /// castq has no database of songs; what it has is folders and lists.
  private var stats: String {
    let uptime = Int(bounded: max(source.now - startedAt, 0))
    return "artists: 0\nalbums: 0\nsongs: 0\nuptime: \(uptime)\ndb_playtime: 0\ndb_update: 0\nplaytime: 0\n"
  }
}
