import CastProtocol
import CastqText

/// An entry of a native playlist, without the properties that follow from the location of its media.
struct NativeEntry: Sendable {
  /// Complete except for the address, the stream type and what the content type decides.
  var draft: EntryDraft
  /// An application's own identifier of the media.
  var contentID: String?
  var stream: MediaStreamType?
  /// The given length.
  var length: MediaTime?
  /// Nil when the list does not state it.
  var metadataKind: MediaMetadata.Kind?
  var metadataValues: [String: JSONValue] = [:]
  var hasMetadata = false
  var images: [Image] = []
  /// The subtitles it starts with; active tracks that are named override it.
  var subtitles: SubtitleChoice?
  /// It has no address: an application resolves its identifier or its deep link.
  var isPlacedByName = false
}

extension NativePlaylistParser {
  /// - Returns: nil when it names no media.
  mutating func entry(_ node: DocumentNode, defaults: [DocumentMember]) -> PlaylistItem? {
    var members: [DocumentMember]
    if node.scalar != nil {
      guard string(node) != nil else { return nil }
      members = [DocumentMember(key: EntryKey.url.rawValue, place: node.place, value: node)]
    } else if let written = node.mapping {
      members = written
    } else {
      fail(node, "expected an entry, found \(node.kindName)", hint: "write a file, an address or a mapping")
      return nil
    }
    let count = members.count
    members = Self.merging(members, over: defaults)
    guard let place = place(of: members, at: node.place) else { return nil }
    var item = PlaylistItem(location: place, attributes: EntryAttributes())
    var entry = attributes(of: members, at: node.place)
    entry.isPlacedByName = !members.contains {
      $0.key == EntryKey.url.rawValue || $0.key == EntryKey.file.rawValue
    }
    item.attributes.contentType = entry.draft.media.contentType
    item.hasDirectives = count > 1
    item.native = entry
    return item
  }

