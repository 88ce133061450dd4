import CastqMediaServer
import CastqPlaylists

/// Sends what is made of a file while it plays: of one that no device plays, and of one that the device has refused.
///
/// Devices play more than they document, so the first attempt of others is the file as it is. What a device has refused once is converted in every
/// later round from the beginning.
struct LiveMedia {
  private let pieces: LivePieces
  private var refused: Set<ProbedFile> = []

  init(_ pieces: LivePieces) { self.pieces = pieces }

  /// Files that are remembered.
  private static let most = 4096

  /// What an entry is sent as.
  enum Choice {
    /// Its file.
    case file
    /// Its file, which the device may refuse: it is converted then.
    case trial
    /// What is made of its file while it plays.
    case conversion(EntryDraft)
  }

  /// What the device gets of an entry.
  /// - Parameter isRefused: whether the device has refused it in this round.
  mutating func choice(
    _ draft: EntryDraft, _ prepared: PreparedMedia?, by resolver: MediaResolver, isRefused: Bool,
    _ links: inout Set<MediaLink>
  ) -> Choice {
    guard let (file, conversion, isCertain) = prepared?.live(draft) else { return .file }
    guard isRefused || isCertain || refused.contains(file) else { return .trial }
    guard let address = resolver.address(of: pieces.media(file, conversion), publishing: &links) else {
      return .file
    }
    if isRefused {
      if refused.count >= Self.most { refused = [] }
      refused.insert(file)
    }
    var draft = draft
    draft.play(conversion, at: address)
    return .conversion(draft)
  }
}
