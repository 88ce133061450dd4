package import CastqFeeding
package import CastqText

/// How the page and the API are served.
package struct WebSettings: Sendable {
  /// Where it listens: a host or an address, and a port; 0 is any free one.
  package var host = "127.0.0.1"
  package var port = 8010
  /// Names under which a browser may ask, beside the loopback and addresses: those of a reverse proxy, for instance.
  package var hosts: [String] = []
  /// Whether a token is asked for on loopback, too.
  package var alwaysAsksForToken = false
  /// PEM files; nil serves without TLS.
  package var certificate: TLSFiles?
  /// The file with the hashed tokens.
  package var tokenFile: String
  /// The program's version, for documents.
  package var version: String
  /// The zone in which pages show times unless their address names another one.
  package var zoneName = "UTC"
  /// The offsets of a zone by its name; nil when there is none of this name.
  package var zones: @Sendable (String) -> TimeZoneRules? = { $0 == "UTC" ? TimeZoneRules() : nil }
  package var limits = WebLimits()
  /// How the pages look, and what they do by themselves.
  package var face = FaceRules()
  /// What the page may start where no daemon runs; nil where it starts none.
  package var daemon: DaemonProgram?
  /// The service that is the daemon of this computer, which whoever looks after it starts; nil for none.
  package var daemonService: String?

  package struct TLSFiles: Sendable, Hashable {
    package var chain: String
    package var key: String

    package init(chain: String, key: String) {
      self.chain = chain
      self.key = key
    }
  }

  package init(tokenFile: String, version: String) {
    self.tokenFile = tokenFile
    self.version = version
  }
}

/// What strangers may use up.
package struct WebLimits: Sendable {
  /// Bytes of a request's body.
  package var body = 1 << 20
  /// Bytes of all fields of a request's head.
  package var head = 32 << 10
  /// Seconds for the whole head of a request, from the connection or the end of the answer before.
  package var headTime = 15
  /// Seconds for the whole body of a request.
  package var bodyTime = 30
  /// Seconds in which an answer must get on while the browser does not read it.
  package var writeTime = 120
  /// Connections at a time.
  package var connections = 512
  /// Event streams at a time.
  package var streams = 256
  /// Questions that devices are asked at a time; of one token, or one address without tokens, half of them.
  package var questions = 8
  /// Questions that wait for that, of one token or address.
  package var waitingQuestions = 8
  /// Wrong tokens from one address within a minute before it is refused.
  package var wrongTokens = 10
}
