package import CastqMediaServer
import Synchronization

/// Makes local files reachable for a device.
package protocol MediaPublishing: Sendable {
  /// Publishes a file until it is withdrawn. The same file gives the same link.
  func publish(path: String, contentType: String) throws(MediaServerError) -> MediaLink
  /// Publishes what a conversion makes of a file, likewise.
  func publish(path: String, contentType: String, conversion: MediaConversion) throws(MediaServerError)
    -> MediaLink
  /// Publishes a document that is made when it is asked for, likewise.
  func publish(_ document: MediaDocument, fileName: String, contentType: String) throws(MediaServerError)
    -> MediaLink
  /// Publishes a manifest and its pieces, likewise.
  func publish(_ pieces: MediaPieces, fileName: String, contentType: String) throws(MediaServerError)
    -> MediaLink
  func withdraw(_ link: MediaLink)
  /// The address for a device that reaches this machine as `host`.
  func url(for link: MediaLink, host: String) -> String
  /// Whether files keep their addresses across restarts of castq.
  var hasLastingAddresses: Bool { get }
}

extension MediaServer: MediaPublishing {
  package func publish(path: String, contentType: String, conversion: MediaConversion)
    throws(MediaServerError) -> MediaLink
  {
    try publish(path: path, contentType: contentType, conversion: conversion, token: nil)
  }

  package func publish(_ document: MediaDocument, fileName: String, contentType: String)
    throws(MediaServerError) -> MediaLink
  {
    try publish(document, fileName: fileName, contentType: contentType, token: nil)
  }

  package func publish(_ pieces: MediaPieces, fileName: String, contentType: String)
    throws(MediaServerError) -> MediaLink
  {
    try publish(pieces, fileName: fileName, contentType: contentType, token: nil)
  }

  package var hasLastingAddresses: Bool { false }
}

/// One media server for several devices. A file stays published until no device needs it.
final class SharedMedia: Sendable {
  private struct State {
    /// The shares that need each link.
    var holders: [MediaLink: Set<Int>] = [:]
    /// Where the devices of shares are.
    var addresses: [Int: String] = [:]
    var lastHolder = 0
    /// Number of publications in progress, whose links are not known yet.
    var pending = 0
    /// Links released meanwhile.
    var abandoned: Set<MediaLink> = []
  }

  let server: MediaServer
  private let memory: MediaMemory
  private let state = Mutex(State())

  init(_ server: MediaServer, memory: MediaMemory) {
    self.server = server
    self.memory = memory
  }

  /// The share of one device.
  /// - Parameters:
  ///   - address: the device's IP address, whose connections are preferred; a name until that is known.
  ///   - port: the port that leads to the server from the device; nil is the server's own.
  func share(of address: String, port: Int?) -> Share {
    server.addDevice(at: address)
    let number = state.withLock { state in
      state.lastHolder += 1
      state.addresses[state.lastHolder] = address
      return state.lastHolder
    }
    return Share(media: self, number: number, port: port)
  }

  /// One device's share of the server.
  struct Share: MediaPublishing {
    fileprivate let media: SharedMedia
    fileprivate let number: Int
    fileprivate let port: Int?

    func publish(path: String, contentType: String) throws(MediaServerError) -> MediaLink {
      try media.publish(path, for: number) { (token) throws(MediaServerError) in
        guard let token else { return try media.server.publish(path: path, contentType: contentType) }
        return try media.server.publish(path: path, contentType: contentType, token: token)
      }
    }

    func publish(path: String, contentType: String, conversion: MediaConversion) throws(MediaServerError)
      -> MediaLink
    {
      try media.publish("\(path)\u{0}\(conversion.name)", for: number) { (token) throws(MediaServerError) in
        try media.server.publish(path: path, contentType: contentType, conversion: conversion, token: token)
      }
    }

    func publish(_ document: MediaDocument, fileName: String, contentType: String) throws(MediaServerError)
      -> MediaLink
    {
      try media.publish("\u{0}\(document.name)", for: number) { (token) throws(MediaServerError) in
        try media.server.publish(document, fileName: fileName, contentType: contentType, token: token)
      }
    }

    func publish(_ pieces: MediaPieces, fileName: String, contentType: String) throws(MediaServerError)
      -> MediaLink
    {
      try media.publish("\(pieces.path)\u{0}\(pieces.name)", for: number) {
        (token) throws(MediaServerError) in
        try media.server.publish(pieces, fileName: fileName, contentType: contentType, token: token)
      }
    }

    func withdraw(_ link: MediaLink) { media.withdraw(link, for: number) }

    func url(for link: MediaLink, host: String) -> String {
      media.server.url(for: link, host: host, port: port ?? media.server.port)
    }

    var hasLastingAddresses: Bool { media.memory.isOld && media.memory.port == media.server.port }

    /// The device is at this IP address.
    func move(to address: String) { media.move(number, to: address) }

    /// Withdraws everything this device needs. Call once.
    func end() {
      media.end(number)
      media.move(number, to: nil)
    }
  }

  /// Publishes outside the lock, so that a stalled disk delays only its own device.
  /// - Parameter key: tells what is published apart; its token stays the same across restarts.
  private func publish(
    _ key: String, for holder: Int, by publish: (_ token: String?) throws(MediaServerError) -> MediaLink
  ) throws(MediaServerError) -> MediaLink {
    state.withLock { $0.pending += 1 }
    let result = Result { () throws(MediaServerError) in try publish(memory.token(for: key)) }
    state.withLock { state in
      state.pending -= 1
      if case .success(let link) = result { state.holders[link, default: []].insert(holder) }
      sweep(&state)
    }
    return try result.get()
  }

  /// - Parameter address: nil for a device that is fed no more.
  private func move(_ holder: Int, to address: String?) {
    state.withLock { state in
      // One that has ended does not come back.
      guard let before = state.addresses[holder] else { return }
      state.addresses[holder] = address
      if let address { server.addDevice(at: address) }
      server.removeDevice(at: before)
    }
  }

  private func withdraw(_ link: MediaLink, for holder: Int) {
    state.withLock { state in
      release(link, holder, &state)
      sweep(&state)
    }
  }

  private func end(_ holder: Int) {
    state.withLock { state in
      for (link, holders) in state.holders where holders.contains(holder) { release(link, holder, &state) }
      sweep(&state)
    }
  }

  private func release(_ link: MediaLink, _ holder: Int, _ state: inout State) {
    guard state.holders[link]?.remove(holder) != nil, state.holders[link]?.isEmpty == true else { return }
    state.holders[link] = nil
    state.abandoned.insert(link)
  }

  /// Withdraws unneeded links, once no publication is in progress.
  private func sweep(_ state: inout State) {
    guard state.pending == 0 else { return }
    for link in state.abandoned where state.holders[link] == nil { server.withdraw(link) }
    state.abandoned = []
  }
}
