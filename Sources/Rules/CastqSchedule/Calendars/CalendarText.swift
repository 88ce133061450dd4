import CastqText

/// The lines of an iCalendar file, unfolded (RFC 5545, section 3.1), in whatever set it was written.
///
/// The RFC has UTF-8. UTF-16 shows itself; other lines that are no UTF-8 are decoded as those of lists are (`PlaylistText`). A fold may
/// be within a character, so lines are unfolded first.
struct CalendarText {
  /// Those that have no name, or are too long, are nil with their number.
  let lines: [(number: Int, line: CalendarLine?)]

  /// Bytes of one line.
  private static let longest = 64 << 10

  init(_ raw: [UInt8], _ conversion: @escaping PlaylistText.Conversion) {
    var bytes = raw
    if let wide = WideText(raw), let text = wide.text(raw, conversion) { bytes = Array(text.utf8) }
    var unfolded = Self.unfolded(bytes)
    Self.decode(&unfolded, conversion)
    lines = unfolded.map { number, text in
      (number, text.count <= Self.longest ? CalendarLine(text, line: number) : nil)
    }
  }

  private static func unfolded(_ bytes: [UInt8]) -> [(number: Int, text: [UInt8])] {
    var result: [(number: Int, text: [UInt8])] = []
    var text: [UInt8] = []
    var (start, number) = (1, 0)
    // A mark of the byte order is no part of the first line.
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    for var piece in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if piece.last == 0x0D { piece = piece.dropLast() }
      if let first = piece.first, first == 0x20 || first == 0x09, !text.isEmpty {
        if text.count <= longest { text += piece.dropFirst() }
      } else {
        if !text.isEmpty { result.append((start, text)) }
        text = Array(piece)
        start = number
      }
    }
    if !text.isEmpty { result.append((start, text)) }
    return result
  }

  /// Puts the lines that are no UTF-8 into it, in one set for all of them.
  private static func decode(
    _ lines: inout [(number: Int, text: [UInt8])], _ conversion: @escaping PlaylistText.Conversion
  ) {
    let foreign = lines.indices.filter { String(validating: lines[$0].text, as: UTF8.self) == nil }
    guard !foreign.isEmpty else { return }
    let joined = Array(foreign.map { lines[$0].text }.joined(separator: [0x0A]))
    let decoded = PlaylistText(joined, conversion: conversion).bytes.split(
      separator: 0x0A, omittingEmptySubsequences: false)
    guard decoded.count == foreign.count else { return }
    for (index, text) in zip(foreign, decoded) { lines[index].text = Array(text) }
  }
}
