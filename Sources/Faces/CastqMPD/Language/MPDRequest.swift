/// What a client asks for.
package enum MPDRequest: Sendable, Hashable {
  // Answered by the connection alone.
  case ping, close, password(String), commands(isAllowed: Bool)
  case tagTypes, limitTags(Set<MPDTag>?, isAdded: Bool), urlHandlers, decoders, binaryLimit(Int)
  case partition(String)
  /// A command that has nothing to do here, and is well as it is.
  case nothing
  /// A line with a fixed answer.
  case constant(String)

  // What is there.
  case status, currentSong, stats, outputs, partitions, clearError
  case songs(MPDRange?), song(id: Int?), names
  case changes(version: Int, MPDRange?, isBrief: Bool)

  // Playback.
  case play(position: Int?), playID(Int?), pause(Bool?), stop, next, previous
  case seek(position: Int, MPDTime), seekID(Int, MPDTime), seekCurrent(MPDTime)
  case setVolume(Int), changeVolume(Int), getVolume
  case repeats(Bool), random(Bool), single(MPDSwitch), consume(MPDSwitch)

  // The queue.
  /// Several when they follow each other in a command list.
  case add([String], MPDPlace?), addID(String, MPDPlace?)
  case delete(MPDRange), deleteID(Int), clear
  case move(MPDRange, MPDPlace), moveID(Int, MPDPlace), swap(Int, Int), swapID(Int, Int)
  case shuffle(MPDRange?), section(Int, MPDSection)

  // Lists and files.
  case lists, listSongs(String, isFull: Bool), load(String, MPDRange?, MPDPlace?)
  case save(String, MPDSaving), removeList(String)
  case folder(String), tree(String, isFull: Bool)
  case art(String, offset: Int, isEmbedded: Bool)
}

/// What `save` does with a list that is there.
package enum MPDSaving: String, Sendable, Hashable {
  case create, replace
}

/// Tags of songs that are sent.
package enum MPDTag: String, Sendable, Hashable, CaseIterable {
  case artist = "Artist"
  case album = "Album"
  case albumArtist = "AlbumArtist"
  case title = "Title"
  case track = "Track"
  case name = "Name"
  case genre = "Genre"
  case date = "Date"
  case composer = "Composer"
  case disc = "Disc"

  /// By its name in any case.
  init?(name: String) {
    guard let tag = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
      return nil
    }
    self = tag
  }
}

/// What `idle` reports.
package enum MPDSubsystem: String, Sendable, Hashable, CaseIterable {
  case database, update
  case storedPlaylist = "stored_playlist"
  case playlist, player, mixer, output, options, partition, sticker, subscription, message, neighbor, mount
}

/// What a client may do.
package struct MPDPermissions: OptionSet, Sendable, Hashable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let read = MPDPermissions(rawValue: 1)
  /// Playback and the order of the queue.
  package static let control = MPDPermissions(rawValue: 2)
  /// What is played: new songs, and lists.
  package static let add = MPDPermissions(rawValue: 4)
  package static let all: MPDPermissions = [.read, .control, .add]
}
