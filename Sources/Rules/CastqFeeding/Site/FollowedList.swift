import CastProtocol
package import CastqPlaylists

/// What was read of the source of a list.
package enum ProgrammeList: Sendable, Hashable {
  /// The good lines, and what is wrong with the others.
  case list(Playlist, problems: [ListProblem] = [])
  /// It has nothing to play, and why: what was read before stays.
  case problem(String)

  /// Everything of it that is not taken up.
  var problems: [ListProblem] {
    switch self {
    case .list(_, let problems): problems
    case .problem(let words): [ListProblem(message: words)]
    }
  }
}

/// A list that is being followed: read, and read again after each edit.
package enum FollowedID: Sendable, Hashable {
  /// That of a programme that rules play.
  case programme(String)
  /// The one that the configuration gives to a device.
  case base(DeviceID)
}

/// What is known of a list that is being followed.
struct FollowedList: Sendable {
  let source: String
  /// How often it is read again if it is on the web; nil reads it once.
  let refresh: Duration?
  /// What is played of it; nil before the first time.
  var list: ProgrammeList?
  /// Why the newest version is not taken up; nil when it is.
  var problem: String?

  /// Takes what was read. A version of which nothing can be played leaves an earlier one in its place.
  /// - Returns: whether anything has changed.
  mutating func take(_ new: ProgrammeList) -> Bool {
    switch (new, list) {
    case (.problem(let words), .list):
      guard problem != words else { return false }
      problem = words
    case (_, new):
      guard problem != nil else { return false }
      problem = nil
    default: (list, problem) = (new, nil)
    }
    return true
  }

  /// Everything that is not taken up.
  var problems: [ListProblem] { problem.map { [ListProblem(message: $0)] } ?? list?.problems ?? [] }
}

/// A programme that enabled rules may show, or that stands in for one.
package struct PlayedProgramme: Sendable, Hashable {
  package let name: String
  package let source: String
  /// The programme that is shown while nothing of this one can be, by its name.
  package let filler: String?
  /// How its list is made of its source: what changes it has it taken anew.
  package let order: Order
  /// Where rules that have a time show it, and shares.
  package let devices: [DeviceID]
  /// Where rules show it that start at moments of their own.
  package let starts: [DeviceID]

  package struct Order: Sendable, Hashable {
    let number: Int64
    let isShuffled: Bool
    let seed: UInt64

    package init(number: Int64, isShuffled: Bool, seed: UInt64) {
      (self.number, self.isShuffled, self.seed) = (number, isShuffled, seed)
    }
  }

  package init(
    name: String, source: String, filler: String?, order: Order, devices: [DeviceID], starts: [DeviceID]
  ) {
    (self.name, self.source, self.filler, self.order) = (name, source, filler, order)
    (self.devices, self.starts) = (devices, starts)
  }

  /// Everywhere it is shown.
  var shown: Set<DeviceID> { Set(devices).union(starts) }
}

/// The lists of a site: those of programmes that rules play, and what was said of all of them.
struct SiteLists: Sendable {
  /// The programmes that rules play, as they were read last.
  var played: [PlayedProgramme] = []
  /// A number that changes with the rules; nil before they were first followed, and when what was read could not be written.
  var version: Int?
  /// By the names of programmes.
  var followed: [String: FollowedList] = [:]
  /// What was logged of lists that were not taken up, by their sources.
  var told: [String: [ListProblem]] = [:]

  /// Whether the list of a programme that rules show on a device has not been read yet.
  func areBeingRead(for id: DeviceID) -> Bool {
    played.contains { followed[$0.name]?.list == nil && $0.shown.contains(id) }
  }

  /// What is shown while nothing of a programme can be; nil where nothing stands in for it, or that has not been read.
  func standIns(for programme: PlayedProgramme) -> [EntryDraft]? {
    guard case .list(let list, _)? = programme.filler.flatMap({ followed[$0]?.list }) else { return nil }
    return list.drafts
  }
}

/// What a site has written of lists.
package enum ListWrite: Sendable {
  /// What an earlier version kept in a file.
  case takeOver
  /// Why a programme has no list.
  case problem(String, of: String)
  /// What stands in for a programme whose source cannot be read, where it has no list of an earlier reading.
  case standIns([EntryDraft], of: String, on: [DeviceID])
  /// A programme's list, for rules that have a time and for those that start at moments of their own.
  case list(Playlist, of: String, on: [DeviceID], starts: [DeviceID])
  /// The list that the configuration gives to a device: what is in its queue already keeps its number and its place.
  case adopt(Playlist, ConfiguredList, DeviceID)
  /// The same in place of what the queue has.
  case replace(Playlist, ConfiguredList, DeviceID)
  /// Remove what queues have of lists that have left the configuration: those of other devices among these.
  case removeOld(besides: Set<DeviceID>, of: Set<DeviceID>)
  /// Forget what was wrong with lists that these devices do not play any more.
  case forgetProblems(besides: [DeviceID: Set<String>])
}
