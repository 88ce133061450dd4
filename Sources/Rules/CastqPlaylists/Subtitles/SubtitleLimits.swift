/// Limits on subtitle files, which may come from anywhere.
package struct SubtitleLimits: Sendable, Hashable {
  /// Bytes of one file. The subtitles of a film are about 100 KiB; embedded fonts make some larger.
  package var fileBytes = 8 << 20
  /// Bytes of one line, as UTF-8.
  package var lineBytes = 64 << 10
  /// Cues of one file.
  package var cues = 50_000
  /// Bytes of one cue's text, as UTF-8.
  package var cueBytes = 8 << 10
  /// Bytes of the result, as UTF-8: markup and escapes make a text longer.
  package var resultBytes = 16 << 20
  /// Issues listed.
  package var issues = 100

  package init() {}
}
