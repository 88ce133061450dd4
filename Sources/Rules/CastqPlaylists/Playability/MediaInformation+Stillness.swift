package import CastProtocol

extension MediaInformation {
  /// Whether it is a web page, which media receivers do not display.
  package var isPage: Bool {
    // The first letter tells most media: a queue has thousands.
    guard let contentType, let first = contentType.utf8.first, "aAtT".utf8.contains(first) else {
      return false
    }
    let type = contentType.split(separator: ";").first?.lowercased()
    return type == "text/html" || type == "application/xhtml+xml"
  }

  /// Whether it is a still picture.
  package var isPicture: Bool { contentType?.hasPrefix("image/") == true }

  /// Whether it has no timeline of its own.
  package var standsStill: Bool { isPage || isPicture }
}
