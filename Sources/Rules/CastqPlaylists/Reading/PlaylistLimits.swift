/// Limits on playlists, which may come from anywhere.
package struct PlaylistLimits: Sendable, Hashable {
  /// Bytes of one playlist file.
  package var fileBytes = 64 << 20
  /// Bytes of one line.
  package var lineBytes = 64 << 10
  /// Bytes of an address; web servers refuse longer ones.
  package var addressBytes = 8 << 10
  /// Unicode scalars of a title or another text; longer ones are cut.
  package var textScalars = 1000
  /// Locations of one entry.
  package var locations = 16
  /// Addresses whose server is asked what they are, in one call. Others are assumed to be films.
  package var questions = 64
  /// Tracks of one entry.
  package var tracks = 32
  /// Entries of all sources together.
  package var entries = 100_000
  /// Nesting of lists, the first one counted.
  package var depth = 8
  /// Nesting of directories, the named one counted.
  package var directoryDepth = 8
  /// Playlists read and directories listed in one call, which bounds lists that name each other many times.
  package var documents = 1000
  /// Bytes of all playlists in one call.
  package var totalBytes = 256 << 20
  /// Playlists fetched over the network in one call.
  package var fetches = 64
  /// Issues listed.
  package var issues = 1000

  package init() {}
}
