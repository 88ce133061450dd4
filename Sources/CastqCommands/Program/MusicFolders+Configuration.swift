import CastqCore

extension MusicFolders {
  /// Those of the configuration. A mistake there means none; the commands that go by the whole file report it.
  init(_ global: CallOptions) {
    guard let rules = try? ConfigurationFile(global).read().get().mpd, !rules.folders.isEmpty else {
      self.init()
      return
    }
    self.init(
      lists: rules.playlists ?? StoredLists.folder(beside: global.databasePath), folders: rules.folders)
  }
}
