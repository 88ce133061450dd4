import CastqCore
import CastqMediaServer

/// Sends what is made of a file while it plays, where a device has refused the file itself.
///
/// Devices play more than they document, so the first attempt is the file as it is. What a device has refused once is converted in every later
/// round from the beginning.
struct LiveMedia {
  private let pieces: LivePieces
  private var refused: Set<ProbedFile> = []

  init(_ pieces: LivePieces) { self.pieces = pieces }

  /// Files that are remembered.
  private static let most = 4096

  /// The entry with the address of a manifest; nil where its file is sent as it is.
  /// - Parameter isRefused: whether the device has refused it in this round.
  mutating func converted(
    _ draft: EntryDraft, _ prepared: PreparedMedia?, by resolver: MediaResolver, isRefused: Bool,
    _ links: inout Set<MediaLink>
  ) -> EntryDraft? {
    // Without a refusal nothing is looked up.
    guard isRefused || !refused.isEmpty, let (file, conversion) = prepared?.live(draft),
      isRefused || refused.contains(file),
      let address = resolver.address(of: pieces.media(file, conversion), publishing: &links)
    else { return nil }
    if refused.count >= Self.most { refused = [] }
    refused.insert(file)
    var draft = draft
    draft.play(conversion, at: address)
    return draft
  }
}
