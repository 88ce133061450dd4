import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists

/// Lists whose media say in their address how they behave: `…/v4.mp4` lasts four seconds, `…/clip.mp4` half a second,
/// `…/dead….mp4` is 404.
enum FeedFixture {
  static let fetching: VirtualReceiver.Fetching = { url, _ in
    let name = url.split(separator: "/").last ?? ""
    if name.hasPrefix("dead") { return (.failed(.status(404)), .milliseconds(15)) }
    if name.hasSuffix(".jpg") {
      return (.loaded(MediaFacts(contentType: "image/jpeg", isImage: true)), .milliseconds(10))
    }
    if name.hasPrefix("clip") {
      return (.loaded(MediaFacts(duration: 0.5, contentType: "video/mp4")), .milliseconds(20))
    }
    let seconds = Double(name.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 4
    return (.loaded(MediaFacts(duration: seconds, contentType: "video/mp4")), .milliseconds(20))
  }

  static func draft(_ name: String, title: String? = nil) -> EntryDraft {
    let type =
      name.hasSuffix(".jpg") ? "image/jpeg" : name.hasSuffix(".html") ? "text/html" : "video/mp4"
    let metadata = MediaMetadata(values: ["title": .string(title ?? name)])
    return EntryDraft(
      media: MediaInformation(contentID: "http://media/\(name)", contentType: type, metadata: metadata))
  }

  static func feed(
    _ names: [String], repeatMode: QueueRepeat = .off, faults: [Fault] = [], seed: UInt64 = 1,
    configuration: FeederConfiguration = FeederConfiguration(),
    receiver change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) -> VirtualFeed {
    var rows = VirtualRows()
    rows.repeatMode = repeatMode
    rows.append(names.map { draft($0) })
    var receiver = ReceiverConfiguration()
    receiver.faults = faults
    receiver.seed = seed
    change(&receiver)
    return VirtualFeed(
      rows: rows, receiver: VirtualReceiver(configuration: receiver, fetching: fetching),
      configuration: configuration)
  }
}

extension VirtualRows {
  /// The plays of all entries that ended like that, in the order they ended.
  func turns(_ outcome: PlayOutcome) -> [EntryTurn] {
    facts.compactMap { fact in
      guard case .ended(let turn, let play) = fact, play.outcome == outcome else { return nil }
      return turn
    }
  }

  func entries(_ outcome: PlayOutcome) -> [Int64] { turns(outcome).map(\.entry.rawValue) }

  func ends(of entry: Int64) -> [EndedPlay] {
    facts.compactMap { fact in
      guard case .ended(let turn, let play) = fact, turn.entry.rawValue == entry else { return nil }
      return play
    }
  }

  func state(_ entry: Int64) -> EntryState? { rows.first { $0.id.rawValue == entry }?.state }
}
