import CastProtocol

// Rarely used members of the protocol have no column: they are stored with the unknown members, under their protocol names.

extension MediaInformation {
  private static let keys = ["atvEntity", "mediaCategory", "userActionStates"]

  var membersWithoutColumn: [String: JSONValue] { unknownMembers.adding(Self.keys, of: json) }

  mutating func takeMembersWithoutColumn(_ column: JSONValue?) {
    if let known = MediaInformation(json: column) {
      atvEntity = known.atvEntity
      mediaCategory = known.mediaCategory
      userActionStates = known.userActionStates
    }
    unknownMembers = column.objectWithout(Self.keys)
  }
}

extension MediaTrack {
  private static let keys = ["isInband", "audioTrackInfo"]

  var membersWithoutColumn: [String: JSONValue] { unknownMembers.adding(Self.keys, of: json) }

  mutating func takeMembersWithoutColumn(_ column: JSONValue?) {
    isInband = column?["isInband"]?.bool
    audioTrackInfo = AudioTrackInfo(json: column?["audioTrackInfo"])
    unknownMembers = column.objectWithout(Self.keys)
  }
}

extension AdBreakClipInfo {
  private static let keys = ["hlsVideoSegmentFormat"]

  var membersWithoutColumn: [String: JSONValue] { unknownMembers.adding(Self.keys, of: json) }

  mutating func takeMembersWithoutColumn(_ column: JSONValue?) {
    hlsVideoSegmentFormat = HLSVideoSegmentFormat(column?["hlsVideoSegmentFormat"])
    unknownMembers = column.objectWithout(Self.keys)
  }
}

extension [String: JSONValue] {
  /// An object for a column; nil if it is empty.
  var column: String? { isEmpty ? nil : JSONValue.object(self).text }

  fileprivate func adding(_ keys: [String], of json: JSONValue) -> [String: JSONValue] {
    keys.reduce(into: self) { members, key in
      if let value = json[key] { members[key] = value }
    }
  }
}

extension Optional where Wrapped == JSONValue {
  fileprivate func objectWithout(_ keys: [String]) -> [String: JSONValue] {
    (self?.object ?? [:]).filter { !keys.contains($0.key) }
  }
}
