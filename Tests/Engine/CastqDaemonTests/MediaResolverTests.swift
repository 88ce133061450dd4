import CastProtocol
import CastqDaemon
import CastqMediaServer
import CastqPlaylists
import Foundation
import NIOPosix
import Synchronization
import Testing

/// Which files a device is given.
@Suite struct MediaResolverTests {
  /// Publishes for real and remembers what.
  private final class Recorder: MediaPublishing {
    let server = MediaServer(group: MultiThreadedEventLoopGroup.singleton)
    let paths = Mutex<[String]>([])

    func publish(path: String, contentType: String) throws(MediaServerError) -> MediaLink {
      paths.withLock { $0.append(path) }
      return try server.publish(path: path, contentType: contentType)
    }

    func publish(path: String, contentType: String, conversion: MediaConversion) throws(MediaServerError)
      -> MediaLink
    {
      paths.withLock { $0.append(path) }
      return try server.publish(path: path, contentType: contentType, conversion: conversion)
    }

    func publish(_ document: MediaDocument, fileName: String, contentType: String) throws(MediaServerError)
      -> MediaLink
    {
      try server.publish(document, fileName: fileName, contentType: contentType)
    }

    func publish(_ pieces: MediaPieces, fileName: String, contentType: String) throws(MediaServerError)
      -> MediaLink
    {
      try server.publish(pieces, fileName: fileName, contentType: contentType)
    }

    func withdraw(_ link: MediaLink) { server.withdraw(link) }
    func url(for link: MediaLink, host: String) -> String { server.url(for: link, host: host) }
    var hasLastingAddresses: Bool { false }
  }

  private static let places: [@Sendable (inout MediaInformation, String) -> Void] = [
    { $0.contentID = $1 }, { $0.contentURL = $1 },
    { $0.mediaTracks = [MediaTrack(identifier: 1, kind: .text, contentIdentifier: $1)] },
    { $0.adBreakClips = [clip { $0.contentID = $1 }($1)] },
    { $0.adBreakClips = [clip { $0.contentURL = $1 }($1)] },
    { $0.adBreakClips = [clip { $0.posterURL = $1 }($1)] },
    { $0.adBreakClips = [clip { $0.vastAdsRequest = VASTAdsRequest(adTagURL: $1) }($1)] },
    { $0.vmapAdsRequest = VASTAdsRequest(adTagURL: $1) },
    { $0.metadata = MediaMetadata(images: [Image(url: $1)]) },
  ]

  private static func clip(
    _ change: @escaping (inout AdBreakClipInfo, String) -> Void
  ) -> (String) -> AdBreakClipInfo {
    { address in
      var clip = AdBreakClipInfo(identifier: "c")
      change(&clip, address)
      return clip
    }
  }

  @Test(
    "a file is published for an entry of this machine's own lists, and for no other, whatever its row says",
    arguments: places.indices,
    ["file://", "FILE://", "file://localhost", "file:", " file://", "file:///tmp/..", "file:///%2e%2e"])
  func origin(place: Int, prefix: String) throws {
    let folder = try Stage.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "secret.txt").path
    try Data("secret".utf8).write(to: URL(filePath: file))
    let link = folder.appending(path: "link.mp4").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    for path in [file, link] {
      for origin in [EntryOrigin.network, .local] {
        let recorder = Recorder()
        let resolver = MediaResolver(server: recorder, host: "127.0.0.1")
        var draft = EntryDraft(
          media: MediaInformation(contentID: "http://h/a.mp4", contentType: "video/mp4"), origin: origin)
        Self.places[place](&draft.media, prefix + path)
        var links: Set<MediaLink> = []
        let resolved = try? resolver.resolve(draft, publishing: &links)
        let isServed = origin == .local && !prefix.hasPrefix(" ")
        #expect((resolved != nil) == isServed)
        #expect(recorder.paths.withLock { $0.isEmpty } == !isServed)
        #expect(links.isEmpty == !isServed)
        #expect(MediaResolver.serves(draft))
      }
    }
  }
}
