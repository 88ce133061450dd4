package import CastProtocol
import CastqText

/// What a resolver has found behind a page: unauthenticated input, checked and bounded.
package struct ResolvedLink: Sendable, Hashable {
  /// An `http` or `https` address.
  package var url: String
  /// Nil when neither the resolver nor the address says it.
  package var contentType: String?
  /// Nil when unknown.
  package var duration: MediaTime?
  /// Whether it has no end.
  package var isLive = false
  /// The title of the page; nil when it has none.
  package var title: String?
  /// The address of a picture; nil when there is none.
  package var picture: String?
  /// How long it can be fetched from the moment the resolver answered; nil is for good.
  package var lifetime: Duration?

  /// Most bytes of an address; an item of a queue has to fit a message (protocol 1.2).
  package static let longestAddress = 8192
  /// Most characters of a title.
  package static let longestTitle = 500

  package init(url: String) { self.url = url }
}

/// Why a page has no link, for a person.
package struct LinkFailure: Error, Sendable, Hashable {
  /// What happened, and to which program. May hold words of that program: they are sanitised and truncated.
  package let words: String

  package init(_ words: String) { self.words = TerminalText.excerpt(words, limit: 400) }
}

extension EntryDraft {
  /// Puts what was found behind the page into its place. The identity stays that of the page (protocol 6.8), and so does what the list says
  /// of the entry.
  package mutating func apply(_ link: ResolvedLink) {
    media.contentURL = link.url
    media.contentType =
      link.contentType ?? media.contentType.flatMap { media.isPage ? nil : $0 } ?? ResolvedLink.assumedType
    if media.isPicture {
      media.streamType = .none
    } else {
      media.streamType = link.isLive ? .live : .buffered
    }
    apply(link.description)
  }

  /// Adds what a page says of itself and the list does not.
  package mutating func apply(_ description: PageDescription) {
    if media.streamDuration == nil, !media.isPicture { media.streamDuration = description.duration }
    var metadata = media.metadata ?? MediaMetadata()
    if metadata.title == nil, let title = description.title { metadata.values["title"] = .string(title) }
    if metadata.images.isEmpty, let picture = description.picture { metadata.images = [Image(url: picture)] }
    if metadata != MediaMetadata() || media.metadata != nil { media.metadata = metadata }
  }
}

extension EntryDraft {
  /// Whether both are the same entry, apart from what a page says of itself and one of them has learnt.
  package func isSamePage(as other: EntryDraft) -> Bool {
    if self == other { return true }
    guard media.contentType == nil, media.url == other.media.url else { return false }
    var (left, right) = (self, other)
    left.apply(other.media.pageDescription)
    right.apply(media.pageDescription)
    return left == right
  }
}

extension MediaInformation {
  fileprivate var pageDescription: PageDescription {
    PageDescription(title: metadata?.title, picture: metadata?.images.first?.url, duration: streamDuration)
  }
}

extension ResolvedLink {
  /// The type where nothing says one: what a page shows is most often a film.
  package static let assumedType = "video/mp4"

  /// What stays known of the page when the link has expired.
  package var description: PageDescription {
    PageDescription(title: title, picture: picture, duration: isLive ? nil : duration)
  }
}

/// What a page says of itself.
package struct PageDescription: Sendable, Hashable {
  /// Nil when it has none.
  package var title: String?
  /// The address of a picture; nil when there is none.
  package var picture: String?
  /// Nil when unknown.
  package var duration: MediaTime?

  package init(title: String?, picture: String?, duration: MediaTime?) {
    self.title = title
    self.picture = picture
    self.duration = duration
  }

  /// Whether it says nothing.
  package var isEmpty: Bool { title == nil && picture == nil && duration == nil }
}
