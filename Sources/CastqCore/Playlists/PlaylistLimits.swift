/// How much of a playlist is read before it is refused; a list may come from anywhere.
package struct PlaylistLimits: Sendable, Hashable {
  /// Bytes of one playlist file.
  package var fileBytes = 64 << 20
  /// Bytes of one line.
  package var lineBytes = 64 << 10
  /// Bytes of an address; web servers refuse longer ones.
  package var addressBytes = 8 << 10
  /// Unicode scalars of a title or another text; the rest is cut off.
  package var textScalars = 1000
  /// Tracks of one entry.
  package var tracks = 32
  /// Entries of all sources together.
  package var entries = 100_000
  /// How deep lists may name lists, the first one counted.
  package var depth = 8
  /// How deep a directory is searched, the one that was named counted.
  package var directoryDepth = 8
  /// Playlists read and directories listed for one call, so that lists which name each other many times stay affordable.
  package var documents = 1000
  /// Bytes of all playlists of one call.
  package var totalBytes = 256 << 20
  /// Playlists fetched over the network for one call.
  package var fetches = 64
  /// Issues listed.
  package var issues = 1000

  package init() {}
}
