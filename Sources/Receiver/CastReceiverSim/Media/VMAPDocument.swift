import CastProtocol

/// The breaks of a VMAP document, with inline or referenced ads (protocol 9).
enum VMAPDocument {
  /// `breaks` and `breakClips` as a MediaInformation has them.
  ///
  /// - Parameter duration: of the medium in seconds, for breaks that are positioned by percentage.
  static func breaks(_ text: String, duration: Double?) -> (breaks: [JSONValue], clips: [JSONValue]) {
    var breaks: [JSONValue] = []
    var clips: [JSONValue] = []
    for found in AdElement(text).all("AdBreak", limit: 32) {
      guard let position = found.attribute("timeOffset").flatMap({ position($0, duration) }) else { continue }
      let id = found.attribute("breakId") ?? "vmap-\(breaks.count + 1)"
      let own = clipsOf(found, named: "\(id)-clip")
      guard !own.isEmpty else { continue }
      clips += own
      breaks.append(
        .members([
          "id": .string(id), "breakClipIds": .array(own.compactMap { $0["id"] }),
          "position": JSONValue(position), "isWatched": false,
        ]))
    }
    return (breaks, clips)
  }

  /// A clip for every inline ad of a break, or one for the document that the break references.
  private static func clipsOf(_ element: AdElement, named name: String) -> [JSONValue] {
    let ads = VASTDocument.ads(in: element)
    if !ads.isEmpty {
      return ads.enumerated().map { place, ad in
        ad.completing(["id": .string(place == 0 ? name : "\(name)-\(place + 1)")])
      }
    }
    guard let tag = element.first("AdTagURI")?.text else { return [] }
    return [["id": .string(name), "vastAdsRequest": ["adTagUrl": .string(tag)]]]
  }

  private static func position(_ offset: String, _ duration: Double?) -> Double? {
    switch offset {
    case "start": 0
    case "end": -1
    default: VASTDocument.offset(offset, of: duration)
    }
  }
}
