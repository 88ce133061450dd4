import CastGuard
import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

/// The configuration file of the daemon.
@Suite struct ConfigurationReaderTests {
  private static func zone(_ name: String) throws(TextError) -> TimeZoneRules {
    guard name == "Etc/Nowhere" else { throw TextError("no \(name)", hint: "look for it in the atlas") }
    return TimeZoneRules()
  }

  private func read(_ text: String) throws -> DaemonConfiguration {
    // One zone is known, and in it nothing is ever ahead of UTC.
    try ConfigurationReader.read(Array(text.utf8), file: "config.yaml", zone: Self.zone).get()
  }

  @Test("commands that name a device go by the addresses of the file, whatever else is wrong in it")
  func addresses() throws {
    func read(_ text: String) -> Result<[DaemonConfiguration.Named], ConfigurationError> {
      ConfigurationReader.readDevices(Array(text.utf8), file: "c")
    }
    let text =
      "nonsense: 3\ndevices: {hall: {address: tv.example, volume: loud}, bar: {volume: 3}, foyer: null}"
    let devices = try read(text).get()
    #expect(devices.map(\.name) == ["hall"])
    #expect(devices.first?.rules.address == DeviceEndpoint(host: "tv.example", port: 8009))
    #expect(try read("").get().isEmpty && read("devices:").get().isEmpty)
    #expect(throws: ConfigurationError.self) { try read("devices: {hall: {address: [1]}}").get() }
    #expect(throws: ConfigurationError.self) { try read("devices: {-x: {address: tv.example}}").get() }
  }

  @Test("programs are found, switched off, or a file")
  func programs() throws {
    let programs = try read("programs: {ffprobe: off, ffmpeg: /opt/ffmpeg/ffmpeg}").programs
    #expect(programs.ffprobe == .off && programs.ffmpeg == .path("/opt/ffmpeg/ffmpeg"))
    #expect(try read("programs:").programs == ProgramChoices())
    #expect(ProgramChoices().ffprobe == .installed)
  }

  @Test("what may be converted, how much of it is kept, where, and when")
  func preparation() throws {
    let text = """
      prepare: {allow: audio, on_demand: remux, budget: 1.5TB, folder: /srv/cache, hours: ["01:00-05:00"]}
      defaults: {plays_as: Chromecast Ultra}
      devices: {lobby: {plays_as: Google TV Streamer}}
      """
    let configuration = try read(text)
    let rules = configuration.preparation
    #expect(rules.onDemand == .remux && PreparationRules().onDemand == .off)
    #expect(rules.allow == .audio && rules.budget == 1_500_000_000_000 && rules.folder == "/srv/cache")
    #expect(rules.hours.map(\.start) == [60])
    #expect(configuration.standard.playsAs == "Chromecast Ultra")
    #expect(configuration.rules(for: ["lobby"]).playsAs == "Google TV Streamer")
    #expect(try read("prepare: {allow: off}").preparation.allow == .off)
    #expect(try read("prepare: {live: off}").preparation.isLive == false && PreparationRules().isLive)
    #expect(PreparationRules().budget == 20_000_000_000 && PreparationRules().allow == .video)
  }

  @Test("the faces have a style, an introduction, a controller that opens, and commands a default device")
  func faces() throws {
    let text =
      "{style: {light: {tint: \"#112233\"}}, introduction: off, open_controller: casting, default_device: 12}"
    let configuration = try read(text)
    #expect(configuration.face.style == ["light": ["tint": "#112233"]])
    #expect(!configuration.face.showsIntroduction && configuration.face.opensController)
    #expect(configuration.defaultDevice == "12")
    let usual = DaemonConfiguration()
    #expect(usual.face.style == nil && usual.face.showsIntroduction && !usual.face.opensController)
    #expect(try read("introduction: once\nopen_controller: asked") == usual)
    // Another key with a mistake does not matter to those who ask for the device alone.
    let named = ConfigurationReader.readDefaultDevice(
      Array("devices: 3\ndefault_device: lobby".utf8), file: "c")
    #expect(try named.get() == "lobby")
    #expect(try ConfigurationReader.readDefaultDevice([], file: "c").get() == nil)
    let refused = ConfigurationReader.read(
      Array("\nstyle: {}".utf8), file: "config.yaml", checkStyle: { _ in "no such colour" })
    #expect { try refused.get() } throws: { "\($0)".contains("config.yaml:2:8: no such colour") }
  }

