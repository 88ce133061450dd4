import CastProtocol
import Testing

@Suite("Values of the media model")
struct MediaValueTests {
  @Test(
    "media is named by an address, an identifier or a deep link",
    arguments: [
      (
        MediaInformation(contentURL: "http://h/a", contentType: "video/mp4"),
        [
          "contentId": "http://h/a", "contentUrl": "http://h/a", "contentType": "video/mp4",
          "streamType": "BUFFERED",
        ],
        "http://h/a"
      ),
      (
        MediaInformation(contentID: "http://h/a", contentType: "video/mp4", streamType: .live),
        ["contentId": "http://h/a", "contentType": "video/mp4", "streamType": "LIVE"], "http://h/a"
      ),
      (
        MediaInformation(contentID: "id", contentURL: "http://h/a", contentType: nil),
        ["contentId": "id", "contentUrl": "http://h/a", "streamType": "BUFFERED"], "http://h/a"
      ),
      (
        MediaInformation(entity: "app://1", atvEntity: "tv://1"),
        ["entity": "app://1", "atvEntity": "tv://1", "streamType": "BUFFERED"], ""
      ),
    ] as [(MediaInformation, JSONValue, String)])
  func names(media: MediaInformation, json: JSONValue, url: String) {
    #expect(media.json == json)
    #expect(media.url == url)
    #expect(MediaInformation(json: json) == media)
  }

  @Test(
    "the −1 of a live stream is no length, and no length is not sent",
    arguments: [-1, -0.5, nil] as [JSONValue])
  func liveDuration(duration: JSONValue) {
    let media = MediaInformation(json: ["contentId": "x", "streamType": "LIVE", "duration": duration])
    #expect(media?.streamDuration == nil)
    #expect(media?.isLive == true)
    #expect(media?.json == ["contentId": "x", "streamType": "LIVE"])
    var endless = MediaInformation(contentID: "x", contentType: nil, streamType: .live)
    endless.streamDuration = MediaTime(seconds: .infinity)
    #expect(endless.json == media?.json)
  }

  @Test("a −1 on the wire is the absence of a length, wherever one stands")
  func noLengths() {
    let status = AdBreakStatus(json: ["breakId": "b", "whenSkippable": -1])
    #expect(status != nil && status?.whenSkippable == nil && status?.timeUntilSkippable == nil)
    let clip = AdBreakClipInfo(json: ["id": "c", "duration": -1, "whenSkippable": -1])
    #expect(clip != nil && clip?.duration == nil && clip?.whenSkippable == nil)
    let adBreak = AdBreakInfo(json: ["id": "b", "duration": -1])
    #expect(adBreak != nil && adBreak?.duration == nil)
    let item = MediaQueueItem(json: ["preloadTime": -1, "playbackDuration": -1])
    #expect(item?.preloadTime == nil)
    #expect(item?.playbackDuration == -1, "it ends so long before its end (protocol 7.3)")
    #expect(MediaQueueContainerMetadata(json: ["containerDuration": -1])?.containerDuration == nil)
  }

  @Test("formats of HLS are read in any case and written in small letters")
  func hlsFormats() {
    #expect(HLSSegmentFormat(word: "TS_AAC") == .tsAAC)
    #expect(HLSSegmentFormat(word: "Fmp4") == .fmp4)
    #expect(HLSSegmentFormat.eac3.word == "e_ac3")
    #expect(HLSVideoSegmentFormat(word: "MPEG2_ts") == .mpeg2TS)
    #expect(HLSVideoSegmentFormat(word: "mpeg2ts") == .unknown("mpeg2ts"))
    #expect(MediaStreamType(word: "buffered") == .buffered)
    #expect(MediaStreamType(word: "lıve") == .unknown("lıve"))
  }

