/// The commands: what each needs, and what it asks for.
struct MPDCommand: Sendable {
  let permission: MPDPermissions
  let arguments: ClosedRange<Int>
  let read: @Sendable (inout MPDArguments) throws(MPDFailure) -> MPDRequest

  init(
    _ permission: MPDPermissions, _ arguments: ClosedRange<Int> = 0...0,
    _ read: @escaping @Sendable (inout MPDArguments) throws(MPDFailure) -> MPDRequest
  ) {
    self.permission = permission
    self.arguments = arguments
    self.read = read
  }

  /// What a line asks for.
  static func request(
    _ words: MPDWords, permissions: MPDPermissions
  ) throws(MPDFailure) -> MPDRequest {
    let name = words.command
    guard let command = table[name] else {
      throw MPDFailure(.unknown, "unknown command \"\(name)\"")
    }
    guard permissions.isSuperset(of: command.permission) else {
      throw MPDFailure(.permission, "you don't have permission for \"\(name)\"")
    }
    guard command.arguments.count > 1 || command.arguments.contains(words.arguments.count) else {
      throw MPDFailure(.argument, "wrong number of arguments for \"\(name)\"")
    }
    guard words.arguments.count >= command.arguments.lowerBound else {
      throw MPDFailure(.argument, "too few arguments for \"\(name)\"")
    }
    guard words.arguments.count <= command.arguments.upperBound else {
      throw MPDFailure(.argument, "too many arguments for \"\(name)\"")
    }
    var arguments = MPDArguments(words.arguments)
    return try command.read(&arguments)
  }

  /// Names of the commands that these permissions allow, or those that they do not.
  static func names(_ permissions: MPDPermissions, areAllowed: Bool) -> [String] {
    table.filter { permissions.isSuperset(of: $0.value.permission) == areAllowed }.keys.sorted()
  }

  static let table: [String: MPDCommand] = {
    var table = connection.merging(reading) { $1 }
    table.merge(playback) { $1 }
    table.merge(queue) { $1 }
    table.merge(lists) { $1 }
    return table
  }()

  private static let most = MPDWords.most

  // MARK: - The connection

  private static let connection: [String: MPDCommand] = [
    "ping": MPDCommand([]) { (_) throws(MPDFailure) in .ping },
    "close": MPDCommand([]) { (_) throws(MPDFailure) in .close },
    "password": MPDCommand([], 1...1) { (arguments) throws(MPDFailure) in .password(arguments.text()) },
    "commands": MPDCommand([]) { (_) throws(MPDFailure) in .commands(isAllowed: true) },
    "notcommands": MPDCommand([]) { (_) throws(MPDFailure) in .commands(isAllowed: false) },
    "idle": MPDCommand(.read, 0...most) { (_) throws(MPDFailure) in .nothing },
    "noidle": MPDCommand([]) { (_) throws(MPDFailure) in .nothing },
    "tagtypes": MPDCommand([], 0...most) { (arguments) throws(MPDFailure) in
      try tagTypes(&arguments)
    },
    "urlhandlers": MPDCommand(.read) { (_) throws(MPDFailure) in .urlHandlers },
    "decoders": MPDCommand(.read) { (_) throws(MPDFailure) in .decoders },
    "binarylimit": MPDCommand([], 1...1) { (arguments) throws(MPDFailure) in
      let limit = try arguments.unsigned()
      guard limit >= 64 else { throw MPDFailure(.argument, "Value too small") }
      return .binaryLimit(limit)
    },
    "partition": MPDCommand(.read, 1...1) { (arguments) throws(MPDFailure) in
      .partition(arguments.text())
    },
    "config": MPDCommand(.read) { (_) throws(MPDFailure) in
      throw MPDFailure(.permission, "castq has its configuration in a file of its own")
    },
    "kill": MPDCommand(.read) { (_) throws(MPDFailure) in throw noAdministration("kill") },
    "newpartition": MPDCommand(.read, 1...1) { (_) throws(MPDFailure) in
      throw noAdministration("newpartition")
    },
    "delpartition": MPDCommand(.read, 1...1) { (_) throws(MPDFailure) in
      throw noAdministration("delpartition")
    },
    "moveoutput": MPDCommand(.read, 1...1) { (_) throws(MPDFailure) in
      throw noAdministration("moveoutput")
    },
    "channels": MPDCommand(.read) { (_) throws(MPDFailure) in .nothing },
    "readmessages": MPDCommand(.read) { (_) throws(MPDFailure) in .nothing },
  ]

  private static func noAdministration(_ name: String) -> MPDFailure {
    MPDFailure(.permission, "you don't have permission for \"\(name)\": devices are partitions")
  }

  private static func tagTypes(_ arguments: inout MPDArguments) throws(MPDFailure) -> MPDRequest {
    guard !arguments.isEmpty else { return .tagTypes }
    let word = arguments.text()
    switch word {
    case "all": return .limitTags(nil, isAdded: true)
    case "clear": return .limitTags(nil, isAdded: false)
    case "enable", "disable":
      guard !arguments.isEmpty else { throw MPDFailure(.argument, "Not enough arguments") }
      var tags: Set<MPDTag> = []
      // Tags that castq never sends are as good as switched.
      while !arguments.isEmpty { if let tag = MPDTag(name: arguments.text()) { tags.insert(tag) } }
      return .limitTags(tags, isAdded: word == "enable")
    default: throw MPDFailure(.argument, "Unknown sub command")
    }
  }

