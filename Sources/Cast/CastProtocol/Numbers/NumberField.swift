/// A number in a peer's message: the accepted values, and the replacement of others.
///
/// Every number of a message passes through one of these fields during decoding, so that all later arithmetic works on finite
/// values of a known size. A field is `absent` outside its range if no value is better than a wrong one: the member then counts as
/// missing. It is `clamped` if the nearest accepted value has the same meaning as the one that was sent.
package struct NumberField: Sendable, Hashable {
  package enum Outside: Sendable, Hashable {
    /// It counts as missing.
    case absent
    /// It is replaced by the nearest value of the range.
    case clamped
  }

  /// The accepted values.
  package let range: ClosedRange<Double>
  /// The replacement of others.
  package let outside: Outside

  private init(_ range: ClosedRange<Double>, _ outside: Outside = .absent) {
    self.range = range
    self.outside = outside
  }

  /// This field's value for a number; nil if it is absent.
  package func number(_ value: Double) -> Double? {
    if range.contains(value) { return value }
    guard outside == .clamped, !value.isNaN else { return nil }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// This field's whole number for a number; nil if it is absent.
  package func integer(_ value: Int) -> Int? {
    if range.contains(Double(value)) { return value }
    return outside == .clamped ? number(Double(value)).map { Int(bounded: $0) } : nil
  }
}

// MARK: - The table

extension NumberField {
  /// Seconds: three hundred years, as some live streams count from 1970 (protocol 12.5).
  private static let longest = Duration.longest.seconds
  /// The largest whole number that a receiver in JavaScript can count to.
  private static let mostWhole = 9_007_199_254_740_992.0

  // Times, in seconds.

  /// `currentTime`, `startTime`, `start` and `end` of a live range. Negative ones mean "none" (protocol 21.12), or count from the
  /// live edge.
  package static let position = NumberField(-longest...longest)
  /// `duration`, `preloadTime`, `whenSkippable`. A negative one means "unknown" or "never" (protocol 6.8, 9), as an absent one does.
  package static let length = NumberField(0...longest)
  /// `playbackDuration`: a negative one counts from the end (protocol 7.3).
  package static let playLimit = NumberField(-longest...longest)
  /// `currentBreakTime`, `currentBreakClipTime`: an ad lasts less than four months.
  package static let adTime = NumberField(0...10_000_000, .clamped)
  /// `position` of an ad break; −1 is a post-roll (protocol 9). One beyond the end is never reached, which is what clamping keeps.
  package static let breakPosition = NumberField(-1...longest, .clamped)
  /// `reload_time` of a page, which its application counts in milliseconds (protocol 15).
  package static let reloadTime = NumberField(0...(longest * 1000))
  /// `startAbsoluteTime`: seconds since 1970, up to the year 5138.
  package static let moment = NumberField(-100_000_000_000...100_000_000_000)

  // Shares and factors.

  /// `playbackRate`; 0 in an ad (protocol 21.12), negative when something is played backwards.
  package static let rate = NumberField(-100...100)
  /// `level` of a volume, which carries the noise of single precision (protocol 5.7).
  package static let volume = NumberField(0...1, .clamped)
  /// `stepInterval`, `increment` (protocol 5.7).
  package static let volumeStep = NumberField(0...1)
  /// `fontScale` (protocol 10.3).
  package static let fontScale = NumberField(0...100)

  // Sizes and counts.

  /// `width`, `height`, `windowRoundedCornerRadius`: pixels.
  package static let pixels = NumberField(0...1_000_000)
  /// `numAudioChannels`, `numberBreakClips`.
  package static let count = NumberField(0...100_000)
  /// `startIndex`, `orderId`, `sequenceNumber`.
  package static let index = NumberField(0...mostWhole)

  // Names that are numbers.

  /// `requestId`, `mediaSessionId`, `itemId` and the like: counted from 1; 0 means "none" (protocol 1.5, 6.5).
  package static let identifier = NumberField(1...mostWhole)
  /// `trackId`: any whole number (protocol 10.1).
  package static let trackID = NumberField(-mostWhole...mostWhole)
  /// `supportedMediaCommands`, `capabilities`: bits (protocol 6.7, 13.3).
  package static let bits = NumberField(0...mostWhole)
  /// `metadataType`, `containerType`, `connType`, `reasonCode`, `detailedErrorCode`: numbers of tables.
  package static let code = NumberField(Double(Int32.min)...Double(Int32.max))

  /// An application's own number, of which no range is known.
  package static let any = NumberField(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
}

extension JSONValue {
  /// A peer's number, limited by its field; nil when it is not a number, or counts as absent.
  package func number(_ field: NumberField) -> Double? { double.flatMap { field.number($0) } }

  /// A peer's whole number, also one that was sent as `1.0` (protocol 6.5), limited by its field; nil when it is not a whole
  /// number, or counts as absent.
  package func integer(_ field: NumberField) -> Int? { int.flatMap { field.integer($0) } }
}
