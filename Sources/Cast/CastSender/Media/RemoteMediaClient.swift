public import CastProtocol

/// Controls the media of a session and provides its status (protocol 6.3, 7, 17.1).
///
/// Every command is sent at once, in the order of the calls, and returns a `Request`: await its `value`, or ignore it. The value is
/// available after the status of its reply was published. Requests end with `CastError` when the receiver refuses them, does not
/// reply or disconnects. Commands other than loads, `requestStatus`, `precache` and `setCredentials` require loaded media and
/// otherwise fail with `noMediaSession`, without a request to the receiver; also after the media has ended. The status they yield
/// is nil when nothing is loaded any more.
///
/// Custom data is passed to the receiver application unchanged; nil sends none.
public struct RemoteMediaClient: Sendable {
  let session: Session

  init(session: Session) { self.session = session }

  /// The merged media status; nil when nothing is loaded, and when the media has ended. Listeners receive the final status, and
  /// `Session.mediaStatus` keeps it.
  public var mediaStatus: MediaStatus? { session.mediaStatus.flatMap { $0.isEnded ? nil : $0 } }

  /// A copy of the receiver's whole queue. There is one per session; it is created, and starts to fetch, on first use.
  public var mediaQueue: MediaQueue { session.companions.mediaQueue(of: session) }

  /// Adds a listener; it is held weakly, and may be added or removed at any time, also during a notification.
  public func add(_ listener: any RemoteMediaClientListener) {
    session.mediaListeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; does nothing if it was not added.
  public func remove(_ listener: any RemoteMediaClientListener) {
    session.mediaListeners.remove(ObjectIdentifier(listener))
  }
}

// MARK: - Loading

extension RemoteMediaClient {
  /// Loads media, replacing what plays; completes when it plays, or buffers before it plays (or is paused, without autoplay).
  ///
  /// Fails with `mediaLoadFailed` when the receiver cannot load it, `cancelled` when another load replaced
  /// it, and `invalidRequest` when a position or the speed is no finite number.
  /// - Parameters:
  ///   - media: the media to play; may be nil when the queue has items or a deep link.
  ///   - queueData: the queue of the media; nil creates a queue of one.
  ///   - options: load options; by default the receiver's.
  @discardableResult
  public func load(
    _ media: MediaInformation?, queueData: MediaQueueData? = nil, options: MediaLoadOptions = .init()
  ) -> Request<MediaStatus> {
    guard media != nil || queueData?.items.isEmpty == false || queueData?.entity != nil else {
      return refused("LOAD", .nothingToLoad)
    }
    return loadedStatus(.load(options.request(media, queueData)))
  }

  /// Loads a queue, replacing what plays; completes when its first item plays, or buffers before it plays.
  ///
  /// When the first item fails, the receiver replies only when the next one plays (protocol 21.6). A position
  /// that is no finite number fails with `invalidRequest`.
  /// - Parameters:
  ///   - items: at least one; item ids are not sent, the receiver assigns them.
  ///   - options: load options; by default from the first item on.
  @discardableResult
  public func queueLoad(_ items: [MediaQueueItem], options: MediaQueueLoadOptions = .init())
    -> Request<MediaStatus>
  {
    guard !items.isEmpty else { return refused("QUEUE_LOAD", .nothingToLoad) }
    return loadedStatus(.queueLoad(options.request(items)))
  }

  /// Asks the application to fetch media in advance. Only applications that implement it do (protocol 6.3).
  /// - Parameters:
  ///   - media: the media to fetch, sent with its address, content type and segment formats; nil leaves it to `data`.
  ///   - data: what to fetch, as a text in the application's own format, such as JSON with a position to start from; nil sends none.
  @discardableResult
  public func precache(_ media: MediaInformation?, data: String? = nil) -> Request<MediaStatus?> {
    status(.precache(LoadRequest(media: media, autoplay: nil), data: data), nil)
  }

  /// Asks the application to fetch an item of the queue in advance. Receivers mostly do so automatically, after the item's
  /// `preloadTime` (protocol 6.3, 21.18).
  @discardableResult
  public func preload(_ media: MediaInformation, itemID: MediaQueueItemID) -> Request<MediaStatus?> {
    status(.preload(LoadRequest(media: media, autoplay: nil), itemID: itemID), nil)
  }

  /// Returns the data to continue on another device: media, queue, position, speed and tracks (protocol 6.9). Receivers that
  /// support it list it in `supportedMediaCommands`.
  public func storeSession() -> Request<JSONValue> {
    submit(.storeSession) { if case .sessionState(let state) = $0 { state } else { nil } }
  }

  /// Continues with the result of `storeSession`; completes as a load does.
  @discardableResult
  public func resumeSession(_ state: JSONValue) -> Request<MediaStatus> {
    loadedStatus(.resumeSession(state))
  }

  /// Requests the status; nil when nothing is loaded. Poll no faster than every few seconds (protocol 6.5).
  /// - Parameter options: parts that the status may omit.
  @discardableResult
  public func requestStatus(options: MediaStatusOptions = []) -> Request<MediaStatus?> {
    status(.getStatus(options), nil)
  }
}

// MARK: - Credentials and user actions

extension RemoteMediaClient {
  /// Sends the viewer's credentials to the application, when it requests them or when they change (protocol 6.3).
  /// - Parameters:
  ///   - credentials: the credentials, in the application's own format.
  ///   - wish: the request from `wantsCredentials`; nil when there was none.
  ///   - source: the type of the credentials, in the application's own format; nil sends none.
  @discardableResult
  public func setCredentials(
    _ credentials: String, answering wish: CredentialsRefresh? = nil, source: String? = nil
  ) -> Request<MediaStatus?> {
    let answer = CredentialsAnswer(credentials: credentials, forRequestID: wish?.requestID, source: source)
    return status(.setCredentials(answer), nil)
  }

  /// Sends the viewer's opinion of the media to the application (protocol 6.3).
  @discardableResult
  public func sendUserAction(_ action: UserActionRequest, customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    status(.userAction(action), customData)
  }
}

// MARK: - Requests

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
    // The value is itself an optional: `.some(nil)` is "nothing is loaded any more", nil is another kind of reply.
    submit(request, customData) { reply -> MediaStatus?? in
      if case .mediaStatus(let status) = reply { .some(status) } else { nil }
    }
  }

  private func loadedStatus(_ request: MediaRequest) -> Request<MediaStatus> {
    submit(request) { if case .mediaStatus(let status?) = $0 { status } else { nil } }
  }

  /// A request that has failed before it was sent.
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