  // MARK: - What is there

  private static let reading: [String: MPDCommand] = [
    "status": MPDCommand(.read) { (_) throws(MPDFailure) in .status },
    "currentsong": MPDCommand(.read) { (_) throws(MPDFailure) in .currentSong },
    "stats": MPDCommand(.read) { (_) throws(MPDFailure) in .stats },
    "outputs": MPDCommand(.read) { (_) throws(MPDFailure) in .outputs },
    "listpartitions": MPDCommand(.read) { (_) throws(MPDFailure) in .partitions },
    "clearerror": MPDCommand(.control) { (_) throws(MPDFailure) in .clearError },
    "replay_gain_status": MPDCommand(.read) { (_) throws(MPDFailure) in
      .constant("replay_gain_mode: off\n")
    },
    "playlistinfo": MPDCommand(.read, 0...1) { (arguments) throws(MPDFailure) in
      .songs(try arguments.optional { (one) throws(MPDFailure) in try one.range() })
    },
    "playlistid": MPDCommand(.read, 0...1) { (arguments) throws(MPDFailure) in
      .song(id: try arguments.optional { (one) throws(MPDFailure) in try one.unsigned() })
    },
    "playlist": MPDCommand(.read) { (_) throws(MPDFailure) in .names },
    "plchanges": MPDCommand(.read, 1...2) { (arguments) throws(MPDFailure) in
      try changes(&arguments, isBrief: false)
    },
    "plchangesposid": MPDCommand(.read, 1...2) { (arguments) throws(MPDFailure) in
      try changes(&arguments, isBrief: true)
    },
    // castq has no database of tags: what is asked of one has an empty answer.
    "find": MPDCommand(.read, 1...most) { (_) throws(MPDFailure) in .nothing },
    "search": MPDCommand(.read, 1...most) { (_) throws(MPDFailure) in .nothing },
    "list": MPDCommand(.read, 1...most) { (_) throws(MPDFailure) in .nothing },
    "count": MPDCommand(.read, 1...most) { (_) throws(MPDFailure) in
      .constant("songs: 0\nplaytime: 0\n")
    },
  ]

  private static func changes(
    _ arguments: inout MPDArguments, isBrief: Bool
  ) throws(MPDFailure) -> MPDRequest {
    let version = try arguments.integer()
    let range = try arguments.optional { (one) throws(MPDFailure) in try one.range() }
    return .changes(version: version, range, isBrief: isBrief)
  }

  // MARK: - Playback

