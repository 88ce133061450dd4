import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText

/// Writes a part of an answer; returns when the client can read more.
typealias MPDWriting = @Sendable ([UInt8]) async throws -> Void

extension MPDFace {
  /// Entries that are read and written at a time.
  static let page = 250

  func status(_ partition: String) async throws(MPDFailure) -> String {
    let board = try await present(partition)
    let parts = board.parts
    var text = parts.volume.map { "volume: \($0)\n" } ?? ""
    text += "repeat: \(board.repeatMode == .off ? 0 : 1)\n"
    text += "random: \(board.isRandom ? 1 : 0)\n"
    text += "single: \(board.repeatMode == .one ? 1 : 0)\n"
    text += "consume: 0\n"
    text += SongText.line("partition", partition)
    text += "playlist: \(board.log.version)\nplaylistlength: \(board.log.songs.count)\nmixrampdb: 0\n"
    text += "state: \(parts.state.rawValue)\n"
    let shown = parts.state == .stop ? board.current : parts.entry
    if let shown, let position = board.log.position(of: shown) {
      text += "song: \(position)\nsongid: \(shown.rawValue)\n"
    }
    if let elapsed = parts.elapsed(at: source.now) {
      let length = parts.duration ?? 0
      text += "time: \(Int(bounded: elapsed.rounded())):\(Int(bounded: length.rounded()))\n"
      text += SongText.line("elapsed", SongText.decimal(elapsed))
      if length > 0 { text += SongText.line("duration", SongText.decimal(length)) }
    }
    text += SongText.line("error", board.error ?? "")
    if let next = parts.next, let position = board.log.position(of: next) {
      text += "nextsong: \(position)\nnextsongid: \(next.rawValue)\n"
    }
    return text
  }

  func currentSong(_ partition: String, _ tags: Set<MPDTag>) async throws(MPDFailure) -> String {
    let board = try await present(partition)
    let shown = board.parts.state == .stop ? board.current : board.parts.entry
    if let shown, board.log.position(of: shown) != nil {
      return try await songs([shown], board, partition, tags)
    }
    // What others play, and what a rule plays, is in no queue of a client.
    guard board.parts.state != .stop, let url = board.parts.url else { return "" }
    var text = SongText.line("file", folders.file(of: url))
    if tags.contains(.title) { text += SongText.line("Title", board.parts.title ?? "") }
    if let length = board.parts.duration, length > 0 { text += SongText.duration(length) }
    return text
  }

  /// Songs in this order; those that are gone by now are left out.
  private func songs(
    _ ids: [EntryID], _ board: Board, _ partition: String, _ tags: Set<MPDTag>
  ) async throws(MPDFailure) -> String {
    let entries: [QueueEntry]
    do throws(Failure) { entries = try await source.entries(ids, of: partition, nil) } catch {
      throw MPDFailure(error)
    }
    let known = Dictionary(entries.map { ($0.id, $0) }) { $1 }
    return ids.reduce(into: "") { text, id in
      guard let entry = known[id] else { return }
      text += SongText.text(entry.draft, file: folders.file(of: entry.draft.media.url), tags: tags)
      text += SongText.place(board.log.position(of: id), id)
    }
  }

  /// The words of songs without their places, from the shelf as far as it has them.
  private func words(
    of ids: [EntryID], _ partition: String, _ facts: MPDFacts
  ) async throws -> [EntryID: String] {
    var texts: [EntryID: String] = [:]
    texts.reserveCapacity(ids.count)
    var lacking: [EntryID] = []
    for id in ids {
      if let text = shelf.text(of: id, partition, facts) { texts[id] = text } else { lacking.append(id) }
    }
    guard !lacking.isEmpty else { return texts }
    let all = Set(MPDTag.allCases)
    for entry in try await source.entries(lacking, of: partition, facts) {
      let text = SongText.text(entry.draft, file: folders.file(of: entry.draft.media.url), tags: all)
      texts[entry.id] = text
      shelf.keep(text, of: entry.id, partition, facts)
    }
    return texts
  }

  /// Writes songs of the queue in pages: no answer is in memory as a whole.
  func writeSongs(
    _ positions: some Collection<Int> & Sendable, _ board: Board, _ partition: String, _ tags: Set<MPDTag>,
    _ write: MPDWriting
  ) async throws {
    if positions.count <= Self.page {
      let text = try await songs(positions.map { board.log.songs[$0] }, board, partition, tags)
      return try await write(Array(text.utf8))
    }
    let facts = try await source.facts(of: partition)
    var rest = positions[...]
    while !rest.isEmpty {
      let page = rest.prefix(Self.page)
      rest = rest.dropFirst(page.count)
      let ids = page.map { board.log.songs[$0] }
      let words = try await words(of: ids, partition, facts)
      var text = ""
      for (position, id) in zip(page, ids) {
        guard let song = words[id] else { continue }
        text += SongText.limited(song, to: tags)
        text += SongText.place(position, id)
      }
      try await write(Array(text.utf8))
    }
  }

  /// Writes the names of the songs, as clients of old ask for them.
  func writeNames(_ partition: String, _ write: MPDWriting) async throws {
    let board = try await refresh(partition)
    var rest = board.log.songs[...]
    while !rest.isEmpty {
      let page = rest.prefix(Self.page)
      rest = rest.dropFirst(page.count)
      let entries = try await source.entries(Array(page), of: partition, nil)
      let known = Dictionary(entries.map { ($0.id, $0.draft.media.url) }) { $1 }
      let lines = page.map { id in
        SongText.line("\(board.log.position(of: id) ?? 0):file", folders.file(of: known[id] ?? ""))
      }
      try await write(Array(lines.joined().utf8))
    }
  }

