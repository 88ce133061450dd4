public import CastProtocol

/// Commands the media of a session, and shows it (protocol 6.3, 7, 17.1).
///
/// Every command is sent at once, in the order of the calls, and returns a `Request`: wait for its `value`, or let it go. A value
/// comes after the status it came with was published. Requests end with `CastError` when the receiver refuses, stays silent or
/// goes away. Commands other than loads, `requestStatus`, `precache` and `setCredentials` need something loaded and fail with
/// `noMediaSession` otherwise, without asking the receiver; also after what was loaded has ended. The status they yield is nil when
/// nothing is loaded any more.
///
/// Custom data goes to the receiver application as it is; nil sends none.
public struct RemoteMediaClient: Sendable {
  let session: Session

  init(session: Session) { self.session = session }

  /// The merged picture of the media session; nil when nothing is loaded, and when the media has ended. Listeners hear how it ended,
  /// and `Session.mediaStatus` keeps it.
  public var mediaStatus: MediaStatus? { session.mediaStatus.flatMap { $0.isEnded ? nil : $0 } }

  /// A copy of the receiver's whole queue. There is one for each session; it is made, and begins to ask, when it is used first.
  public var mediaQueue: MediaQueue { session.companions.mediaQueue(of: session) }

  /// Adds a listener; it is held weakly, and may be added or removed at any time, also while listeners are told.
  public func add(_ listener: any RemoteMediaClientListener) {
    session.mediaListeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; one that is not there is no mistake.
  public func remove(_ listener: any RemoteMediaClientListener) {
    session.mediaListeners.remove(ObjectIdentifier(listener))
  }
}

// MARK: - Loading

extension RemoteMediaClient {
  /// Loads media in place of what plays; over when it plays (or is paused, without autoplay).
  ///
  /// Fails with `mediaLoadFailed` when the receiver cannot load it and `cancelled` when another load took its place.
  /// - Parameters:
  ///   - media: what to play; may be nil when the queue has items or a deep link.
  ///   - queueData: a queue around it; nil makes a queue of one.
  ///   - options: how it is loaded; by default as the receiver likes.
  @discardableResult
  public func load(
    _ media: MediaInformation?, queueData: MediaQueueData? = nil, options: MediaLoadOptions = .init()
  ) -> Request<MediaStatus> {
    guard media != nil || queueData?.items.isEmpty == false || queueData?.entity != nil else {
      return refused("LOAD", .nothingToLoad)
    }
    return loadedStatus(.load(options.request(media, queueData)))
  }

  /// Loads by a request that was made elsewhere.
  package func load(_ request: LoadRequest) -> Request<MediaStatus> { loadedStatus(.load(request)) }

  /// Loads a queue in place of what plays; over when its first item plays.
  ///
  /// When the first item fails, the receiver answers only once the next one plays (protocol 21.6).
  /// - Parameters:
  ///   - items: at least one; item ids are not sent, the receiver gives them.
  ///   - options: how they are loaded; by default from the first one on.
  @discardableResult
  public func queueLoad(_ items: [MediaQueueItem], options: MediaQueueLoadOptions = .init())
    -> Request<MediaStatus>
  {
    guard !items.isEmpty else { return refused("QUEUE_LOAD", .nothingToLoad) }
    return loadedStatus(.queueLoad(options.request(items)))
  }

  /// Asks the application to fetch in advance what will be loaded. Only applications made for it do (protocol 6.3).
  /// - Parameters:
  ///   - media: what to fetch; nil leaves it to the words.
  ///   - data: the application's own words for what to fetch; nil sends none.
  @discardableResult
  public func precache(_ media: MediaInformation?, data: String? = nil) -> Request<MediaStatus?> {
    status(.precache(LoadRequest(media: media, autoplay: nil), data: data), nil)
  }

  /// Asks the application to fetch an item of the queue in advance. Receivers mostly do so by themselves, after the item's
  /// `preloadTime` (protocol 6.3, 21.18).
  @discardableResult
  public func preload(_ media: MediaInformation, itemID: MediaQueueItemID) -> Request<MediaStatus?> {
    status(.preload(LoadRequest(media: media, autoplay: nil), itemID: itemID), nil)
  }

  /// What is needed to go on elsewhere: media, queue, position, speed and tracks (protocol 6.9). Receivers that can do it say so
  /// in `supportedMediaCommands`.
  public func storeSession() -> Request<JSONValue> {
    submit(.storeSession) { if case .sessionState(let state) = $0 { state } else { nil } }
  }

  /// Goes on with what `storeSession` told; over when it plays.
  @discardableResult
  public func resumeSession(_ state: JSONValue) -> Request<MediaStatus> {
    loadedStatus(.resumeSession(state))
  }

  /// Asks for the status anew; nil when nothing is loaded. Poll no faster than every few seconds (protocol 6.5).
  /// - Parameter options: what the status may leave out.
  @discardableResult
  public func requestStatus(options: MediaStatusOptions = []) -> Request<MediaStatus?> {
    status(.getStatus(options), nil)
  }
}

// MARK: - Who is watching, and what they think

extension RemoteMediaClient {
  /// Tells the application who is watching, when it asks for it or when it changes (protocol 6.3).
  /// - Parameters:
  ///   - credentials: proof of who is watching, in the application's own terms.
  ///   - wish: what `wantsCredentials` told; nil when nobody asked.
  ///   - source: where they come from, in the application's own terms; nil sends none.
  @discardableResult
  public func setCredentials(
    _ credentials: String, answering wish: CredentialsRefresh? = nil, source: String? = nil
  ) -> Request<MediaStatus?> {
    let answer = CredentialsAnswer(credentials: credentials, forRequestID: wish?.requestID, source: source)
    return status(.setCredentials(answer), nil)
  }

  /// Tells the application what the viewer thinks of the media (protocol 6.3).
  @discardableResult
  public func sendUserAction(_ action: UserActionRequest, customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    status(.userAction(action), customData)
  }
}

// MARK: - How commands become requests

extension RemoteMediaClient {
  func submit<Value>(
    _ request: MediaRequest, _ customData: JSONValue? = nil, read: @escaping @Sendable (Reply) -> Value?
  ) -> Request<Value> {
    if request.needsMediaSession, let status = session.mediaStatus, status.isEnded {
      return refused(request.type, .mediaHasEnded(status))
    }
    return session.submit(.media(request, customData: customData), read: read)
  }

  func status(_ request: MediaRequest, _ customData: JSONValue?) -> Request<MediaStatus?> {
    // The value is an optional itself: `.some(nil)` is "nothing is loaded any more", nil is another kind of reply.
    submit(request, customData) { reply -> MediaStatus?? in
      if case .mediaStatus(let status) = reply { .some(status) } else { nil }
    }
  }

  private func loadedStatus(_ request: MediaRequest) -> Request<MediaStatus> {
    submit(request) { if case .mediaStatus(let status?) = $0 { status } else { nil } }
  }

  /// A request that ends before it was sent.
  func refused<Value>(_ name: String, _ error: CastError) -> Request<Value> {
    let request = Request<Value>(name: name, read: { _ in nil }, giveUp: {})
    request.end(.failure(error.during(name)))
    return request
  }
}

extension CastError {
  fileprivate static func mediaHasEnded(_ status: MediaStatus) -> CastError {
    let end = status.idleReason.map { " (\($0.word.lowercased()))" } ?? ""
    return CastError(
      .noMediaSession, "the media has ended\(end); load again")
  }

  static let nothingToLoad = CastError(
    .invalidRequest, "there is nothing to load: pass media, or a queue with at least one item")
}
