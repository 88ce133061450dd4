/// Everything that reads what others wrote, by name: a coverage-guided engine feeds it (`make fuzz`), and an ordinary test
/// replays what the engine once found.
///
/// Whatever the bytes are, a parser returns. What it returns must be writable, and mean the same when it is read again.
enum Parser: String, CaseIterable, Sendable {
  /// The stream of a receiver: frames, messages, device authentication.
  case frames
  /// JSON texts, and what the messages of a receiver say.
  case json
  case m3u
  case pls
  case yaml
  /// Playlists and configurations in JSON.
  case documents
  case jspf
  case xspf
  /// DASH manifests in folders.
  case dash
  /// Subtitles in every format.
  case subtitles
  /// Text in a character set that is found out.
  case sets
  /// What ffprobe says of a file, and names of files.
  case probe
  case dns
  /// Requests to our media server, answers to our fetches, addresses.
  case http
  /// Ad lists that the simulator reads.
  case vast
  /// Lines of the control sockets, castq's own and the simulator's.
  case control
  /// What resolvers write, and the hosts that they are for.
  case resolvers
  /// Cron and calendar expressions, the columns of rules, and files of the zone database.
  case schedule
  /// Calendars of other programs.
  case calendar
  /// Files with a whole schedule.
  case site
  /// Proofs of play that others hand over.
  case proof
  /// What clients of the Music Player Daemon send.
  case mpd
  /// Numbers and times of people, files, clocks and rows.
  case numbers
  /// The file of writes that wait for the next start.
  case pending

  func parse(_ bytes: [UInt8]) {
    switch self {
    case .frames: parseFrames(bytes)
    case .json: parseJSON(bytes)
    case .m3u: parsePlaylist(bytes, named: "list.m3u")
    case .pls: parsePlaylist(bytes, named: "list.pls")
    case .yaml: parsePlaylist(bytes, named: "list.yaml")
    case .documents: parsePlaylist(bytes, named: "list.json")
    case .jspf: parsePlaylist(bytes, named: "list.jspf")
    case .xspf: parsePlaylist(bytes, named: "list.xspf")
    case .dash: parseManifest(bytes)
    case .subtitles: parseSubtitles(bytes)
    case .sets: parseSets(bytes)
    case .probe: parseProbe(bytes)
    case .dns: parseDNS(bytes)
    case .http: parseHTTP(bytes)
    case .vast: parseVAST(bytes)
    case .control: parseControl(bytes)
    case .resolvers: parseResolvers(bytes)
    case .schedule: parseSchedule(bytes)
    case .calendar: parseCalendar(bytes)
    case .site: parseSite(bytes)
    case .proof: parseProof(bytes)
    case .mpd: parseMPD(bytes)
    case .numbers: parseNumbers(bytes)
    case .pending: parsePending(bytes)
    }
  }
}
