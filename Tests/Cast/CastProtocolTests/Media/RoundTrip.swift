import CastProtocol

/// One type of the media model: an object with every member it has, and the way through the type and back.
struct RoundTrip: Sendable, CustomStringConvertible {
  var description: String
  var text: String
  var through: @Sendable (JSONValue) -> JSONValue?

  static let all: [RoundTrip] = [
    RoundTrip(description: "Image", text: #"{"url":"http://h/1.jpg","width":640,"height":360}"#) {
      Image(json: $0)?.json
    },
    RoundTrip(
      description: "Volume", text: #"{"level":0.30000001192092896,"muted":false,"stepInterval":0.05}"#
    ) {
      Volume(json: $0)?.json
    },
    RoundTrip(description: "VideoInfo", text: #"{"width":1280,"height":720,"hdrType":"dv"}"#) {
      VideoInfo(json: $0)?.json
    },
    RoundTrip(
      description: "MediaLiveSeekableRange",
      text: #"{"start":1.5,"end":90,"isMovingWindow":true,"isLiveDone":false}"#
    ) { MediaLiveSeekableRange(json: $0)?.json },
    RoundTrip(
      description: "MediaExtendedStatus",
      text: #"{"playerState":"LOADING","mediaSessionId":4,"media":\#(smallMedia)}"#
    ) { MediaExtendedStatus(json: $0)?.json },
    RoundTrip(
      description: "VASTAdsRequest", text: #"{"adTagUrl":"http://h/vast.xml","adsResponse":"<VAST/>"}"#
    ) {
      VASTAdsRequest(json: $0)?.json
    },
    RoundTrip(
      description: "AdBreakStatus",
      text: #"""
        {"breakId":"b0","breakClipId":"c1","currentBreakTime":13.2,"currentBreakClipTime":3.2,
         "whenSkippable":5,"numberBreakClips":2}
        """#
    ) { AdBreakStatus(json: $0)?.json },
    RoundTrip(description: "AdBreakInfo", text: adBreak) { AdBreakInfo(json: $0)?.json },
    RoundTrip(description: "AdBreakClipInfo", text: clip) { AdBreakClipInfo(json: $0)?.json },
    RoundTrip(description: "AudioTrackInfo", text: audioTrack) { AudioTrackInfo(json: $0)?.json },
    RoundTrip(description: "MediaTrack", text: track) { MediaTrack(json: $0)?.json },
    RoundTrip(description: "MediaTextTrackStyle", text: style) { MediaTextTrackStyle(json: $0)?.json },
    RoundTrip(description: "UserActionState", text: #"{"userAction":"FLAG","customData":[1]}"#) {
      UserActionState(json: $0)?.json
    },
    RoundTrip(description: "MediaMetadata", text: metadata) { MediaMetadata(json: $0)?.json },
    RoundTrip(description: "MediaQueueContainerMetadata", text: container) {
      MediaQueueContainerMetadata(json: $0)?.json
    },
    RoundTrip(description: "MediaInformation", text: media) { MediaInformation(json: $0)?.json },
    RoundTrip(description: "MediaQueueItem", text: item) { MediaQueueItem(json: $0)?.json },
    RoundTrip(
      description: "MediaQueueData",
      text: #"""
        {"id":"q1","name":"Morning","description":"to wake up by","entity":"app://q1","queueType":"PODCAST_SERIES",
         "repeatMode":"REPEAT_ALL_AND_SHUFFLE","shuffle":true,"items":[\#(item)],"startIndex":1,"startTime":2.5,
         "containerMetadata":\#(container)}
        """#
    ) { MediaQueueData(json: $0)?.json },
  ]

  static let smallMedia = #"{"contentId":"http://h/a.mp4","contentType":"video/mp4","streamType":"LIVE"}"#
  static let adBreak = #"""
    {"id":"b9","breakClipIds":["c1","c2"],"position":-1,"duration":12.5,"isWatched":false,"isEmbedded":true,
     "expanded":true}
    """#
  static let clip = #"""
    {"id":"c1","title":"Soap","contentId":"x","contentUrl":"http://h/ad.m3u8","contentType":"application/x-mpegurl",
     "duration":15,"clickThroughUrl":"http://h/buy","posterUrl":"http://h/p.jpg","whenSkippable":0,
     "hlsSegmentFormat":"e_ac3","hlsVideoSegmentFormat":"mpeg2_ts","vastAdsRequest":{"adTagUrl":"http://h/v.xml"},
     "customData":{"k":[1,null]}}
    """#
  static let audioTrack = #"{"audioCodec":"mp4a.40.2","numAudioChannels":6,"isSpatialAudio":true}"#
  static let track = #"""
    {"trackId":2,"type":"TEXT","subtype":"CAPTIONS","trackContentId":"http://h/de.vtt","trackContentType":"text/vtt",
     "language":"de-CH","name":"Deutsch","roles":["main","forced_subtitle"],"isInband":false,
     "audioTrackInfo":\#(audioTrack),"customData":"own"}
    """#
  static let style = #"""
    {"fontScale":1.2,"foregroundColor":"#FFFF00","backgroundColor":"rgba(0,0,0,.5)","edgeType":"DROP_SHADOW",
     "edgeColor":"#11223344","windowType":"ROUNDED_CORNERS","windowColor":"","windowRoundedCornerRadius":8.5,
     "fontFamily":"Droid Sans","fontGenericFamily":"SMALL_CAPITALS","fontStyle":"BOLD_ITALIC","customData":{}}
    """#
  static let metadata = #"""
    {"metadataType":2,"seriesTitle":"S","title":"T","season":1,"episode":0,"originalAirdate":"2014-02-10",
     "images":[{"url":"http://h/1.jpg"}],"sectionDuration":60.5,"com.example.own":{"a":[null]},"thumb":"http://h/t"}
    """#
  static let container = #"""
    {"containerType":1,"title":"Book","containerDuration":3600.5,"containerImages":[{"url":"http://h/c.jpg"}],
     "sections":[{"metadataType":5,"chapterTitle":"One","chapterNumber":1,"sectionDuration":60}],
     "authors":["A","B"],"narrators":["N"],"publisher":"P","releaseDate":"20140210T154700Z"}
    """#
  static let media = #"""
    {"contentId":"id-1","contentUrl":"http://h/a.m3u8","contentType":"application/x-mpegurl","streamType":"BUFFERED",
     "duration":61.25,"metadata":\#(metadata),"tracks":[\#(track)],"textTrackStyle":\#(style),
     "breaks":[\#(adBreak)],"breakClips":[\#(clip)],"vmapAdsRequest":{"adsResponse":"<VMAP/>"},
     "hlsSegmentFormat":"ts_aac","hlsVideoSegmentFormat":"fmp4","mediaCategory":"IMAGE","startAbsoluteTime":1700000000.5,
     "entity":"app://1","atvEntity":"tv://1","userActionStates":[{"userAction":"LIKE"}],"customData":{"n":null}}
    """#
  static let item = #"""
    {"itemId":7,"media":\#(smallMedia),"autoplay":false,"startTime":1.5,"playbackDuration":-2,"preloadTime":20,
     "activeTrackIds":[1,-2],"orderId":3,"customData":{"mine":true}}
    """#
}
