import CastqText

/// `mpd:` of the configuration.
extension ConfigurationReader {
  private enum MPDKey: String, CaseIterable { case listen, devices, password, folders, playlists }

  mutating func mpd(_ node: DocumentNode) -> MPDRules {
    var rules = MPDRules()
    for (key, value) in fields(node, of: "`mpd`", as: MPDKey.self) {
      switch key {
      case .listen: rules.listen = mpdListen(value)
      case .devices: rules.devices = mpdDevices(value)
      case .password:
        rules.alwaysAsksForPassword = isAlways(
          value,
          TextError(
            "`password` is always or auto",
            hint: FaceWords(
              typed:
                "auto asks for none where only this computer can connect; passwords are tokens of 'castq web token'",
              paged: nil)))
      case .folders: rules.folders = folders(value)
      case .playlists: rules.playlists = folder(value)
      }
    }
    return rules
  }

  private mutating func mpdListen(_ node: DocumentNode) -> MPDListen? {
    value(node) { () throws(TextError) in try MPDListen(node.string ?? "") }
  }

  private mutating func mpdDevices(_ node: DocumentNode) -> [MPDRules.Named] {
    guard let members = node.mapping else {
      report(
        node.place,
        TextError("`devices` says where clients reach each device", hint: "write lobby: 127.0.0.1:6601"))
      return []
    }
    return members.compactMap { member in
      mpdListen(member.value).map { MPDRules.Named(name: member.key, listen: $0) }
    }
  }

  /// One folder, or a list of them, no two of one name.
  mutating func folders(_ node: DocumentNode) -> [String] {
    var names: Set<String> = []
    return (node.list ?? [node]).compactMap { one in
      guard let path = folder(one) else { return nil }
      guard names.insert(FilePath.name(of: path)).inserted else {
        report(
          one.place,
          TextError(
            "two folders are called \(TerminalText.excerpt(FilePath.name(of: path)))",
            hint: "they are told apart by their last names: link one of them by another name"))
        return nil
      }
      return path
    }
  }

  private mutating func folder(_ node: DocumentNode) -> String? {
    guard let path = node.string, path.hasPrefix("/"), path != "/" else {
      report(node.place, TextError("this is no absolute path", hint: "write it as in /srv/media"))
      return nil
    }
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
