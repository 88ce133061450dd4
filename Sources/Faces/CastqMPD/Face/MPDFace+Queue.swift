import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText

/// The queue, and stored lists.
extension MPDFace {
  /// - Returns: what is written before the end of the answer.
  func edit(_ request: MPDRequest, on partition: String) async throws(MPDFailure) -> String {
    let board = try await refresh(partition)
    let count = board.log.songs.count
    switch request {
    case .add(let names, let place): _ = try await add(names, place, board, partition)
    case .addID(let name, let place):
      let isFolder = try MPDFailure.heard { () throws(MediaFolders.Problem) in try folders.isFolder(name) }
      if isFolder { throw MPDFailure(.missing, "No such song") }
      guard let id = try await add([name], place, board, partition).first else { throw .noSong }
      return "Id: \(id)\n"
    case .delete(let range): try await remove(Array(board.log.songs[try range.checked(in: count)]), partition)
    case .deleteID(let id): try await remove([try Self.song(id, board)], partition)
    case .clear: try await clear(partition)
    case .move(let range, let place):
      let range = try range.checked(in: count)
      try await move(Array(board.log.songs[range]), place, board, partition)
    case .moveID(let id, let place): try await move([try Self.song(id, board)], place, board, partition)
    case .swap(let left, let right):
      try await swap(Self.song(at: left, board), Self.song(at: right, board), partition)
    case .swapID(let left, let right):
      try await swap(Self.song(left, board), Self.song(right, board), partition)
    case .shuffle(let range): try await shuffle(range, board, partition)
    case .section(let id, let section): try await setSection(section, of: Self.song(id, board), partition)
    default: break
    }
    return ""
  }

  // MARK: - Adding

  /// - Returns: the numbers of the new entries.
  private func add(
    _ names: [String], _ place: MPDPlace?, _ board: Board, _ partition: String
  ) async throws(MPDFailure) -> [Int] {
    let position = try place.map { (place) throws(MPDFailure) in try Self.position(place, board) }
    var sources: [String] = []
    var failure: MPDFailure?
    for (offset, name) in names.enumerated() {
      do throws(MPDFailure) { sources += try self.sources(try await whole(name, board, partition)) } catch {
        failure = MPDFailure(error.code, error.message, offset: offset)
        break
      }
    }
    var added: [Int] = []
    if !sources.isEmpty { added = try await enqueue(sources, at: position, partition) }
    if let failure { throw failure }
    return added
  }

  private static func position(_ place: MPDPlace, _ board: Board) throws(MPDFailure) -> Int {
    let current = board.current.flatMap(board.log.position)
    return try place.position(current: current, count: board.log.songs.count)
  }

  private func enqueue(
    _ sources: [String], at position: Int?, _ partition: String
  ) async throws(MPDFailure) -> [Int] {
    let added: [EntryID]
    do throws(Failure) {
      added = try await source.enqueue(sources, at: position.map { $0 + 1 }, on: partition)
    } catch {
      throw MPDFailure(error)
    }
    try await refresh(partition)
    return added.map { Int(clamping: $0.rawValue) }
  }

