import CastqFeeding
package import CastqPlaylists
import CastqText

extension MusicFolders {
  /// Those of the configuration. A mistake there means none; the commands that go by the whole file report it.
  package init(_ global: CallOptions) {
    guard let rules = try? ConfigurationFile(global).read().get(), !rules.mediaFolders.isEmpty else {
      self.init()
      return
    }
    self.init(
      lists: rules.mpd.playlists ?? Self.playlists(beside: global.databasePath), folders: rules.mediaFolders)
  }

  /// Where lists are that clients save, unless the configuration says it.
  package static func playlists(beside database: String) -> String {
    let path = FilePath.absolute(database, in: FileLoader().workingDirectory)
    return FilePath.absolute("playlists", in: FilePath.directory(of: path))
  }
}
