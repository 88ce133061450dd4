import CastGuard
import CastHTTP
public import CastProtocol
import CastTLS
import Logging

/// Caches images in a folder, so that they are available after a restart.
///
/// Only `http` and `https` addresses are fetched, none of this computer unless `ImageCacheLimits.localServers` names it, and only JPEG, PNG, GIF, WebP and BMP images are accepted. An image younger than
/// `ImageCacheLimits.freshness` is returned without a request; an older one after the server was asked whether it has changed, or
/// when the server cannot be reached. Files are named by a hash of the address. Concurrent callers for the same image share one
/// fetch, which is cancelled when all of them are. If the folder cannot be written, images are fetched but not cached.
public actor FileImageCache: ImageCache {
  private let folder: ImageFolder
  private let limits: ImageCacheLimits
  private let time: TimeSource
  private let client: HTTPClient
  /// The running fetches, by key.
  private var flights: [String: Flight] = [:]
  private var lastWaiter = 0
  /// Counts calls of `removeAll`: a fetch that started before one must not be cached after it.
  private var generation = 0

  private typealias Waiter = CheckedContinuation<Result<CachedImage, CastError>, Never>
  private struct Flight {
    let task: Task<Void, Never>
    var waiters: [Int: Waiter] = [:]
  }

  /// Creates a cache in a folder.
  /// - Parameters:
  ///   - folder: an absolute path. It is created when the first image is cached, accessible to this user only (0700); an existing
  ///     folder that is accessible to others is not used.
  ///   - limits: the limits of the cache.
  public init(folder: String, limits: ImageCacheLimits = ImageCacheLimits()) {
    self.init(folder: folder, limits: limits, time: .continuous)
  }

  package init(folder: String, limits: ImageCacheLimits, time: TimeSource) {
    self.folder = ImageFolder(path: folder)
    self.limits = limits
    self.time = time
    client = HTTPClient()
  }

  /// Returns the image at an `http` or `https` address.
  /// - Throws: `.invalidRequest` for another address, `.notAllowed` for one of this computer, `.messageTooBig` for an image over the limit, `.invalidResponse` if it does
  ///   not exist or is not an image, `.cancelled`, and network errors, such as `.timeout` or `.hostUnknown`.
  public func image(at url: String) async throws(CastError) -> CachedImage {
    let key: String
    do {
      key = try SHA256.text(of: url.utf8)
    } catch {
      throw CastError(
        .invalidState, "image file names cannot be computed on this computer", underlying: "\(error)")
    }
    let waiter = lastWaiter
    lastWaiter += 1
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Waiter) in
        if Task.isCancelled { return continuation.resume(returning: .failure(Self.cancelled)) }
        var flight = flights[key] ?? Flight(task: Task { await self.fly(key, url) })
        flight.waiters[waiter] = continuation
        flights[key] = flight
      }
    } onCancel: {
      Task { await self.giveUp(waiter, key) }
    }
    return try result.get()
  }

  /// Removes all images of this cache from the folder; other files in it remain.
  /// - Throws: `.invalidState` when a file cannot be removed.
  public func removeAll() throws(CastError) {
    generation += 1
    try folder.removeAll()
  }

  private static let cancelled = CastError(.cancelled, "fetching the image was cancelled")

  private func giveUp(_ waiter: Int, _ key: String) {
    guard let continuation = flights[key]?.waiters.removeValue(forKey: waiter) else { return }
    continuation.resume(returning: .failure(Self.cancelled))
    guard let flight = flights[key], flight.waiters.isEmpty else { return }
    // New callers must not join a cancelled fetch.
    flights[key] = nil
    flight.task.cancel()
  }

  private func fly(_ key: String, _ url: String) async {
    let result = await load(key, url)
    // A fetch without waiters was replaced or removed; the current one under this key is another.
    guard !Task.isCancelled, let flight = flights.removeValue(forKey: key) else { return }
    for waiter in flight.waiters.values { waiter.resume(returning: result) }
  }

  private func load(_ key: String, _ url: String) async -> Result<CachedImage, CastError> {
    let known = record(key)
    let age = known.map { time.wallMilliseconds().subtracting(bounded: $0.fetchedAt) }
    // A negative age means that the clock was set back: the real age is unknown.
    if let known, let age, age >= 0, Duration.milliseconds(Int64(age)) < limits.freshness {
      return image(known)
    }
    let places = LocalPlaces(limits.localServers.map { LocalPlace(host: $0.host, port: $0.port) })
    let rule = FetchGuard(.network(host: nil, address: nil), allowing: places)
    var fetch = HTTPFetch(url, under: rule, byteLimit: limits.imageBytes)
    fetch.accept = "image/*"
    fetch.entityTag = known?.entityTag
    fetch.lastModified = known?.lastModified
    fetch.timeout = limits.timeout
    let before = generation
    do throws(HTTPFetchError) {
      let fetched = try await client.fetch(fetch)
      return keep(fetched, known, key, isWanted: before == generation)
    } catch {
      if let known, error.isPassing { return image(known) }
      // An image that was deleted or replaced on the server must not be returned again.
      if known != nil, error.kind != .cancelled { forget(key) }
      return .failure(error.castError)
    }
  }

  private func keep(_ fetched: HTTPFetched, _ known: ImageRecord?, _ key: String, isWanted: Bool)
    -> Result<CachedImage, CastError>
  {
    var record = ImageRecord(
      bytes: fetched.body, entityTag: fetched.entityTag, lastModified: fetched.lastModified,
      fetchedAt: time.wallMilliseconds())
    if fetched.isNotModified, let known {
      record.bytes = known.bytes
      record.entityTag = fetched.entityTag ?? known.entityTag
      record.lastModified = fetched.lastModified ?? known.lastModified
    }
    let result = image(record)
    guard case .success = result else {
      forget(key)
      return result
    }
    guard isWanted else { return result }
    do {
      let file = try record.file()
      guard file.count <= limits.bytes else { return result }
      try folder.write(file, key: key, at: time.wallMilliseconds())
      try folder.evict(to: limits, at: time.wallMilliseconds())
    } catch {
      warn("an image was not cached", error)
    }
    return result
  }

  /// The cached image; nil also if it cannot be read or is damaged: it is then fetched again and replaced.
  private func record(_ key: String) -> ImageRecord? {
    do {
      let limit = limits.imageBytes.addingReportingOverflow(ImageRecord.headLimit)
      let file = try folder.read(
        key, limit: limit.overflow ? .max : limit.partialValue, at: time.wallMilliseconds())
      return try file.flatMap { file throws(TLSError) in try ImageRecord(file: file) }
    } catch {
      warn("a cached image cannot be read", error)
      return nil
    }
  }

  private func image(_ record: ImageRecord) -> Result<CachedImage, CastError> {
    guard let format = ImageFormat(sniffing: record.bytes) else {
      return .failure(
        CastError(.invalidResponse, "the server's response is not an image format that receivers show"))
    }
    return .success(
      CachedImage(
        bytes: record.bytes, mimeType: format.mimeType, size: format.size(of: record.bytes),
        fetchedAt: record.fetchedAt))
  }

  private func forget(_ key: String) {
    do { try folder.remove(key) } catch { warn("an image was not removed", error) }
  }

  private func warn(_ message: String, _ error: any Error) {
    CastLogger.shared.logger(for: .fileImageCache).warning(
      "\(message)", metadata: ["cast.error": "\(error)"])
  }
}