  /// Addresses of the web as they are, files and folders by their paths.
  private func sources(_ name: String) throws(MPDFailure) -> [String] {
    let head = name.prefix(8).lowercased()
    if head.hasPrefix("http://") || head.hasPrefix("https://") {
      guard name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
        throw MPDFailure(.argument, "Malformed URI")
      }
      return [name]
    }
    if name.contains("://"), !FilePath.isURL(name) {
      throw MPDFailure(.argument, "Unsupported URI scheme")
    }
    return try MPDFailure.heard { () throws(MediaFolders.Problem) in
      let item = try folders.item(name)
      guard item.kind == .folder else { return [item.path] }
      return try folders.tree(of: item).filter { $0.kind == .media }.map(\.path)
    }
  }

  // MARK: - Changing

  /// Removes songs. When the one on the screen is among them, what follows it plays, as clients expect.
  private func remove(_ songs: [EntryID], _ partition: String) async throws(MPDFailure) {
    guard !songs.isEmpty else { return }
    let parts = try await present(partition).parts
    let removed = Set(songs)
    if parts.state != .stop, let shown = parts.entry, removed.contains(shown) {
      let hasNext = parts.next.map { !removed.contains($0) } ?? false
      try await act([hasNext ? .next : .stop(quits: false)], on: partition)
    }
    do throws(Failure) { try await source.remove(songs, from: partition) } catch {
      throw MPDFailure(error)
    }
    try await refresh(partition)
  }

  /// Empties the queue and stops, so that what is added next waits for `play`. What somebody else plays goes on.
  private func clear(_ partition: String) async throws(MPDFailure) {
    let parts = try await present(partition).parts
    try await change(.clear(stops: false), on: partition)
    guard parts.state == .stop || parts.entry != nil else { return }
    boards[partition]?.current = nil
    do throws(MPDFailure) { try await act([.stop(quits: false)], on: partition) } catch {
      guard error.code == .playerSync else { throw error }
    }
  }

  private func arrange(
    _ partition: String, _ change: @escaping @Sendable ([EntryID]) throws(MPDFailure) -> [EntryID]
  ) async throws(MPDFailure) {
    try await source.arrange(partition, change)
    try await refresh(partition)
  }

  private func move(
    _ songs: [EntryID], _ place: MPDPlace, _ board: Board, _ partition: String
  ) async throws(MPDFailure) {
    let moved = Set(songs)
    let current = board.current
    try await arrange(partition) { (order) throws(MPDFailure) in
      var rest = order.filter { !moved.contains($0) }
      let present = order.filter(moved.contains)
      guard present.count == moved.count else { throw .noSong }
      let place = try place.position(current: current.flatMap(rest.firstIndex), count: rest.count)
      rest.insert(contentsOf: present, at: place)
      return rest
    }
  }

  private func swap(_ left: EntryID, _ right: EntryID, _ partition: String) async throws(MPDFailure) {
    try await arrange(partition) { (order) throws(MPDFailure) in
      guard let one = order.firstIndex(of: left), let other = order.firstIndex(of: right) else {
        throw .noSong
      }
      var order = order
      order.swapAt(one, other)
      return order
    }
  }

  /// Shuffles the rows themselves; of the whole queue, the song that plays becomes the first.
  private func shuffle(_ range: MPDRange?, _ board: Board, _ partition: String) async throws(MPDFailure) {
    let playing = board.parts.state == .stop ? nil : board.parts.entry
    let range = try range?.checked(in: board.log.songs.count)
    try await arrange(partition) { (order) throws(MPDFailure) in
      guard let range else {
        let first = playing.flatMap { order.contains($0) ? [$0] : nil } ?? []
        return first + order.filter { !first.contains($0) }.shuffled()
      }
      var order = order
      let part = range.clamped(to: 0..<order.count)
      order.replaceSubrange(part, with: order[part].shuffled())
      return order
    }
  }

  private func setSection(
    _ section: MPDSection, of song: EntryID, _ partition: String
  ) async throws(MPDFailure) {
    do throws(Failure) { try await source.setSection(section, of: song, on: partition) } catch {
      throw MPDFailure(error)
    }
    try await refresh(partition, altered: [song])
  }

  // MARK: - Stored lists

  /// The file of a list.
  func list(_ name: String) async throws(MPDFailure) -> String {
    try Self.checkListName(name)
    let file: String?
    do throws(Failure) { file = try await source.list(name) } catch { throw MPDFailure(error) }
    guard let file else { throw MPDFailure(.missing, "No such playlist") }
    return file
  }

  static func checkListName(_ name: String) throws(MPDFailure) {
    let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "/" && $0.value != 0x7F }
    guard !name.isEmpty, name.utf8.count <= 200, !name.hasPrefix("."), isPlain,
      TerminalText.sanitized(name) == name
    else {
      throw MPDFailure(
        .argument, "Bad playlist name: it may not be empty, begin with a dot, or contain slashes or controls")
    }
  }

  func lists() async throws(MPDFailure) -> String {
    do throws(Failure) {
      return try await source.lists().reduce(into: "") { text, list in
        text += SongText.line("playlist", list.name)
        text += "Last-Modified: \(RFC3339.text(list.modifiedAt).prefix(19))Z\n"
      }
    } catch {
      throw MPDFailure(error)
    }
  }

  func load(
    _ name: String, _ range: MPDRange?, _ place: MPDPlace?, on partition: String
  ) async throws(MPDFailure) {
    let board = try await refresh(partition)
    let file = try await list(name)
    let position = try place.map { (place) throws(MPDFailure) in try Self.position(place, board) }
    let added = try await enqueue([file], at: position, partition)
    // The command line reads lists as a whole.
    guard let range, range != MPDRange(start: 0, end: nil) else { return }
    let wanted = range.clamped(to: added.count)
    try await remove(
      added.enumerated().filter { !wanted.contains($0.offset) }.map { EntryID(Int64($0.element)) }, partition)
  }

  func save(_ name: String, _ saving: MPDSaving, on partition: String) async throws(MPDFailure) {
    try Self.checkListName(name)
    do throws(Failure) {
      let isThere = try await source.list(name) != nil
      guard isThere == (saving == .replace) else {
        throw Failure(isThere ? "exists" : "missing", "", exit: .badData)
      }
      try await source.save(partition, as: name)
    } catch {
      switch error.code {
      case "exists": throw MPDFailure(.exists, "Playlist already exists")
      case "missing": throw MPDFailure(.missing, "No such playlist")
      default: throw MPDFailure(error)
      }
    }
    notify(nil, [.storedPlaylist])
  }

  func removeList(_ name: String) async throws(MPDFailure) {
    _ = try await list(name)
    do throws(Failure) { try await source.removeList(name) } catch { throw MPDFailure(error) }
    notify(nil, [.storedPlaylist])
  }
}
