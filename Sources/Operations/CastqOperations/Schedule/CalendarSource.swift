import CastGuard
import CastHTTP
import CastqSchedule
import CastqText

/// Where a calendar comes from.
struct CalendarSource {
  private let source: String
  private let timeout: Duration

  struct Document {
    var bytes: [UInt8]
    var origin: String
    var entityTag: String?
  }

  init(_ source: String, timeout: Duration) {
    self.source = source
    self.timeout = timeout
  }

  /// What is kept of it, and shown.
  var origin: String { CalendarOrigin.text(of: source, in: FileLoader().workingDirectory) }

  /// The calendar; nil when the server still has the version with this tag.
  func read(unless tag: String?) async throws(Failure) -> Document? {
    let addresses = CalendarOrigin.addresses(of: source)
    guard let first = addresses.first else {
      return Document(bytes: try file(), origin: origin, entityTag: nil)
    }
    do throws(HTTPFetchError) { return try await fetch(first, unless: tag) } catch {
      guard let second = addresses.dropFirst().first, error.isOfConnection else { throw Self.failure(error) }
      do throws(HTTPFetchError) { return try await fetch(second, unless: tag) } catch {
        throw Self.failure(error)
      }
    }
  }

  private static func failure(_ error: HTTPFetchError) -> Failure {
    Failure("unreadable", "cannot read the calendar: \(error)", exit: .inputMissing)
  }

  private func fetch(_ address: String, unless tag: String?) async throws(HTTPFetchError) -> Document? {
    var fetch = HTTPFetch(address, under: .owner, byteLimit: CalendarFile.longest)
    (fetch.timeout, fetch.connectTimeout) = (timeout, timeout)
    fetch.accept = "text/calendar, */*"
    fetch.entityTag = tag
    let fetched = try await HTTPClient().fetch(fetch)
    if fetched.isNotModified { return nil }
    return Document(bytes: fetched.body, origin: origin, entityTag: fetched.entityTag)
  }

  private func file() throws(Failure) -> [UInt8] {
    let path = FilePath.isURL(source) ? (try? FilePath.path(url: source)) ?? source : source
    let file = try InputFile(path, patience: timeout)
    defer { file.close() }
    return try file.bytes(limit: CalendarFile.longest)
  }
}

extension HTTPFetchError {
  /// Whether there is no server, or none with TLS: the other scheme may work.
  fileprivate var isOfConnection: Bool {
    switch kind {
    case .connectionRefused, .unreachable, .secureTransport, .network, .truncated, .timeout: true
    default: false
    }
  }
}
