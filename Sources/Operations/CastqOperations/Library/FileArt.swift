import CastqDaemon
import CastqFeeding
import CastqPlaylists

/// The pictures in local files, covers and frames of films: read with ffprobe and ffmpeg where they are installed, one at a time, and
/// kept where the daemon keeps them. The last ones stay in memory, for some clients ask for them in pieces.
package actor FileArt {
  /// A file and its picture; nil for one that has none.
  private struct Page {
    let file: ProbedFile
    let bytes: [UInt8]?
  }

  /// Pictures in memory, of at most 4 MiB each.
  private static let most = 4

  private let probes: ProbeMemory?
  private let pictures: FilePictures?
  /// Whether frames of films count.
  private let hasFrames: Bool
  /// The last used one is the last.
  private var pages: [Page] = []
  private var last: Task<[UInt8]?, Never>?

  /// - Parameter hasFrames: whether a film without a cover has one of its frames.
  package init(_ global: CallOptions, _ workspace: Workspace, hasFrames: Bool) {
    self.hasFrames = hasFrames
    let choices = (try? ConfigurationFile(global).read().get())?.programs ?? ProgramChoices()
    let programs = Environment.programs(choices)
    probes = programs.ffprobe.map { ProbeMemory(MediaProber($0), workspace.database) }
    pictures = programs.ffmpeg.map {
      FilePictures(PictureMaker($0), folder: PictureFolder(path: "\(Environment.cacheFolder)/pictures"))
    }
  }

  /// The picture as a JPEG; nil when there is none.
  package func picture(of path: String) async -> [UInt8]? {
    guard let probes, let pictures, let file = ProbedFile(path) else { return nil }
    if let page = page(of: file) { return page.bytes }
    let before = last
    let task = Task { () -> [UInt8]? in
      _ = await before?.value
      // Another client may have asked for the same one.
      if let page = page(of: file) { return page.bytes }
      do throws(MediaProber.Problem) {
        let result = try await probes.result(path) { .now }
        guard let kind = result.probe.flatMap(PictureKind.init), hasFrames || kind.isCover else {
          keep(nil, of: file)
          return nil
        }
        let bytes = await pictures.picture(kind, of: path)
        // What took too long is tried again.
        if let bytes { keep(bytes, of: file) }
        return bytes
      } catch {
        return nil
      }
    }
    last = task
    return await task.value
  }

  private func page(of file: ProbedFile) -> Page? {
    guard let index = pages.firstIndex(where: { $0.file == file }) else { return nil }
    let page = pages.remove(at: index)
    pages.append(page)
    return page
  }

  private func keep(_ bytes: [UInt8]?, of file: ProbedFile) {
    guard page(of: file) == nil else { return }
    pages.append(Page(file: file, bytes: bytes))
    if pages.count > Self.most { pages.removeFirst() }
  }
}
