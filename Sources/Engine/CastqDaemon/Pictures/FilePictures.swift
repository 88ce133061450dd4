import CastTLS
import CastqMediaServer
import CastqPlaylists

/// The pictures in local media files: made when a device asks for them, and kept.
package actor FilePictures {
  private let maker: PictureMaker
  private let folder: PictureFolder
  /// The last one that is being made: one at a time, for a device asks for all that it is told of.
  private var last: Task<Void, Never>?
  /// Those that are asked for, by number.
  private var open: [Int: Task<[UInt8]?, Never>] = [:]
  private var number = 0
  /// Pictures that could not be made.
  private var failed: Set<String> = []
  private var hasEnded = false

  package init(_ maker: PictureMaker, folder: PictureFolder) {
    self.maker = maker
    self.folder = folder
  }

  /// What is served as the picture of a file.
  nonisolated func document(_ kind: PictureKind, of path: String) -> MediaDocument {
    MediaDocument(name: "picture \(kind.name) \(path)") { await self.picture(kind, of: path) }
  }

  /// The picture; nil when there is none. A file that was replaced has another one.
  package func picture(_ kind: PictureKind, of path: String) async -> [UInt8]? {
    guard let file = ProbedFile(path),
      let name = try? SHA256.text(of: Array("\(kind.name) \(file.size) \(file.modified) \(path)".utf8))
    else { return nil }
    if let kept = folder.picture(named: name) { return kept }
    let previous = last
    let task = Task { () -> [UInt8]? in
      await previous?.value
      return await make(kind, of: path, named: name)
    }
    last = Task { _ = await task.value }
    number += 1
    let own = number
    open[own] = task
    let bytes = await task.value
    open[own] = nil
    return bytes
  }

  private func make(_ kind: PictureKind, of path: String, named name: String) async -> [UInt8]? {
    // Others may have asked for the same one.
    if let kept = folder.picture(named: name) { return kept }
    guard !failed.contains(name), !hasEnded else { return nil }
    switch await maker.picture(kind, of: path) {
    case .picture(let bytes):
      folder.keep(bytes, named: name)
      return bytes
    case .none:
      if failed.count >= 2000 { failed = [] }
      failed.insert(name)
      return nil
    case .later: return nil
    }
  }

  /// Ends what is being made; nothing else is begun.
  package func end() async {
    hasEnded = true
    for task in open.values { task.cancel() }
    await last?.value
  }
}
