import CastqText

/// Sites whose addresses are pages with a film behind them, which only a resolver finds.
enum VideoSite {
  /// Hosts that belong together; those below them belong to the site, too.
  private static let sites = [
    ["youtube.com", "youtu.be"], ["vimeo.com"], ["dailymotion.com", "dai.ly"], ["twitch.tv"], ["tiktok.com"],
  ]

  static func isPage(_ address: WebAddress) -> Bool { hosts(of: address) != nil }

  /// Why an address is refused, with the line of the configuration that would have it played.
  static func refusal(_ address: WebAddress) -> TextError {
    let hosts = hosts(of: address) ?? []
    return TextError(
      "\(TerminalText.excerpt(address.text, limit: 200)) is a page of a video site, and no resolver is configured for it",
      hint:
        "install yt-dlp, and add to the configuration: resolvers: [{match: [\(hosts.joined(separator: ", "))], run: yt-dlp}]"
    )
  }

  private static func hosts(of address: WebAddress) -> [String]? {
    sites.first { site in site.contains { (try? AddressPattern($0))?.matches(address) == true } }
  }
}