  @Test("a device has a list and a place; both are of one device, and mean the same wherever castq starts")
  func lists() throws {
    let rules = try read("devices: {lobby: {list: /srv/lobby.m3u, address: 192.0.2.7:8010}}").rules(for: [
      "lobby"
    ])
    #expect(rules.list == "/srv/lobby.m3u" && rules.address == DeviceEndpoint(host: "192.0.2.7", port: 8010))
    #expect(
      try read("devices: {lobby: {list: \"https://example.com/a.m3u\"}}").devices.first?.rules.address == nil)
    for (text, place) in [
      ("devices: {lobby: {list: lobby.m3u}}", "1:25: `lobby.m3u` is not an absolute path"),
      ("devices: {lobby: {list: [a]}}", "1:25: a list is not a list"),
      ("devices: {lobby: {address: \"a b\"}}", "1:28: `a b` is not an address"),
      ("devices: {\"a\\tb\": {address: 192.0.2.7}}", "1:11: `a b` is no name for a device"),
      ("devices: {\(String(repeating: "x", count: 201)): {address: 192.0.2.7}}", "1 to 200 bytes"),
      ("defaults: {list: /srv/a.m3u}", "1:12: `list` is of one device"),
      ("defaults: {address: lobby}", "1:12: `address` is of one device"),
    ] {
      #expect { try read(text) } throws: { "\($0)".contains(place) }
    }
    // A key without an address may be what the network calls the device.
    let long = String(repeating: "x", count: 201)
    #expect(try read("devices: {\(long): {guests: never}}").devices.map(\.name) == [long])
  }

  @Test("lists on the web are read again each five minutes, as often as it says, or never")
  func refresh() throws {
    #expect(DaemonConfiguration().refresh == .seconds(300))
    #expect(try read("refresh: 1m").refresh == .seconds(60) && read("refresh: off").refresh == nil)
    for (text, words) in [
      ("refresh: 0.5s", "too often"), ("refresh: soon", "is not a duration"), ("refresh: [1]", "1:10"),
    ] {
      #expect { try read(text) } throws: { "\($0)".contains(words) }
    }
  }

  @Test("the site has a zone of its own, or that of the computer")
  func siteZone() throws {
    #expect(try read("timezone: Etc/Nowhere").siteZone?.text == "Etc/Nowhere")
    #expect(try read("timezone: local").siteZone == nil && DaemonConfiguration().siteZone == nil)
  }

  @Test(
    "quiet hours go by the site's clocks, wherever those stand in the file, unless they have a zone of their own"
  )
  func quietZone() throws {
    let text = "devices: {lobby: {time_zone: local}, hall: {volume: 5}}\ndefaults: {volume: 4}\n"
    let configuration = try read(text + "timezone: Etc/Nowhere\n")
    #expect(configuration.standard.zone != nil && configuration.rules(for: ["hall"]).zone != nil)
    #expect(configuration.rules(for: ["lobby"]).zone == nil)
    for other in ["", "timezone: local\n"] {
      #expect(
        try read(text + other).standard.zone == nil && read(text + other).rules(for: ["hall"]).zone == nil)
    }
  }

  @Test("the site's zone is read from a file with other mistakes in it")
  func zoneAlone() throws {
    func zone(_ text: String) throws -> String? {
      try ConfigurationReader.readSiteZone(Array(text.utf8), file: "config.yaml", zone: Self.zone).get()?.text
    }
    #expect(try zone("timezone: Etc/Nowhere\ndefaults: {volume: loud}\n") == "Etc/Nowhere")
    #expect(try zone("timezone: local\n") == nil && zone("defaults: {}\n") == nil && zone("") == nil)
    #expect { try zone("timezone: Europe/Berlim\n") } throws: { "\($0)".contains("config.yaml:1:11: ") }
  }

  @Test(
    "an empty file, one of comments and one of empty parts change nothing",
    arguments: ["", "# nothing\n", "daemon:\ndevices:\n", "{}"])
  func empty(_ text: String) throws {
    #expect(try read(text) == DaemonConfiguration())
  }

  @Test("every key is read, and a device has what the defaults say where it says nothing")
  func everything() throws {
    let configuration = try read(
      """
      devices:
        Lobby:
          guests: never
          quiet_hours: {times: [], show: application}
          quiet_volume: off
          time_zone: local
          advertise: auto
        fa55f00d-0000-4000-8000-00000000abcd: {volume: keep, quiet_volume: 5, advertise: "[2001:db8::7]:80"}
      defaults:
        guests: lease 5m
        volume: 40
        quiet_volume: 10
        time_zone: Etc/Nowhere
        on_error: retry 3
        page_application: 5c517dac
        quiet_hours: ["22:00-07:00", "12:00-13:30"]
      daemon:
        on_exit: stop
      media_port: 8011
      advertise: 192.0.2.10:8012
      """)
    #expect(configuration.mediaPort == 8011)
    #expect(configuration.standard.advertised?.description == "192.0.2.10:8012")
    #expect(configuration.rules(for: ["lobby"]).advertised == nil)
    #expect(configuration.onExit == .stop)
    #expect(configuration.standard.onError == .retry(3))
    #expect(configuration.standard.pageApplication == "5C517DAC")
    #expect(configuration.standard.receiverApplication == nil)
    #expect(configuration.standard.guests == .lease(.seconds(300)))
    #expect(configuration.standard.volume == 0.4)
    #expect(configuration.standard.quietHours.map(\.start) == [1320, 720])
    let lobby = configuration.rules(for: ["Television", "lobby"])
    #expect(lobby.guests == .never)
    #expect(lobby.volume == 0.4)
    #expect(lobby.quietHours.isEmpty && lobby.quietShow == .application)
    #expect(configuration.standard.quietShow == .backdrop)
    #expect(lobby.quietVolume == nil)
    #expect(lobby.zone == nil)
    #expect(configuration.standard.zone == TimeZoneRules())
    let other = configuration.rules(for: ["hall", "fa55f00d00004000800000000000abcd"])
    #expect(other.volume == nil)
    #expect(other.advertised?.host == "2001:db8::7" && other.advertised?.port == 80)
    #expect(other.quietVolume == 0.05)
    #expect(other.guests == .lease(.seconds(300)))
    #expect(configuration.rules(for: ["nobody"]) == configuration.standard)
  }

  @Test("people browse the folders of the library, else those of `mpd`")
  func library() throws {
    for (text, folders) in [
      ("library: {folders: [/srv/media/, /srv/more]}", ["/srv/media", "/srv/more"]),
      ("mpd: {folders: /srv/music}", ["/srv/music"]), ("library:", []),
      ("mpd: {folders: /srv/music}\nlibrary: {folders: /srv/media}", ["/srv/media"]),
    ] {
      let configuration = try ConfigurationReader.read(Array(text.utf8), file: "c.yaml").get()
      #expect(configuration.mediaFolders == folders)
    }
  }

  @Test("places that may be asked whoever names them: one, several, by names and numbers of both families")
  func allowedLocal() throws {
    for (text, places) in [
      ("allow_local: 127.0.0.1:8000", ["127.0.0.1:8000"]),
      ("allow_local: [\"[::1]:80\", NAS.lan:8080]", ["[::1]:80", "nas.lan:8080"]), ("allow_local:", []),
    ] {
      let configuration = try ConfigurationReader.read(Array(text.utf8), file: "c.yaml").get()
      #expect(configuration.allowedLocal.map(\.description) == places)
      let alone = Array("\(text)\ndaemons: {}".utf8)
      #expect(
        try ConfigurationReader.readAllowedLocal(alone, file: "c.yaml").get().map(\.description) == places)
    }
  }

  @Test(
    "each mistake is told with its place and a way out",
    arguments: [
      ("daemon: {on_exit: fade}", "1:19", "leave or stop"),
      ("timezone: Europe/Berlim", "1:11", "no Europe/Berlim; look for it in the atlas"),
      ("timezone: [UTC]", "1:11", "or local"),
      ("time_zone: UTC", "1:1", "write `timezone`: all times of the site go by it, quiet hours too"),
      ("defaults: {timezone: UTC}", "1:12", "write `time_zone` for quiet hours by other clocks"),
      ("library: {folders: media}", "1:20", "/srv/media"),
      ("library: {folder: /srv/media}", "1:11", "did you mean `folders`?"),
      ("library: {folders: [/a/m, /b/m]}", "1:27", "told apart by their last names"),
      ("media_port: 0", "1:13", "1 to 65535"), ("media_port: http", "1:13", "1 to 65535"),
      ("media_port: 65536", "1:13", "1 to 65535"), ("media_port:", "1:1", "1 to 65535"),
      ("advertise: http://192.0.2.10/", "1:12", "192.0.2.10:8011"), ("advertise: [1]", "1:12", "or auto"),
      ("devices: {a: {advertise: 0.0.0.0}}", "1:26", "192.0.2.10:8011"),
      ("allow_local: 127.0.0.1", "1:14", "127.0.0.1:8000"),
      ("allow_local: [\"127.0.0.1:80\", localhost]", "1:31", "nas.lan:80"),
      ("allow_local: [true]", "1:15", "127.0.0.1:8000"), ("allow_local: [{a: 1}]", "1:15", "127.0.0.1:8000"),
      ("allow_local: [\"127.0.0.1:65536\"]", "1:15", "127.0.0.1:8000"),
      ("allow_local: [\"http://127.0.0.1:80/\"]", "1:15", "127.0.0.1:8000"),
      ("daemons: {}", "1:1", "did you mean `daemon`?"),
      ("defaults:\n  geusts: never", "2:3", "did you mean `guests`?"),
      ("defaults:\n  guests: sometimes", "2:11", "never, always or lease 10m"),
      ("defaults: {guests: lease 0}", "1:20", "lease 10m"),
      ("defaults: {guests: [never]}", "1:20", "lease 10m"),
      ("defaults: {volume: 101}", "1:20", "maximum is 100"),
      ("defaults: {volume: \"+5\"}", "1:20", "0 to 100"),
      ("defaults: {volume: true}", "1:20", "0 to 100, or keep"),
      ("defaults: {quiet_volume: keep}", "1:26", "or off"),
      ("defaults: {quiet_hours: {show: off}}", "1:32", "application or backdrop"),
      ("defaults: {time_zone: Europe/Berlim}", "1:23", "in the atlas"),
      ("defaults: {time_zone: 1}", "1:23", "local"),
      ("defaults:\n  quiet_hours: [\"22:00-07:00\", \"25:00-07:00\"]", "2:32", "22:00-07:00"),
      ("defaults: {quiet_hours: 22}", "1:25", "22:00-07:00"),
      ("defaults: {quiet_hours: \"07:00-07:00\"}", "1:25", "00:00-24:00"),
      ("defaults: {on_error: retry 0}", "1:22", "skip, stop or retry 3"),
      ("programs: {ffprobe: ffprobe}", "1:21", "/usr/local/bin/ffprobe"),
      ("programs: {ffmpeg: [a]}", "1:20", "/usr/local/bin/ffprobe"),
      ("programs: {mpv: off}", "1:12", "ffmpeg"),
      ("prepare: {allow: all}", "1:18", "off, remux, audio or video"),
      ("prepare: {budget: 20}", "1:19", "20GB"),
      ("prepare: {budget: -1GB}", "1:19", "20GB"), ("prepare: {folder: cache}", "1:19", "/var/cache/castq"),
      ("prepare: {hours: 1}", "1:18", "22:00-07:00"),
      ("defaults: {plays_as: [a]}", "1:22", "Chromecast Ultra"),
      ("defaults: {page_application: a/b}", "1:30", "5C517DAC"),
      ("receiver_application: a/b", "1:23", "not an application ID"),
      ("devices: [lobby]", "1:10", "lobby"),
      ("devices: {lobby: never}", "1:18", "key: value"),
      ("- daemon", "1:1", "key: value"),
      ("resolvers: yt-dlp", "1:12", "{match: example.org, run: yt-dlp}"),
      ("resolvers: [yt-dlp]", "1:13", "{match: example.org, run: yt-dlp}"),
      ("resolvers:\n  - {match: a.org}", "2:5", "`run`"), ("resolvers:\n  - {run: yt-dlp}", "2:5", "`match`"),
      ("resolvers: [{match: [], run: x}]", "1:21", "1 to 100"),
      ("resolvers: [{match: a?b, run: x}]", "1:21", "without user"),
      ("resolvers: [{match: a.org, run: bin/x}]", "1:33", "whole path"),
      ("resolvers: [{match: a.org, run: x y}]", "1:33", "no shell"),
      ("resolvers: [{match: a.org, run: []}]", "1:33", "a path"),
      ("resolvers: [{match: a.org, run: x, time: 0}]", "1:42", "30s"),
      ("resolvers: [{match: a.org, run: x, time: 11m}]", "1:42", "10 min"),
      ("resolvers: [{match: a.org, rnu: x}]", "1:28", "did you mean `run`?"),
      ("daemon: {on_exit: leave}\ndaemon: {}", "2:1", ""),
      ("defaults: {volume: 10", "1:", ""),
    ])
  func mistakes(_ text: String, _ place: String, _ words: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try read(text) }
    #expect(error.description.hasPrefix("config.yaml:\(place)"), "\(error)")
    #expect(error.description.contains(words), "\(error)")
  }

  @Test(
    "the application that plays media is one for all devices, for those without their own, or a device's own")
  func receiverApplication() throws {
    let configuration = try read(
      """
      receiver_application: ecec0001
      devices: {lobby: {receiver_application: AAAA0002}}
      """)
    #expect(configuration.rules(for: ["hall"]).receiverApplication == "ECEC0001")
    #expect(configuration.rules(for: ["lobby"]).receiverApplication == "AAAA0002")
    let both = try read("{receiver_application: AAAA0001, defaults: {receiver_application: AAAA0002}}")
    #expect(both.standard.receiverApplication == "AAAA0002")
  }

  @Test(
    "resolvers are read in their order, with one host or several, and a program with arguments or without")
  func resolvers() throws {
    let rules = try read(
      """
      resolvers:
        - match: [youtube.com, youtu.be]
          run: yt-dlp
        - {match: "radio.example:8000", run: [/usr/local/bin/find, --best, 3], time: 1m}
      """
    ).resolvers.rules
    #expect(rules.map(\.command) == [["yt-dlp"], ["/usr/local/bin/find", "--best", "3"]])
    #expect(rules.map(\.time) == [.seconds(30), .seconds(60)])
    #expect(rules.map(\.patterns.count) == [2, 1])
    #expect(rules.map(\.isYtDlp) == [true, false])
    #expect(try read("resolvers:").resolvers == ResolverRules())
  }

  @Test("several mistakes are one line that counts them")
  func several() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try read("defaults: {volume: 101, guests: x}\ndaemon: {on_exit: y}")
    }
    #expect(error.issues.count == 3)
    #expect(error.description.hasSuffix("(and 2 more)"))
    #expect(!error.description.contains("\n"))
  }

  @Test(
    "hostile files are refused, not believed",
    arguments: [("[", 100_000), ("a: b\n", 300_000), ("\u{0}\u{1}", 1), ("a: &x [1,2]\nb: *y", 1)])
  func hostile(_ piece: String, times: Int) {
    #expect(throws: ConfigurationError.self) { try read(String(repeating: piece, count: times)) }
  }

  @Test(
    "quiet hours go by the clock, also across midnight",
    arguments: [
      ("22:00-07:00", "21:59", false), ("22:00-07:00", "22:00", true), ("22:00-07:00", "00:00", true),
      ("22:00-07:00", "06:59", true), ("22:00-07:00", "07:00", false), ("12:30-13:00", "12:45", true),
      ("12:30-13:00", "13:00", false), ("00:00-24:00", "23:59", true), ("22:00-00:00", "23:59", true),
      ("22:00-00:00", "00:00", false), ("9:00 - 10:00", "09:30", true),
    ])
  func quietHours(_ hours: String, _ clock: String, _ isQuiet: Bool) throws {
    var time = CivilTime(year: 2026, month: 11, day: 21)
    let fields = clock.split(separator: ":").compactMap { Int($0) }
    (time.hour, time.minute, time.second) = (fields[0], fields[1], 59)
    #expect(try QuietHours(hours).contains(time) == isQuiet)
  }

  @Test("quiet hours go by the zone they are given, else by the computer's")
  func zones() {
    var rules = DeviceRules()
    let noon = WallTime(milliseconds: 43_200_000)
    #expect(rules.clock(at: noon, localOffset: { _ in 7200 }).hour == 14)
    rules.zone = TimeZoneRules()
    #expect(rules.clock(at: noon, localOffset: { _ in 7200 }).hour == 12)
  }

  @Test("in quiet hours nothing plays, or it plays as loud as is wanted then")
  func loudness() throws {
    var night = CivilTime(year: 2026, month: 11, day: 21)
    night.hour = 23
    var day = night
    day.hour = 12
    var rules = DeviceRules()
    rules.volume = 0.6
    rules.quietHours = [try QuietHours("22:00-07:00")]
    #expect(rules.isSilent(at: night))
    #expect(!rules.isSilent(at: day))
    rules.quietVolume = 0.1
    #expect(!rules.isSilent(at: night))
    #expect(rules.volume(at: night) == 0.1)
    #expect(rules.volume(at: day) == 0.6)
  }
}
