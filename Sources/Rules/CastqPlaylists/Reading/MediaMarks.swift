/// The marks with which media begin (WHATWG MIME Sniffing, 6.1 and 6.2; ISO/IEC 13818-1, 2.4.3.2 for transport streams; ISO/IEC 13818-7
/// and 11172-3 for frames of sound).
enum MediaMarks {
  /// The type of a medium that castq sends; nil when the bytes do not show one without doubt.
  static func type(of head: [UInt8]) -> String? {
    func has(_ mark: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: mark) }
    func has(_ mark: String, at offset: Int = 0) -> Bool { has(Array(mark.utf8), at: offset) }
    if has("ftyp", at: 4) { return has("M4A", at: 8) || has("M4B", at: 8) ? "audio/mp4" : "video/mp4" }
    if has([0x1A, 0x45, 0xDF, 0xA3]) {
      let isWeb = head.prefix(64).contains(Array("webm".utf8))
      return isWeb ? "video/webm" : "video/x-matroska"
    }
    if has("OggS") { return head.prefix(64).contains(Array("theora".utf8)) ? "video/ogg" : "audio/ogg" }
    if has("fLaC") { return "audio/flac" }
    if has("RIFF") { return has("WAVE", at: 8) ? "audio/wav" : has("WEBP", at: 8) ? "image/webp" : nil }
    if has("ID3") { return "audio/mpeg" }
    if has([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if has("GIF87a") || has("GIF89a") { return "image/gif" }
    if isTransportStream(head) { return "video/mp2t" }
    return frames(head)
  }

  /// Packets of 188 bytes, each of which begins with 0x47; three of them are no chance.
  private static func isTransportStream(_ head: [UInt8]) -> Bool {
    head.count > 376 && [0, 188, 376].allSatisfy { head[$0] == 0x47 }
  }

  /// A frame of MPEG sound, or of AAC in ADTS: twelve bits, then what the rest of a head cannot be.
  private static func frames(_ head: [UInt8]) -> String? {
    guard head.count > 3, head[0] == 0xFF else { return nil }
    // No layer is ADTS; rate and frequency have no number 15 or 3.
    if head[1] & 0xF6 == 0xF0 { return head[2] >> 2 & 0xF < 13 ? "audio/aac" : nil }
    guard head[1] & 0xE0 == 0xE0, head[1] >> 3 & 3 != 1, head[1] >> 1 & 3 != 0 else { return nil }
    return head[2] >> 4 != 15 && head[2] >> 4 != 0 && head[2] >> 2 & 3 != 3 ? "audio/mpeg" : nil
  }
}
