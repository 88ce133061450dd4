package import CastProtocol

/// Why media that a device refused failed, as far as castq can find out: receivers report the same error for every problem.
package enum FailedLoad: Sendable, Hashable {
  /// The server of the web sends this computer that media.
  case serverHasIt
  /// The server of the web sends another type.
  case foreign(contentType: String)
  /// The server has it, and does not allow receivers to read it.
  case unshared
  /// The certificate of the server is not trusted, for this reason.
  case untrusted(flaw: String)
  /// This computer does not get it from the web either, for this reason.
  case unavailable(reason: String)
  /// It was not asked: those who name it may not have it asked, for this reason.
  case notAsked(reason: String)
  /// castq serves it, and no request for it arrived.
  case neverAsked
  /// The device fetched it from castq.
  case fetched
  /// The device asked castq for it, and was refused with this status.
  case refused(status: Int)

  /// A local file, by the access log of the server that it was published on.
  /// - Parameters:
  ///   - url: its `file:` address.
  ///   - log: the document of the command `fetches`.
  package init(file url: String, log: JSONValue) {
    let statuses = (log["fetches"]?.array ?? []).filter { $0["url"]?.string == url }
      .compactMap { $0["status"]?.int }
    if statuses.contains(where: { $0 < 400 }) {
      self = .fetched
    } else {
      self = statuses.last.map { .refused(status: $0) } ?? .neverAsked
    }
  }

  /// Whether the path between this computer and the device may be the reason: only then the doctor can help.
  private var isOfPath: Bool {
    switch self {
    case .serverHasIt, .neverAsked: true
    case .foreign, .unshared, .untrusted, .unavailable, .notAsked, .fetched, .refused: false
    }
  }

  /// What happened and, where the path may be the reason, what tests it. History keeps it for all faces, so it names no command.
  package var words: String {
    let words =
      switch self {
      case .serverHasIt:
        "asked from here, the server has it: the device cannot reach it, or does not play its format"
      case .foreign(let type): "asked from here, the server sends \(type), which is not media"
      case .unshared:
        "asked from here, the server has it, but lets no receiver read it: HLS and DASH need the header Access-Control-Allow-Origin"
      case .untrusted(let flaw):
        "asked from here, the certificate of its server is not trusted: \(flaw); a television does not accept it either"
      case .unavailable(let reason): "asked from here, \(reason)"
      case .notAsked(let reason): "castq did not ask for it: \(reason)"
      case .neverAsked: "no request for it reached castq"
      case .fetched: "the device fetched it from castq, so it does not play its format"
      case .refused(let status): "castq answered the device's request with \(status)"
      }
    return isOfPath ? "\(words); the doctor tests the path to the device" : words
  }
}
