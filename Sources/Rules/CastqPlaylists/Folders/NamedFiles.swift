import CastqPaths
package import CastqText

/// The files that a list names in lines that are not UTF-8: those that exist tell in which character set it was written, more surely than the
/// look of a few words.
package struct NamedFiles {
  let loader: any PlaylistLoader
  let directory: String
  let format: PlaylistFormat

  /// A few names are enough, and each file that is looked for and missing is watched from then on.
  private static let most = 8

  /// The set in which most files are found.
  /// - Parameters:
  ///   - likeliest: the set that the lines look like. It stays unless another finds more.
  ///   - lines: the bytes of lines that are not UTF-8.
  package func set(_ likeliest: CharacterSet, of lines: [UInt8]) -> CharacterSet {
    let names = names(in: lines)
    var best = (set: likeliest, count: count(names, in: likeliest))
    guard best.count < names.count else { return likeliest }
    for set in CharacterSet.allCases where !set.isUnicode && set != likeliest {
      let count = count(names, in: set)
      if count > best.count { best = (set, count) }
    }
    return best.set
  }

  /// Without those that exist in the bytes of the list: every set finds them.
  private func names(in lines: [UInt8]) -> [ArraySlice<UInt8>] {
    let names = lines.split { $0 == 0x0A || $0 == 0x0D }.lazy.compactMap(name).filter { name in
      loader.kind(of: FilePath.absolute(PathText.text(Array(name)), in: directory)) == .missing
    }
    return Array(names.prefix(Self.most))
  }

  /// What the line names; nil for a comment, a title and an address.
  private func name(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var name = line.drop(while: Self.isBlank)
    if format == .pls {
      guard name.prefix(4).map({ $0 | 0x20 }).elementsEqual("file".utf8),
        let sign = name.firstIndex(of: UInt8(ascii: "="))
      else { return nil }
      name = name[(sign + 1)...].drop(while: Self.isBlank)
    }
    while let last = name.last, Self.isBlank(last) { name.removeLast() }
    let isAddress = WebAddress.scheme(of: String(decoding: name, as: UTF8.self)) != nil
    return name.isEmpty || name.first == UInt8(ascii: "#") || isAddress ? nil : name
  }

  private func count(_ names: [ArraySlice<UInt8>], in set: CharacterSet) -> Int {
    names.count { name in
      guard let text = loader.text(name, in: set), !text.contains("\u{FFFD}") else { return false }
      return loader.kind(of: FilePath.absolute(text, in: directory)) != .missing
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
