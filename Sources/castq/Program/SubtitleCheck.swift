import CastProtocol
import CastqCore
import CastqDaemon

/// Asks, while a list begins to play, whether receivers may read its subtitles on the web: without leave from the server the film
/// plays, the track says that it is shown, and no word of it appears (protocol 21.19).
struct SubtitleCheck {
  /// Servers seldom differ from file to file.
  private static let most = 4

  private let question: Task<[String], Never>

  init(_ list: SourceList, _ global: GlobalOptions) {
    let addresses = global.quiet ? [] : Self.addresses(list.drafts)
    question = Task {
      await withTaskGroup(of: String?.self) { group in
        for address in addresses {
          group.addTask { await MediaLook.forbidsReceivers(at: address) ? address : nil }
        }
        return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
      }
    }
  }

  /// Says it in one line.
  func say() async {
    let forbidden = await question.value.sorted()
    guard let first = forbidden.first else { return }
    let more = forbidden.count > 1 ? " and others" : ""
    Console.say(
      "castq: \(MediaTitle.name(of: first))\(more): subtitles will not be shown: their server does not let other sites read "
        + "them (Access-Control-Allow-Origin); let it, or name a local file, which castq serves itself")
  }

  func end() { question.cancel() }

  /// One of each server, up to a few.
  private static func addresses(_ drafts: [EntryDraft]) -> [String] {
    var seen: Set<Substring> = []
    var addresses: [String] = []
    for track in drafts.lazy.flatMap(\.media.mediaTracks) where track.kind == .text {
      guard let address = track.contentIdentifier, addresses.count < most else { continue }
      let server = address.split(separator: "/", maxSplits: 2).dropLast().last ?? ""
      if !address.lowercased().hasPrefix("file:"), seen.insert(server).inserted { addresses.append(address) }
    }
    return addresses
  }
}
