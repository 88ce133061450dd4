import CastProtocol
import CastqPlaylists
import CastqText

extension Parser {
  /// What is kept of a file is what is read of it again; no name of a file becomes an empty title.
  func parseProbe(_ bytes: [UInt8]) {
    let name = String(decoding: bytes, as: UTF8.self)
    if let title = ReadableName.title(of: "\(name).mp4") { precondition(!title.isEmpty) }
    _ = MediaTitle.shown(name, url: name)
    guard let probe = try? MediaProbe(document: bytes) else { return }
    let again = try? MediaProbe(document: Array(probe.document.text.utf8))
    precondition(again == probe)
  }
}
