/// Everything that can go wrong between a sender and a receiver.
///
/// Two errors are equal when their codes are: the words are for people and may be improved at any time.
public struct CastError: Error, Sendable {
  /// What kind of failure it is.
  public var code: Code
  /// One sentence for a person: what happened, to what, and what to do.
  public var message: String
  /// What was asked for, such as `PLAY #12`; nil when no request was concerned.
  public var request: String?
  /// The type of the receiver's message, such as `LOAD_FAILED`; nil when the receiver did not say anything.
  public var receiverType: String?
  /// The receiver's own reason, such as `INVALID_MEDIA_SESSION_ID`; nil when it gave none.
  public var receiverReason: String?
  /// The receiver's media error number (protocol 6.6); nil when it gave none. `detailedErrorName` has its name.
  public var detailedErrorCode: Int?
  /// The item of the receiver's queue that is concerned; nil when none is named.
  public var itemID: MediaQueueItemID?
  /// The application that has taken our place on the device, by the name it shows; nil when none has.
  public var takenOverBy: String?
  /// The receiver application's own data about the failure (protocol 6.6); nil when it gave none.
  public var customData: JSONValue?
  /// The number of the check of device authentication that failed, 1 to 10 (protocol 2.3); nil when it was none of them.
  public var authenticationCheck: Int?
  /// What a lower layer said, such as the operating system's words; nil when there is nothing to add.
  public var underlying: String?

  /// An error of your own, such as one that an `ImageCache` throws.
  /// - Parameters:
  ///   - code: what kind of failure it is.
  ///   - message: one sentence for a person: what happened, to what, and what to do.
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
  /// Equal when the codes are.
  public static func == (left: CastError, right: CastError) -> Bool { left.code == right.code }
}

extension CastError: CustomStringConvertible {
  /// The message, followed by the receiver's own words where there are any.
  public var description: String {
    var words = [receiverType, receiverReason, detailedErrorCode.map { "error \($0)" }].compactMap { $0 }
    if let itemID { words.append("item \(itemID)") }
    if let underlying { words.append(underlying) }
    return words.isEmpty ? message : "\(message) (\(words.joined(separator: ", ")))"
  }
}
