extension MediaContentType {
  /// Bytes of a file that `sniff(_:)` uses; more do not change its result for any known file.
  package static let sniffLength = 512

  /// The type by the first bytes of a file; nil when they are unknown.
  package static func sniff(_ prefix: [UInt8]) -> String? {
    let bytes = prefix[...].prefix(sniffLength)
    return container(bytes) ?? image(bytes) ?? text(bytes) ?? audioFrame(bytes)
  }

  private static func container(_ bytes: ArraySlice<UInt8>) -> String? {
    if bytes.has("ftyp", at: 4) { return isoType(brand: bytes.dropFirst(8).prefix(4)) }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      // EBML: the DocType is in the header, within the first few dozen bytes.
      if bytes.contains("webm") { return "video/webm" }
      return bytes.contains("matroska") ? "video/x-matroska" : nil
    }
    if bytes.has("RIFF", at: 0) {
      if bytes.has("WAVE", at: 8) { return "audio/wav" }
      return bytes.has("WEBP", at: 8) ? "image/webp" : nil
    }
    if bytes.has("OggS", at: 0) { return bytes.contains("theora") ? "video/ogg" : "audio/ogg" }
    if bytes.has("fLaC", at: 0) { return "audio/flac" }
    if bytes.has("ID3", at: 0) { return "audio/mpeg" }
    // One sync byte is a letter G; two at the distance of a packet are a transport stream.
    if bytes.count > 188, bytes[0] == 0x47, bytes[188] == 0x47 { return "video/mp2t" }
    return nil
  }

  private static func isoType(brand: ArraySlice<UInt8>) -> String? {
    switch String(decoding: brand, as: UTF8.self) {
    case "M4A ", "M4B ": "audio/mp4"
    case "qt  ": "video/quicktime"
    // Still pictures in the same container, which no Cast device shows (protocol 12.1).
    case "avif", "avis", "heic", "heix", "mif1", "msf1": nil
    default: "video/mp4"
    }
  }

  private static func image(_ bytes: ArraySlice<UInt8>) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return "image/gif" }
    // "BM" alone begins many texts; the four reserved bytes are zero in every bitmap.
    if bytes.has("BM", at: 0), bytes.count >= 10, bytes[6..<10].allSatisfy({ $0 == 0 }) { return "image/bmp" }
    return nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    if text.starts(with: "#EXTM3U".utf8) { return "application/x-mpegurl" }
    return text.starts(with: "WEBVTT".utf8) ? "text/vtt" : nil
  }

  /// An MPEG audio frame without a tag before it: eleven bits of sync, then fields with forbidden values.
  private static func audioFrame(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count >= 3, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    let version = (bytes[1] >> 3) & 0x03
    let layer = (bytes[1] >> 1) & 0x03
    if layer == 0 {
      // ADTS has twelve bits of sync and a sampling index below 13.
      return bytes[1] & 0xF0 == 0xF0 && (bytes[2] >> 2) & 0x0F < 13 ? "audio/aac" : nil
    }
    // Layer I, which is not in use, would match the byte order mark of UTF-16 text.
    let isFrame = layer != 3 && version != 1 && bytes[2] >> 4 != 0x0F && (bytes[2] >> 2) & 0x03 != 0x03
    return isFrame ? "audio/mpeg" : nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate func has(_ text: StaticString, at offset: Int) -> Bool {
    let wanted = text.withUTF8Buffer { [UInt8]($0) }
    return dropFirst(offset).starts(with: wanted)
  }

  fileprivate func contains(_ text: StaticString) -> Bool {
    let wanted = text.withUTF8Buffer { [UInt8]($0) }
    return indices.contains { self[$0...].starts(with: wanted) }
  }
}
