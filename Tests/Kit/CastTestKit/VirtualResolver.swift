package import CastProtocol
import CastqPlaylists

/// Programs that find out what is behind pages, on virtual time: `http://pages/v4.mp4` leads to `http://links/7/v4.mp4`, where 7 is the
/// number of the answer. The media there say how they behave, as those of `FeedFixture` do.
package struct VirtualResolver: Sendable {
  /// How long a link can be fetched; nil is for good. The address says until when, in virtual seconds.
  package var lifetime: Duration?
  /// How long an answer takes.
  package var latency = Duration.seconds(3)
  /// Why a page has no link; nil when it has one. The number counts the answers for this page, from 1.
  package var failure: @Sendable (_ address: String, _ number: Int) -> String? = { _, _ in nil }
  /// What was asked for, and when.
  package private(set) var calls: [(at: Tick, address: String)] = []

  package init() {}

  mutating func answer(_ request: LinkRequest, at now: Tick) -> Result<ResolvedLink, LinkFailure> {
    calls.append((now, request.address))
    let number = calls.count { $0.address == request.address }
    if let words = failure(request.address, number) { return .failure(LinkFailure(words)) }
    let name = request.address.split(separator: "/").last ?? ""
    let end = lifetime.map { "?until=\((now + latency + $0).sinceStart.seconds)" } ?? ""
    var link = ResolvedLink(url: "http://links/\(calls.count)/\(name)\(end)")
    link.contentType = "video/mp4"
    link.title = "Page \(name)"
    link.lifetime = lifetime
    return .success(link)
  }

  /// Until when a link can be fetched, in virtual seconds; nil for good.
  package static func end(of link: String) -> Double? {
    link.split(separator: "?until=").last.flatMap { Double($0) }
  }
}