  @Test(
    "a colour is read from its text, and an odd text is kept",
    arguments: [
      ("#FF8000", [1, 128.0 / 255, 0, 1]), ("#00000080", [0, 0, 0, 128.0 / 255]),
      ("#ffffffFF", [1, 1, 1, 1]),
      ("#FFF", nil), ("#GG0000", nil), ("FF0000FF", nil), ("#FF00000", nil), ("#FF0000FF0", nil), ("", nil),
      ("#", nil), ("#漢漢", nil), ("red", nil),
    ] as [(String, [Double]?)])
  func colors(text: String, components: [Double]?) {
    let color = MediaTextTrackStyle.Color(css: text)
    let parts = color.map { [$0.red, $0.green, $0.blue, $0.alpha].compactMap(\.self) }
    #expect(parts == components)
    let kept = MediaTextTrackStyle.Color(text: text)
    #expect(kept.isValid == (components != nil))
    #expect(MediaTextTrackStyle(json: ["edgeColor": .string(text)])?.json == ["edgeColor": .string(text)])
    if components == nil { #expect(kept.with(alpha: 0) == kept && kept.canonical == kept) }
  }

  @Test("components of a colour are cut to 0 and 1")
  func colorComponents() {
    typealias Color = MediaTextTrackStyle.Color
    #expect(Color(red: 1, green: 0.5, blue: 0).text == "#FF8000FF")
    #expect(Color(red: -1, green: .nan, blue: .infinity, alpha: 2).text == "#0000FFFF")
    #expect(Color.black.with(alpha: 0.5).text == "#00000080")
    #expect(Color(text: "#ff00aa").canonical == "#FF00AAFF")
    #expect(MediaTextTrackStyle.standard.json["foregroundColor"] == "#FFFFFFFF")
    #expect(MediaTextTrackStyle.standard.json["windowType"] == "NONE")
  }

  @Test(
    "commands are the bits of protocol 6.7",
    arguments: [
      (.pause, 1), (.seek, 2), (.setVolume, 4), (.toggleMute, 8), (.skipForward, 16), (.skipBackward, 32),
      (.queueNext, 64), (.queuePrevious, 128), (.queueShuffle, 256), (.skipAd, 512), (.queueRepeatAll, 1024),
      (.queueRepeatOne, 2048), (.queueRepeat, 3072), (.editTracks, 4096), (.setPlaybackRate, 8192),
      (.allBasicMedia, 12_303), (.like, 16_384), (.dislike, 32_768), (.follow, 65_536), (.unfollow, 131_072),
      (.streamTransfer, 262_144),
    ] as [(MediaCommand, Int)])
  func commands(command: MediaCommand, bits: Int) {
    #expect(command.rawValue == bits)
    var status = MediaStatus(mediaSessionID: MediaSessionID(1))
    #expect(!status.isMediaCommandSupported(command))
    status.supportedMediaCommands = MediaCommand(rawValue: bits | 1 << 30)
    #expect(status.isMediaCommandSupported(command))
    status.supportedMediaCommands.remove(command)
    #expect(status.supportedMediaCommands.rawValue == 1 << 30)
  }

  @Test("clips of ads say where they come from, and when they may be skipped")
  func ads() {
    let clip = AdBreakClipInfo(
      identifier: "c", contentURL: "http://h/ad", contentType: "video/mp4", whenSkippable: 5)
    #expect(
      clip.json == [
        "id": "c", "contentId": "http://h/ad", "contentUrl": "http://h/ad", "contentType": "video/mp4",
        "whenSkippable": 5,
      ])
    #expect(clip.url == "http://h/ad")
    let named = AdBreakClipInfo(identifier: "c", vastAdsRequest: VASTAdsRequest(adTagURL: "http://h/v"))
    #expect(named.json == ["id": "c", "vastAdsRequest": ["adTagUrl": "http://h/v"]] && named.url == nil)
    #expect(AdBreakStatus(currentClipTime: 3.5, whenSkippable: 5).timeUntilSkippable == 1.5)
    #expect(AdBreakStatus(currentClipTime: 9, whenSkippable: 5).timeUntilSkippable == 0)
    #expect(AdBreakStatus(currentClipTime: 9).timeUntilSkippable == nil)
    #expect(AdBreakStatus(json: [:]) == nil)
  }

  @Test("a picture is 4K, HD or HDR by its numbers")
  func videoInfo() {
    #expect(VideoInfo(width: 3840, height: 1600).is4K && VideoInfo(width: 1214, height: 2160).is4K)
    #expect(!VideoInfo(width: 3839, height: 2159).is4K && VideoInfo(width: 1280, height: 534).isHD)
    #expect(!VideoInfo(width: 854, height: 480).isHD)
    #expect(VideoInfo(width: 1, height: 1, hdrType: .dolbyVision).isHDR)
    #expect(!VideoInfo(width: 1, height: 1).isHDR && !VideoInfo(width: 1, height: 1, hdrType: .sdr).isHDR)
  }
}
