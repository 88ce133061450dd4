import CastProtocol
import CastqCore
import CastqDaemon

/// Checks, while a list starts, whether receivers may read its web subtitles. Without CORS permission the media plays and the
/// track counts as active, but no text appears (protocol 21.19).
struct SubtitleCheck {
  /// Maximum number of servers to check.
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

  /// Prints the result as one message.
  func report() async {
    let forbidden = await question.value.sorted()
    guard let first = forbidden.first else { return }
    let more = forbidden.count > 1 ? " and others" : ""
    Console.say(
      "castq: \(MediaTitle.name(of: first))\(more): subtitles will not be shown: their server does not allow other sites to "
        + "read them (Access-Control-Allow-Origin); allow it there, or use a local file, which castq serves")
  }

  func end() { question.cancel() }

  /// One address per server, up to the maximum.
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