  /// The entry's own members, and the defaults that it lacks. `metadata` and `style` are merged key by key; a default with the
  /// same meaning under another key is replaced, too.
  private static func merging(_ members: [DocumentMember], over defaults: [DocumentMember])
    -> [DocumentMember]
  {
    guard !defaults.isEmpty else { return members }
    var result = members
    let index = Dictionary(
      members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    let ownMetadata = index[EntryKey.metadata.rawValue].flatMap { members[$0].value.mapping } ?? []
    var present = Set(members.map(\.key)).union(ownMetadata.map { "metadata " + MetadataKey.meaning($0.key) })
    for key in ["title", "subtitle"] {
      if present.contains(key) { present.insert("metadata \(key)") }
      if present.contains("metadata \(key)") { present.insert(key) }
    }
    if present.contains("end") || present.contains("play_for") { present.formUnion(["end", "play_for"]) }
    for member in defaults where EntryKey(rawValue: member.key).map({ !EntryKey.places.contains($0) }) ?? true
    {
      var member = member
      let own = index[member.key]
      if member.key == EntryKey.metadata.rawValue, let outer = member.value.mapping {
        let rest = outer.filter { !present.contains("metadata " + MetadataKey.meaning($0.key)) }
        member.value.content = .mapping((own == nil ? [] : ownMetadata) + rest)
      } else if member.key == EntryKey.style.rawValue, let own, let inner = members[own].value.mapping,
        let outer = member.value.mapping
      {
        let keys = Set(inner.map(\.key))
        member.value.content = .mapping(inner + outer.filter { !keys.contains($0.key) })
      } else if present.contains(member.key) {
        continue
      }
      guard let own else {
        result.append(member)
        continue
      }
      if result[own].value.mapping != nil { result[own].value = member.value }
    }
    return result
  }

  /// Location of the media. Media without an address are placed at the name that an application knows.
  private mutating func place(of members: [DocumentMember], at place: DocumentPlace) -> Located<String>? {
    func value(_ key: EntryKey) -> DocumentNode? { members.first { $0.key == key.rawValue }?.value }
    let written = only(value(.url), value(.file))
    guard let node = written ?? value(.contentID) ?? value(.entity) else {
      report(
        .error, place, TextError("the entry has no `url` and no `file`, so there is nothing to play"))
      // The other errors of the entry are reported, too.
      _ = attributes(of: members, at: place)
      return nil
    }
    guard let text = written == nil ? identifier(node) : string(node) else {
      // The other errors of the entry are reported, too.
      _ = attributes(of: members, at: place)
      return nil
    }
    return Located(text, line: node.place.line, column: node.place.column)
  }

  /// All properties of an entry except its location.
  mutating func attributes(of members: [DocumentMember], at place: DocumentPlace) -> NativeEntry {
    var entry = NativeEntry(draft: EntryDraft(media: MediaInformation(contentID: "", contentType: nil)))
    let node = DocumentNode(content: .mapping(members), place: place)
    let fields = fields(node, as: EntryKey.self) ?? []
    var later: [EntryKey: DocumentNode] = [:]
    for (key, value) in fields {
      switch key {
      case .url, .file: break
      case .contentID: entry.contentID = identifier(value)
      case .entity: entry.draft.media.entity = string(value)
      case .atvEntity: entry.draft.media.atvEntity = string(value)
      case .type: entry.draft.media.contentType = contentType(value)
      case .stream: entry.stream = word(value, as: MediaStreamType.self)
      case .duration: entry.length = time(value)
      case .title: put(text(value), "title", value, &entry)
      case .subtitle: put(text(value), "subtitle", value, &entry)
      case .metadata: metadata(value, &entry)
      case .images: entry.images = images(value)
      case .tracks: entry.draft.media.mediaTracks = tracks(value)
      case .activeTracks:
        entry.draft.activeTrackIDs = list(value)?.compactMap { count($0, 0...Self.largestTrackID) }
      case .subtitles: entry.subtitles = subtitles(value)
      case .style: entry.draft.media.textTrackStyle = style(value)
      case .clips: entry.draft.media.adBreakClips = clips(value)
      case .breaks, .end, .playFor: later[key] = value
      case .vmap: entry.draft.media.vmapAdsRequest = adsRequest(value)
      case .hlsSegmentFormat: entry.draft.media.hlsSegmentFormat = word(value, as: HLSSegmentFormat.self)
      case .hlsVideoSegmentFormat:
        entry.draft.media.hlsVideoSegmentFormat = word(value, as: HLSVideoSegmentFormat.self)
      case .startAbsoluteTime: entry.draft.media.startAbsoluteTime = absoluteTime(value)
      case .start: entry.draft.startTime = time(value)
      case .preload: entry.draft.preloadTime = time(value)
      case .autoplay: entry.draft.autoplay = flag(value) ?? true
      case .rate: entry.draft.playbackRate = number(value, 0.5...2, "a playback rate from 0.5 to 2")
      case .customData: entry.draft.media.customData = json(value)
      case .itemCustomData: entry.draft.customData = itemCustomData(value)
      case .credentials: entry.draft.credentials = string(value)
      case .credentialsType: entry.draft.credentialsType = string(value)
      case .notBefore: entry.draft.notBefore = moment(value)
      case .notAfter: later[key] = value
      case .foreign: entry.draft.foreign = foreign(value)
      case .onError: entry.draft.onError = errorPolicy(value)
      }
    }
    if let value = later[.breaks] { breaks(value, &entry.draft.media) }
    playbackDuration(end: later[.end], playFor: later[.playFor], &entry)
    if let value = later[.notAfter] { notAfter(value, &entry.draft) }
    return entry
  }

  static let largestTrackID = Int(Int32.max)

  /// Adds a text beside the metadata to the metadata.
  private mutating func put(
    _ text: String?, _ key: String, _ node: DocumentNode, _ entry: inout NativeEntry
  ) {
    guard let text else { return }
    guard entry.metadataValues[key] == nil else {
      fail(node, "`\(key)` is given twice for one entry; the first one counts")
      return
    }
    entry.metadataValues[key] = .string(text)
  }

  private mutating func playbackDuration(
    end: DocumentNode?, playFor: DocumentNode?, _ entry: inout NativeEntry
  ) {
    if let playFor, let time = time(playFor) {
      if time.seconds > 0 {
        entry.draft.playbackDuration = time
      } else {
        fail(playFor, "the playing time must be above 0")
      }
    }
    guard let end, let seconds = duration(end) else { return }
    guard playFor == nil else {
      fail(end, "`end` and `play_for` exclude each other")
      return
    }
    guard seconds > entry.draft.startTime?.seconds ?? 0 else {
      fail(end, "the end is not after the start, so it was ignored")
      return
    }
    entry.draft.playbackDuration = MediaTime(seconds: seconds - (entry.draft.startTime?.seconds ?? 0))
  }

  private mutating func notAfter(_ node: DocumentNode, _ draft: inout EntryDraft) {
    guard let moment = moment(node) else { return }
    guard moment >= draft.notBefore ?? moment else {
      fail(node, "`not_after` is before `not_before`, so it was ignored")
      return
    }
    draft.notAfter = moment
  }

  private mutating func absoluteTime(_ node: DocumentNode) -> Double? {
    if node.scalar?.double != nil { return number(node, 0...1e11, "a time in seconds since 1970") }
    return moment(node).map { Double($0.milliseconds) / 1000 }
  }

  private mutating func itemCustomData(_ node: DocumentNode) -> JSONValue? {
    guard let data = object(node) else { return nil }
    guard data["castq"] == nil, data.object?["castq"] == nil else {
      fail(node, "`castq` is reserved for castq in the data of an item", hint: "use another key")
      return nil
    }
    return data
  }

  /// `skip`, `stop`, or `retry` with a count.
  private mutating func errorPolicy(_ node: DocumentNode) -> EntryErrorPolicy? {
    guard let text = node.string, let policy = EntryErrorPolicy(text) else {
      fail(node, "\(shown(node)) is not an error policy", hint: "write skip, stop or `retry 3`")
      return nil
    }
    return policy
  }
}