  func writeChanges(
    since version: Int, _ range: MPDRange?, isBrief: Bool, _ partition: String, _ tags: Set<MPDTag>,
    _ write: MPDWriting
  ) async throws {
    let board = try await refresh(partition)
    let all = MPDRange(start: 0, end: nil)
    let changed = board.log.changes(since: version, in: (range ?? all).clamped(to: board.log.songs.count))
    guard isBrief else { return try await writeSongs(changed, board, partition, tags, write) }
    var rest = changed[...]
    while !rest.isEmpty {
      let page = rest.prefix(1000)
      rest = rest.dropFirst(page.count)
      let lines = page.map { "cpos: \($0)\nId: \(board.log.songs[$0].rawValue)\n" }
      try await write(Array(lines.joined().utf8))
    }
  }

  func outputs(_ partition: String) -> String {
    "outputid: 0\n" + SongText.line("outputname", partition) + "plugin: cast\noutputenabled: 1\n"
  }

  // MARK: - Files

  /// - Parameter tags: nil writes names alone.
  func writeItems(
    _ items: [MediaFolders.Item], _ partition: String, tags: Set<MPDTag>?, _ write: MPDWriting
  ) async throws {
    var rest = items[...]
    while !rest.isEmpty {
      let page = rest.prefix(Self.page)
      rest = rest.dropFirst(page.count)
      var texts: [String: String] = [:]
      if let tags {
        let files = page.filter { $0.kind == .media }
        let drafts = try await source.drafts(ofFiles: files.map(\.path), on: partition)
        for (file, draft) in zip(files, drafts) {
          texts[file.name] = SongText.text(draft, file: file.name, tags: tags)
        }
      }
      let lines = page.map { item in
        texts[item.name] ?? SongText.line(item.kind == .folder ? "directory" : "file", item.name)
      }
      try await write(Array(lines.joined().utf8))
    }
  }

  func writeList(
    _ name: String, isFull: Bool, _ tags: Set<MPDTag>, _ write: MPDWriting
  ) async throws {
    _ = try await self.list(name)
    let drafts: [EntryDraft]
    do throws(Failure) { drafts = try await source.drafts(of: name) } catch { throw MPDFailure(error) }
    for draft in drafts { listed.keep(draft.media.url) }
    var rest = drafts[...]
    while !rest.isEmpty {
      let page = rest.prefix(Self.page)
      rest = rest.dropFirst(page.count)
      let lines = page.map { draft in
        let file = folders.file(of: draft.media.url)
        return isFull ? SongText.text(draft, file: file, tags: tags) : SongText.line("file", file)
      }
      try await write(Array(lines.joined().utf8))
    }
  }

  /// A piece of the picture of a song.
  func writePicture(
    _ name: String, from offset: Int, limit: Int, isEmbedded: Bool, _ partition: String, _ write: MPDWriting
  ) async throws {
    let board = try await present(partition)
    let name = try await whole(name, board, partition)
    let found = isEmbedded ? await cover(name) : nil
    guard let picture = try await found == nil ? picture(name, board, partition) : found else {
      // A song without a picture has an empty answer.
      if isEmbedded, try await isSong(name, board, partition) { return }
      throw MPDFailure(.missing, "No file exists")
    }
    guard offset <= picture.bytes.count else { throw MPDFailure(.argument, "Offset too large") }
    let piece = picture.bytes[offset...].prefix(limit)
    let type = isEmbedded ? SongText.line("type", picture.type) : ""
    let head = "size: \(picture.bytes.count)\n\(type)binary: \(piece.count)\n"
    try await write(Array(head.utf8) + piece + [UInt8(ascii: "\n")])
  }

  /// Whether there is such a song: in the folders, in the queue or on the screen.
  private func isSong(_ name: String, _ board: Board, _ partition: String) async throws -> Bool {
    if (try? folders.item(name))?.kind == .media || board.parts.url == name { return true }
    return try await source.entry(playing: [name], of: partition) != nil
  }

  /// The cover that a local song carries.
  private func cover(_ name: String) async -> MediaFolders.Picture? {
    guard let song = try? folders.item(name), song.kind == .media else { return nil }
    return await source.cover(ofFile: song.path)
  }

  /// The picture that an entry names, else the one beside its file.
  private func picture(
    _ name: String, _ board: Board, _ partition: String
  ) async throws -> MediaFolders.Picture? {
    if let (address, entry) = try await pictureAddress(name, board, partition) {
      if let picture = folders.picture(at: address) { return picture }
      if let picture = await source.picture(address, of: entry) { return picture }
    }
    guard let song = try? folders.item(name) else { return nil }
    return folders.picture(beside: song)
  }

  private func pictureAddress(
    _ name: String, _ board: Board, _ partition: String
  ) async throws -> (String, EntryDraft?)? {
    if let url = board.parts.url, url == name || folders.file(of: url) == name {
      return board.parts.image.map { ($0, nil) }
    }
    let file = (try? folders.item(name)).map { [FilePath.url($0.path)] } ?? []
    let entry = try await source.entry(playing: [name] + file, of: partition)
    return entry.flatMap { entry in entry.draft.media.metadata?.images.first.map { ($0.url, entry.draft) } }
  }
}
