import CastProtocol
import CastSender
import CastqFeeding
import CastqMediaServer
import CastqStore
import Logging

/// A black picture of castq's own on a screen that is dark on purpose. It is no entry of a queue and no play in history.
///
/// A guest keeps the screen: the picture goes to a device that shows its idle screen, or the application of castq with nothing loaded.
struct BlackPicture: Sendable {
  /// 16 × 9 pixels, which a receiver scales to its screen.
  private static let bytes: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x09, 0x01, 0x00, 0x00, 0x00, 0x00, 0x13, 0x51, 0x91,
    0x9F, 0x00, 0x00, 0x00, 0x0B, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x60, 0xC0, 0x09, 0x00,
    0x00, 0x1B, 0x00, 0x01, 0x59, 0x98, 0x3D, 0xEA, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44,
    0xAE, 0x42, 0x60, 0x82,
  ]
  private static let contentType = "image/png"
  /// How long the device may take to load it.
  private static let patience = Duration.seconds(10)

  private let device: KnownDevice
  private let settings: DeviceSettings
  private let logger: Logger
  /// Serves the picture for as long as it is on the screen.
  private let media: LocalMedia

  init(_ device: KnownDevice, _ settings: DeviceSettings, on host: FeederHost, _ logger: Logger) {
    (self.device, self.settings, self.logger) = (device, settings, logger)
    media = LocalMedia(device.endpoint.host, on: host, advertised: settings.advertised)
  }

  /// Shows it, or says in the log why it is not shown.
  func show() async {
    let words: Logger.Metadata = ["castq.device": "\(device.label)"]
    guard let problem = await problem() else { return logger.notice("the screen is black", metadata: words) }
    logger.notice(
      "the screen is not made black", metadata: words.merging(["castq.reason": "\(problem)"]) { $1 })
  }

  /// It is served no more: the screen is to show something else.
  func end() { media.end() }

  /// Why it is not on the screen; nil when it is.
  private func problem() async -> String? {
    if let error = await media.find() { return "\(error)" }
    var options = settings.sessionOptions(for: .media)
    options.recovery = .end
    options.loadTimeout = Self.patience
    do {
      if let trust = settings.trust { options.trust = try trust.trust(in: device) }
      if let guest = try await guest(options) { return "\(guest) has the screen" }
      return try await load(over: session(options))
    } catch {
      return "\(error)"
    }
  }

  private func session(_ options: SessionOptions) -> Session {
    Session(
      device: device.castDevice, options: options, resolver: settings.resolver,
      logger: CastLogger.shared.logger(for: .session))
  }

  /// What runs on the device and is not castq's; nil when nothing does.
  private func guest(_ options: SessionOptions) async throws(CastError) -> String? {
    var looking = options
    looking.purpose = .device
    let session = session(looking)
    try await session.start()
    let application = session.receiverStatus?.application
    await session.leave()
    guard let application, application.applicationID != options.purpose.applicationID else { return nil }
    return application.displayName ?? application.applicationID
  }

  private func load(over session: Session) async throws -> String? {
    try await session.start()
    guard session.remoteMediaClient.mediaStatus == nil else {
      await session.leave()
      return "something plays"
    }
    let (share, host) = try media.server.get()
    let picture = MediaDocument(name: "black.png") { Self.bytes }
    let link = try share.publish(picture, fileName: "black.png", contentType: Self.contentType)
    let loaded = session.remoteMediaClient.load(
      MediaInformation(
        contentID: share.url(for: link, host: host), contentType: Self.contentType,
        streamType: MediaStreamType.none))
    let outcome: String?
    do throws(CastError) {
      _ = try await loaded.value
      outcome = nil
    } catch { outcome = "\(error)" }
    await session.leave()
    return outcome
  }
}
