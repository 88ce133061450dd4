public import CastProtocol

/// What a presentation learns: facts about devices, the session and the media, the wishes of a person, and the outcomes of actions.
///
/// A fact replaces the earlier one of its kind. Facts may arrive in any order and any number of times: a session reports them, or a
/// program that watches a session on behalf of the face.
public enum PresentationEvent: Sendable, Equatable {
  /// The devices in reach, in any order.
  /// - Parameters:
  ///   - isSearching: whether discovery is running; without it an empty list has another reason.
  ///   - problems: what limits discovery, in words for a person; empty when nothing is known to.
  case devices([Device], isSearching: Bool, problems: [String] = [])
  /// The session; nil when there is none and none has ended.
  case session(PresentedSession?)
  /// The status of the device's platform (protocol 5.2); nil when unknown.
  case receiverStatus(ReceiverStatus?)
  /// The members of the session's group, or a change of them (protocol 5.9).
  case multizone(MultizoneEvent)
  /// The application that the session has joined; nil without one.
  case application(ApplicationMetadata?)
  /// The merged media status (protocol 6.5); nil when nothing is loaded.
  /// - Parameter age: the time since the status was received, from which its position is extrapolated; zero or more.
  case mediaStatus(MediaStatus?, age: Duration = .zero)
  /// The place of the current item in the whole queue; nil when unknown.
  case queuePlace(QueuePlace?)
  /// What plays next, where the receiver's queue does not hold it; nil leaves it to the media status.
  case upNext(UpNextItem?)
  /// Another sender, or a person at the device, changed something (protocol 14.4).
  case foreignAction(ForeignAction)
  /// The answer to `PresentationAction.claimIntroduction`: whether the introduction has never been shown before.
  case introductionClaimed(isFirst: Bool)
  /// The state of the image that was selected for `PresentationAction.loadArtwork`; nil when none is suitable.
  case artwork(ArtworkUse, Image?, ArtworkState)
  /// A person wants something. The number is the caller's, and returns with the actions and in the outcome; an intent with the
  /// number of a pending one is ignored.
  case intent(PresentationIntent, IntentID)
  /// The outcome of an action for an intent; nil is success.
  case finished(IntentID, PresentationFailure?)
  /// A newer intent of the same kind replaced this one before it had an effect, such as a later position.
  case superseded(IntentID)
  /// The time that `PresentationAction.startTimer` asked for has passed.
  case timerFired
}

/// The caller's number of an intent.
public struct IntentID: Sendable, Hashable {
  /// The number; any.
  public let rawValue: Int
  /// A number that no pending intent has.
  public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// The place of the current item in a queue.
public struct QueuePlace: Sendable, Hashable {
  /// Index of the current item, from 0; nil when it is not in the queue.
  public var index: Int?
  /// Number of items.
  public var count: Int

  /// A place; the index counts from 0.
  public init(index: Int?, count: Int) {
    self.index = index
    self.count = count
  }
}

/// What plays after the current item.
public struct UpNextItem: Sendable, Hashable {
  /// Its title; nil when unknown.
  public var title: String?
  /// Its second line; nil when there is none.
  public var subtitle: String?
  /// Its image; nil when there is none.
  public var image: Image?

  /// An item; everything defaults to unknown.
  public init(title: String? = nil, subtitle: String? = nil, image: Image? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.image = image
  }
}
