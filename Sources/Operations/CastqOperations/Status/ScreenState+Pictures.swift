package import CastGuard
import CastProtocol
import CastqFeeding
package import CastqPlaylists
import CastqStore

extension ScreenState {
  /// The pictures of the screen, and from whom the address of each comes.
  package func pictures(_ resolvers: ResolverRules) -> [(address: String, origin: FetchOrigin)] {
    [artwork?.url, media.flatMap { AdProgress($0) }.flatMap { clip($0)?.posterURL }].compactMap(\.self)
      .map { ($0, origin(ofPicture: $0, resolvers)) }
  }

  /// castq has loaded what the entry names. Any other address may come from another sender.
  private func origin(ofPicture address: String, _ resolvers: ResolverRules) -> FetchOrigin {
    let media = rows.row?.draft.media
    let isOfEntry =
      media?.url == address || media?.metadata?.images.contains { $0.url == address } == true
      || media?.adBreakClips.contains { $0.posterURL == address } == true
    guard isOfEntry, let draft = rows.row?.draft else { return .receiver(host: device.endpoint.host) }
    return draft.pictureOrigin(resolvers)
  }
}
