/// Application ids: hexadecimal as a rule, in which case does not matter (protocol 15).
package enum ApplicationID {
  /// Whether both name one application.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { lowered($0) == lowered($1) }
  }

  /// The id as it is sent: eight hexadecimal digits in upper case, as Google assigns them; an id of another form unchanged.
  package static func wireForm(_ id: String) -> String {
    id.utf8.count == 8 && id.utf8.allSatisfy(isDigit) ? id.uppercased() : id
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(lowered(byte))
  }
}
