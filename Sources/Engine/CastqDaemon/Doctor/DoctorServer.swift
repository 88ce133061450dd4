package import CastProtocol
import CastSender
package import CastqFeeding
import CastqFiles
import CastqMediaServer
package import CastqStore
import CastqText

/// Serves a test sound and a test subtitle, at the port and the address that a feeder would use.
package struct DoctorServer: Sendable {
  /// Host and port that devices are given.
  package let address: String
  /// The port that it listens on.
  package let port: Int
  package let origin: MediaFinding.PortOrigin
  /// The sound, as a device is told to load it.
  package let sound: MediaInformation
  /// The address of the subtitle, as WebVTT.
  package let subtitles: String
  private let files: DoctorFiles
  private let host: FeederHost
  private let share: SharedMedia.Share

  /// Why there is no server.
  package struct Refusal: Error, Sendable {
    package let server: MediaFinding.Server
  }

  /// - Parameters:
  ///   - device: the device's IP address, or its name; nil serves this computer itself.
  ///   - advertised: the address at which the device reaches it; nil is that of the interface that leads to the device.
  ///   - port: the only port to listen on; nil is the one of the database, or another free one.
  ///   - database: its port is used, and stored if there is none yet; nil uses any free one.
  ///   - folder: for temporary files.
  package static func start(
    for device: String?, advertised: AdvertisedAddress?, port: Int?, database: Database?, folder: String
  ) async throws(Refusal) -> DoctorServer {
    let device = await HostLookup.address(of: device ?? "127.0.0.1")
    let host: String
    do {
      host = try advertised?.host ?? LocalAddress.reaching(device).literal
    } catch {
      throw Refusal(server: .noAddress("\(error)"))
    }
    let files: DoctorFiles
    do throws(DoctorFiles.Failure) { files = try DoctorFiles(in: folder) } catch {
      throw Refusal(server: .notTried("\(error)"))
    }
    let stored: Int?
    do throws(OwnFileError) {
      stored = try MediaMemory(path: database.map { MediaMemory.path(ofDatabase: $0.path) }).port
    } catch {
      files.remove()
      throw Refusal(server: .cannotListen("\(error)"))
    }
    let feeder = FeederHost(database: database, mediaPort: port)
    do {
      let share = try await feeder.share(of: device, port: advertised?.port)
      return try await DoctorServer(feeder, share, files, host: host, stored: stored, isFixed: port != nil)
    } catch {
      files.remove()
      await feeder.shutDown(Session.silentLogger)
      throw Refusal(server: .cannotListen("\(error)"))
    }
  }

  private init(
    _ feeder: FeederHost, _ share: SharedMedia.Share, _ files: DoctorFiles, host name: String, stored: Int?,
    isFixed: Bool
  ) async throws(MediaServerError) {
    let sound = share.url(
      for: try share.publish(path: files.sound, contentType: "audio/wav"), host: name)
    let track = MediaTrack(
      identifier: 1, kind: .text, contentIdentifier: FilePath.url(files.subtitles), languageCode: "en")
    let conversion = SubtitleServing.conversion(of: track, path: files.subtitles, hint: nil)
    let link = try share.publish(
      path: files.subtitles, contentType: SubtitleServing.contentType, conversion: conversion)
    subtitles = share.url(for: link, host: name)
    var metadata = MediaMetadata(kind: .generic)
    metadata.title = DoctorFiles.cue
    self.sound = MediaInformation(
      contentID: sound, contentType: "audio/wav", streamType: .buffered, metadata: metadata)
    address = String(sound.dropFirst("http://".count).prefix { $0 != "/" })
    port = await feeder.mediaDocument()["port"]?.int ?? 0
    origin =
      isFixed ? .fixed : stored.map { [port] in $0 == port ? .stored : .displaced(stored: $0) } ?? .stored
    (self.files, self.share) = (files, share)
    self.host = feeder
  }

  /// Withdraws the files and closes the port. Call once.
  package func end() async {
    share.end()
    await host.shutDown(Session.silentLogger)
    files.remove()
  }

  /// How many responses with the sound have ended so far.
  package func soundsServed() async -> Int {
    let url = FilePath.url(files.sound)
    return await host.mediaDocument()["fetches"]?.array?.count { $0["url"]?.string == url } ?? 0
  }

  /// Fetches the sound from another process of this computer.
  package func fetchBack() async -> MediaFinding.Server {
    do throws(FetchBack.Failure) {
      let fetched = try await FetchBack(of: sound.contentID)
      if let problem = fetched.problem {
        return fetched.status == nil ? .notFetched(problem) : .otherContent
      }
      return fetched.body == DoctorFiles.silence ? .fetchedBack : .otherContent
    } catch {
      return .notTried("\(error)")
    }
  }

  /// Fetches the subtitle from another process of this computer.
  package func fetchSubtitles() async -> SubtitleFinding {
    do throws(FetchBack.Failure) {
      let fetched = try await FetchBack(of: subtitles)
      if let problem = fetched.problem { return .notFetched(problem) }
      let text = String(decoding: fetched.body, as: UTF8.self)
      return .fetched(
        contentType: fetched.contentType, allowedOrigin: fetched.allowedOrigin,
        hasCues: text.hasPrefix("WEBVTT") && text.contains(DoctorFiles.cue))
    } catch {
      return .notFetched("\(error)")
    }
  }
}
