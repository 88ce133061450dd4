/// An error of a sender, a receiver or the connection between them.
///
/// Two errors are equal when their codes are: the message is for people and may change at any time.
public struct CastError: Error, Sendable {
  /// The kind of failure.
  public var code: Code
  /// A message for a person: what failed, and what to do.
  public var message: String
  /// The request, such as `PLAY #12`; nil when no request was involved.
  public var request: String?
  /// The type of the receiver's message, such as `LOAD_FAILED`; nil when the receiver sent none.
  public var receiverType: String?
  /// The receiver's reason, such as `INVALID_MEDIA_SESSION_ID`; nil when it gave none.
  public var receiverReason: String?
  /// The receiver's media error number (protocol 6.6); nil when it gave none. `detailedErrorName` has its name.
  public var detailedErrorCode: Int?
  /// The item of the receiver's queue that failed; nil when none is named.
  public var itemID: MediaQueueItemID?
  /// The name of the application that replaced this session's application; nil when none has.
  public var takenOverBy: String?
  /// The receiver application's data about the failure (protocol 6.6); nil when it gave none.
  public var customData: JSONValue?
  /// The number of the failed check of device authentication, 1 to 10 (protocol 2.3); nil when it was none of them.
  public var authenticationCheck: Int?
  /// The message of a lower layer, such as the operating system; nil when there is none.
  public var underlying: String?

  /// Creates a custom error, such as one that an `ImageCache` throws.
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - message: a message for a person: what failed, and what to do.
  public init(_ code: Code, _ message: String) {
    self.init(code, message, request: nil)
  }

  package init(
    _ code: Code, _ message: String, request: String? = nil, receiverType: String? = nil,
    receiverReason: String? = nil, detailedErrorCode: Int? = nil, itemID: MediaQueueItemID? = nil,
    takenOverBy: String? = nil, customData: JSONValue? = nil, underlying: String? = nil
  ) {
    self.code = code
    self.message = message
    self.request = request
    self.receiverType = receiverType
    self.receiverReason = receiverReason
    self.detailedErrorCode = detailedErrorCode
    self.itemID = itemID
    self.takenOverBy = takenOverBy
    self.customData = customData
    self.underlying = underlying
  }

  /// This error with the request it belongs to.
  package func during(_ request: String) -> CastError {
    var error = self
    error.request = request
    return error
  }
}

extension CastError: Equatable {
  /// Compares the codes.
  public static func == (left: CastError, right: CastError) -> Bool { left.code == right.code }
}

extension CastError: CustomStringConvertible {
  /// The message, followed by the receiver's type and reason, if there are any.
  public var description: String {
    var words = [receiverType, receiverReason, detailedErrorCode.map { "error \($0)" }].compactMap { $0 }
    if let itemID { words.append("item \(itemID)") }
    if let underlying { words.append(underlying) }
    return words.isEmpty ? message : "\(message) (\(words.joined(separator: ", ")))"
  }
}
