import CastProtocol
import CastqPlaylists
import CastqText
import Testing

/// Pictures beside media.
struct SidecarPictureTests {
  private func image(_ media: String, beside names: [String]) -> String? {
    SidecarPictures([media, "."] + names).picture(of: "/media/\(media)", isMusic: media.hasSuffix("mp3"))
  }

  @Test(
    "a film has the picture of its own name, else that of its directory",
    arguments: [
      (["film.jpg", "poster.jpg"], "film.jpg"), (["film-poster.PNG", "poster.jpg"], "film-poster.PNG"),
      (["poster.png", "folder.jpg"], "poster.png"), (["Folder.jpg"], "Folder.jpg"),
      (["COVER.JPEG"], "COVER.JPEG"),
      (["fanart.jpg"], "fanart.jpg"), (["fanart.jpg", "film-thumb.jpg"], "film-thumb.jpg"),
      (["film.jpg", "film.png"], "film.jpg"), (["FILM.jpg"], "FILM.jpg"), (["film.webp"], "film.webp"),
      (["other.jpg", "films.jpg", "film.jpg.txt", "film.gif", "album.jpg"], nil), ([], nil),
    ] as [([String], String?)])
  func film(_ names: [String], _ found: String?) {
    #expect(image("film.mkv", beside: names) == found.map { "/media/\($0)" })
  }

  @Test("music prefers the cover of its album")
  func music() {
    #expect(image("a.mp3", beside: ["folder.jpg", "cover.jpg"]) == "/media/cover.jpg")
    #expect(image("a.mp3", beside: ["AlbumArtSmall.jpg"]) == "/media/AlbumArtSmall.jpg")
  }

  @Test("a directory gives no pictures that belong to its films and music")
  func directory() {
    func names(_ names: String...) -> [String] {
      MemoryLoader(media: names.map { "dir/\($0)" }).read("dir").urls.map { FilePath.name(of: $0) }
    }
    #expect(
      names("a.mp4", "a.jpg", "b-fanart.jpg", "b.mkv", "Folder.jpg", "c.jpg") == ["a.mp4", "b.mkv", "c.jpg"])
    #expect(
      names("cover.jpg", "a.jpg", "poster.png") == ["a.jpg", "cover.jpg", "poster.png"], "a show of slides")
  }
}
