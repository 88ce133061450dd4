/// A word of a command that a message advises, which people paste into a shell.
package enum ShellWord {
  /// The word as it is typed, in double quotes where it must be: nothing in it is run by a shell into which it is pasted.
  package static func typed(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte >= 0x80
        || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
    guard !isPlain || word.isEmpty else { return word }
    return "\"\(word.map { "\"$`\\".contains($0) ? "\\\($0)" : String($0) }.joined())\""
  }
}
