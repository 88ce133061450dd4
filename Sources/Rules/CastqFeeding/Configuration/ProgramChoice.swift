package import CastqText

/// Which file is started as another program, such as `ffprobe`.
package enum ProgramChoice: Sendable, Hashable {
  /// The first one of its name on the search path; none is fine.
  case installed
  /// The program is not used, even if there is one.
  case off
  /// This file.
  case path(String)

  /// Reads `off` or an absolute path.
  package init(_ text: String) throws(TextError) {
    if text == "off" {
      self = .off
    } else if text.utf8.first == UInt8(ascii: "/"), text.utf8.last != UInt8(ascii: "/"),
      !text.utf8.contains(0), text.utf8.count <= 4096
    {
      self = .path(text)
    } else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not the path of a program",
        hint: "write it as in /usr/local/bin/ffprobe, or off")
    }
  }
}

/// The programs that the configuration may choose.
package struct ProgramChoices: Sendable, Hashable {
  /// Reads what local files are made of.
  package var ffprobe = ProgramChoice.installed
  /// Makes pictures and other media of local files.
  package var ffmpeg = ProgramChoice.installed

  package init() {}
}
