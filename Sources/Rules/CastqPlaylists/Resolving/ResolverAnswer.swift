import CastProtocol
package import CastqText

/// Reads the document of a resolver: `{"url", "mime", "headers", "duration", "title", "thumbnail", "expires", "live"}`. Only `url` is
/// required, null stands for an absent member, and unknown members are ignored.
package enum ResolverAnswer {
  /// - Parameters:
  ///   - program: the name of the resolver, for messages.
  ///   - wall: when it answered.
  package static func read(
    _ bytes: [UInt8], of program: String, at wall: WallTime
  ) throws(LinkFailure) -> ResolvedLink {
    let document = try ResolverFields(bytes, of: program)
    var link = ResolvedLink(url: try document.url(try document.text("url"), named: "url"))
    link.contentType = try document.contentType("mime")
    link.duration = try document.number("duration").map(MediaTime.init(seconds:))
    link.isLive = try document.bool("live")
    link.title = try document.text("title").flatMap(document.title)
    // A picture is an ornament: a bad address of one costs no film.
    link.picture = try document.text("thumbnail").flatMap(document.picture)
    link.lifetime = try document.lifetime("expires", at: wall)
    try document.refuseHeaders("headers")
    link.contentType = link.contentType ?? ResolvedLink.type(ofName: link.url)
    return link
  }
}

extension ResolvedLink {
  /// The type that the name in an address shows; nil when it shows none, or that of a page.
  static func type(ofName url: String) -> String? {
    guard let address = try? WebAddress(url), let type = ContentTypes.standard.type(path: address.path),
      type != ContentTypes.page
    else { return nil }
    return type
  }
}