  private static let playback: [String: MPDCommand] = [
    "play": MPDCommand(.control, 0...1) { (arguments) throws(MPDFailure) in
      .play(position: try anyOrNone(&arguments))
    },
    "playid": MPDCommand(.control, 0...1) { (arguments) throws(MPDFailure) in
      .playID(try anyOrNone(&arguments))
    },
    "pause": MPDCommand(.control, 0...1) { (arguments) throws(MPDFailure) in
      .pause(try arguments.optional { (one) throws(MPDFailure) in try one.flag() })
    },
    "stop": MPDCommand(.control) { (_) throws(MPDFailure) in .stop },
    "next": MPDCommand(.control) { (_) throws(MPDFailure) in .next },
    "previous": MPDCommand(.control) { (_) throws(MPDFailure) in .previous },
    "seek": MPDCommand(.control, 2...2) { (arguments) throws(MPDFailure) in
      .seek(position: try arguments.unsigned(), try arguments.seconds())
    },
    "seekid": MPDCommand(.control, 2...2) { (arguments) throws(MPDFailure) in
      .seekID(try arguments.unsigned(), try arguments.seconds())
    },
    "seekcur": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      .seekCurrent(try arguments.seconds(allowsStep: true))
    },
    "setvol": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      let level = try arguments.unsigned()
      guard level <= 100 else { throw MPDFailure(.argument, "Number too large: \(level)") }
      return .setVolume(level)
    },
    "volume": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      let change = try volumeChange(&arguments)
      return .changeVolume(change)
    },
    "getvol": MPDCommand(.read) { (_) throws(MPDFailure) in .getVolume },
    "repeat": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      .repeats(try arguments.flag())
    },
    "random": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      .random(try arguments.flag())
    },
    "single": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      .single(try arguments.level())
    },
    "consume": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      .consume(try arguments.level())
    },
    // What castq does not have may be switched off, and not on.
    "crossfade": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      guard try arguments.unsigned() == 0 else { throw unavailable("crossfade") }
      return .nothing
    },
    "replay_gain_mode": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      guard arguments.text() == "off" else { throw unavailable("replay gain") }
      return .nothing
    },
    "enableoutput": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      guard try arguments.unsigned() == 0 else { throw MPDFailure(.missing, "No such audio output") }
      return .nothing
    },
    "disableoutput": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      guard try arguments.unsigned() == 0 else { throw MPDFailure(.missing, "No such audio output") }
      throw unavailable("a partition without its device")
    },
  ]

  private static func unavailable(_ what: String) -> MPDFailure {
    MPDFailure(.system, "\(what) is unavailable on Cast devices")
  }

  /// A number from 0; nil for none, and for -1.
  private static func anyOrNone(_ arguments: inout MPDArguments) throws(MPDFailure) -> Int? {
    guard !arguments.isEmpty else { return nil }
    let number = try arguments.integer()
    guard number >= -1 else { throw .badIndex }
    return number == -1 ? nil : number
  }

  private static func volumeChange(_ arguments: inout MPDArguments) throws(MPDFailure) -> Int {
    let text = arguments.text()
    let digits = text.utf8.first == UInt8(ascii: "+") ? String(text.dropFirst()) : text
    guard let change = Int(digits), (-100...100).contains(change) else {
      throw MPDFailure(.argument, "Integer expected: \(text)")
    }
    return change
  }

  // MARK: - The queue

  private static let queue: [String: MPDCommand] = [
    "add": MPDCommand(.add, 1...2) { (arguments) throws(MPDFailure) in
      .add([arguments.text()], try place(&arguments))
    },
    "addid": MPDCommand(.add, 1...2) { (arguments) throws(MPDFailure) in
      .addID(arguments.text(), try place(&arguments))
    },
    "delete": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      .delete(try arguments.range())
    },
    "deleteid": MPDCommand(.control, 1...1) { (arguments) throws(MPDFailure) in
      .deleteID(try arguments.unsigned())
    },
    "clear": MPDCommand(.control) { (_) throws(MPDFailure) in .clear },
    "move": MPDCommand(.control, 2...2) { (arguments) throws(MPDFailure) in
      .move(try arguments.range(), try arguments.place())
    },
    "moveid": MPDCommand(.control, 2...2) { (arguments) throws(MPDFailure) in
      .moveID(try arguments.unsigned(), try arguments.place())
    },
    "swap": MPDCommand(.control, 2...2) { (arguments) throws(MPDFailure) in
      .swap(try arguments.unsigned(), try arguments.unsigned())
    },
    "swapid": MPDCommand(.control, 2...2) { (arguments) throws(MPDFailure) in
      .swapID(try arguments.unsigned(), try arguments.unsigned())
    },
    "shuffle": MPDCommand(.control, 0...1) { (arguments) throws(MPDFailure) in
      .shuffle(try arguments.optional { (one) throws(MPDFailure) in try one.range() })
    },
    "rangeid": MPDCommand(.control, 2...2) { (arguments) throws(MPDFailure) in
      .section(try arguments.unsigned(), try arguments.section())
    },
  ]

  private static func place(_ arguments: inout MPDArguments) throws(MPDFailure) -> MPDPlace? {
    try arguments.optional { (one) throws(MPDFailure) in try one.place() }
  }

  // MARK: - Lists and files

  private static let lists: [String: MPDCommand] = [
    "listplaylists": MPDCommand(.read) { (_) throws(MPDFailure) in .lists },
    "listplaylist": MPDCommand(.read, 1...1) { (arguments) throws(MPDFailure) in
      .listSongs(arguments.text(), isFull: false)
    },
    "listplaylistinfo": MPDCommand(.read, 1...1) { (arguments) throws(MPDFailure) in
      .listSongs(arguments.text(), isFull: true)
    },
    "load": MPDCommand(.add, 1...3) { (arguments) throws(MPDFailure) in
      let name = arguments.text()
      let range = try arguments.optional { (one) throws(MPDFailure) in try one.range() }
      return .load(name, range, try place(&arguments))
    },
    "save": MPDCommand(.add, 1...2) { (arguments) throws(MPDFailure) in
      let name = arguments.text()
      guard !arguments.isEmpty else { return .save(name, .create) }
      let mode = arguments.text()
      guard let saving = MPDSaving(rawValue: mode) else {
        throw MPDFailure(.argument, "Unrecognized save mode, expected one of 'create' and 'replace'")
      }
      return .save(name, saving)
    },
    "rm": MPDCommand(.add, 1...1) { (arguments) throws(MPDFailure) in .removeList(arguments.text()) },
    "lsinfo": MPDCommand(.read, 0...1) { (arguments) throws(MPDFailure) in .folder(arguments.text()) },
    "listall": MPDCommand(.read, 0...1) { (arguments) throws(MPDFailure) in
      .tree(arguments.text(), isFull: false)
    },
    "listallinfo": MPDCommand(.read, 0...1) { (arguments) throws(MPDFailure) in
      .tree(arguments.text(), isFull: true)
    },
    "albumart": MPDCommand(.read, 2...2) { (arguments) throws(MPDFailure) in
      .art(arguments.text(), offset: try arguments.unsigned(), isEmbedded: false)
    },
    "readpicture": MPDCommand(.read, 2...2) { (arguments) throws(MPDFailure) in
      .art(arguments.text(), offset: try arguments.unsigned(), isEmbedded: true)
    },
  ]
}
