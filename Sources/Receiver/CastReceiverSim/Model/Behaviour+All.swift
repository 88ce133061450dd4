import CastProtocol

extension Behaviour {
  /// All behaviours; the points themselves are explained in `ReceiverConfiguration`.
  package static let all: [Behaviour] = platform + media + queue + ads + channels + pages

  private static let platform: [Behaviour] = [
    flag("answers-connect", "answers CONNECT with CONNECTED") { $0.platform.answersConnect = $1 },
    word("authentication", "how it answers when it is asked who it is") { $0.platform.authentication = $1 },
    flag("relaunches", "starts an application that runs anew when it is launched again") {
      $0.platform.relaunches = $1
    },
    flag("answers-stop", "answers STOP itself, and not only by the broadcast; on by itself") {
      $0.platform.answersStop = $1
    },
    flag("level-unmutes", "a new level of the device's volume unmutes it") { $0.platform.levelUnmutes = $1 },
    flag("tells-input", "statuses tell isActiveInput and isStandBy, on by itself") {
      $0.platform.tellsInput = $1
    },
    flag("members-follow", "members follow the volume of their group, on by itself") {
      $0.platform.membersFollow = $1
    },
    word("capability-name", "what GET_DEVICE_INFO calls the capabilities") {
      $0.platform.capabilityName = $1
    },
  ]

  private static let media: [Behaviour] = [
    number("commands", "BITS", "supportedMediaCommands at rest", in: 0...2_147_483_647) {
      $0.media.commands = Int(bounded: $1)
    },
    flag("enforces-commands", "refuses requests whose command bit is missing") {
      $0.media.enforcesCommands = $1
    },
    flag("honours-playback-duration", "ends items after their playbackDuration") {
      $0.media.honoursPlaybackDuration = $1
    },
    flag("load-failed-first", "sends LOAD_FAILED before IDLE/ERROR, on by itself") {
      $0.media.loadFailedComesFirst = $1
    },
    flag("item-error-codes", "tells why an item of a queue failed") { $0.media.itemErrorsCarryCodes = $1 },
    number("manifest-failure-delay", "SECONDS", "time until a manifest fails", in: 0...3600) {
      $0.media.manifestFailureDelay = .bounded(seconds: $1)
    },
    flag("refuses-repeated-ids", "refuses a request number used before") {
      $0.media.refusesRepeatedRequestIDs = $1
    },
    flag("old-repeated-word", "spells that DUPLICATE_REQUESTID") { $0.media.spellsRepeatedOldWay = $1 },
    flag("player-state-errors", "answers INVALID_PLAYER_STATE as documented") {
      $0.media.refusesByPlayerState = $1
    },
    flag("numbers-loading", "gives the LOADING status the number of its LOAD") {
      $0.media.numbersLoadingStatus = $1
    },
    flag("replies-apart", "shows request numbers to the asker alone") { $0.media.repliesApart = $1 },
    word("live-range", "which endless media tell liveSeekableRange") { $0.media.liveRange = $1 },
    number("live-window", "SECONDS", "how far back endless media go", in: 0...1_000_000_000) {
      $0.media.liveWindow = $1
    },
    number("live-edge", "SECONDS", "where endless media are when loaded", in: 0...1_000_000_000) {
      $0.media.liveEdge = $1
    },
    number("growing-time", "SECONDS", "a storm of statuses for files of unknown length", in: 0...3600) {
      $0.media.growingTime = $1
    },
    flag("merges-text-style", "joins a textTrackStyle with the one before") { $0.media.mergesTextStyle = $1 },
    flag("errors-name-next", "sends ERROR of a broken item again with the next one's id, on by itself") {
      $0.media.errorsNameNextItem = $1
    },
    flag("interrupts-next", "tells the item after one that buffers IDLE before it plays, on by itself") {
      $0.media.interruptsNextItem = $1
    },
    flag("queue-loads-wait", "lets QUEUE_LOAD wait for what loads, on by itself") {
      $0.media.queueLoadsWait = $1
    },
    number("media-patience", "SECONDS", "gives up a silent media server; never by itself", in: 0...1_000_000)
    {
      $0.media.fetchPatience = .bounded(seconds: $1)
    },
    flag("refuses-junk", "fails text, empty files and an mp4 without its index, as devices do") {
      $0.media.refusesJunk = $1
    },
    flag("transfers-sessions", "knows STORE_SESSION and RESUME_SESSION") { $0.media.transfersSessions = $1 },
    Behaviour(name: "video", value: "4k-hdr", help: "the picture that statuses tell of, WIDTHxHEIGHT-RANGE") {
      $0.video = VideoPicture(parsing: $1)
      return $0.video != nil
    },
  ]

  private static let queue: [Behaviour] = [
    flag("queue-commands", "tells of next and previous among the commands") {
      $0.queue.announcesCommands = $1
    },
    flag("item-ranges", "answers QUEUE_GET_ITEM_RANGE") { $0.queue.answersItemRanges = $1 },
    flag("end-of-queue", "refuses to go past the end of a queue") { $0.queue.refusesPastEnd = $1 },
    flag("shuffle-restarts", "QUEUE_UPDATE shuffle starts another item, on by itself") {
      $0.queue.shuffleRestarts = $1
    },
    flag("announces-shuffles", "sends QUEUE_CHANGE after every shuffle") { $0.queue.announcesShuffles = $1 },
    flag("merges-items", "QUEUE_UPDATE keeps what it does not name of an item") { $0.queue.mergesItems = $1 },
    number("items-before", "N", "items before the current one in a status", in: 0...5000) {
      $0.itemsBefore = Int(bounded: $1)
    },
    number("items-after", "N", "items after the current one in a status", in: 0...5000) {
      $0.itemsAfter = Int(bounded: $1)
    },
    number("items-per-answer", "N", "most items in one QUEUE_ITEMS", in: 0...5000) {
      $0.itemsPerAnswer = Int(bounded: $1)
    },
  ]

  private static let ads: [Behaviour] = [
    flag("plays-breaks", "plays ad breaks at all, on by itself") { $0.ads.playsBreaks = $1 },
    flag("plays-watched-breaks", "plays watched breaks again") { $0.ads.playsWatchedBreaks = $1 },
    flag("drops-after-pre-roll", "drops a break right after the first one, on by itself") {
      $0.ads.dropsAfterPreRoll = $1
    },
    word("failed-clips", "how it tells of a clip that fails: as ERROR 104 of the film, by itself, or as 901")
    {
      $0.ads.failedClips = $1
    },
    flag("breaks-hide-tracks", "shows no subtitles of films with breaks, on by itself") {
      $0.ads.breaksHideTracks = $1
    },
    flag("defers-seeks", "lets SEEK wait for the end of a break") { $0.ads.defersSeeks = $1 },
    flag("counts-clips", "breakStatus tells numberBreakClips") { $0.ads.countsClips = $1 },
    flag("trims-clips", "shows two clips at most during a break") { $0.ads.trimsClips = $1 },
    flag("hides-collapsed-breaks", "counts embedded breaks only when expanded, on by itself") {
      $0.ads.hidesCollapsedBreaks = $1
    },
  ]

  private static let channels: [Behaviour] = [
    word("unlisted-namespace", "what a message meets where nobody listens") { $0.channels.unlisted = $1 }
  ]

  private static let pages: [Behaviour] = [
    number("page-ready", "SECONDS", "time until DashCast listens; 0.5 by itself", in: 0...3600) {
      $0.pages.readyDelay = .bounded(seconds: $1)
    },
    number("page-idle", "SECONDS", "DashCast is closed that long after the last message", in: 0...1_000_000) {
      $0.pages.idleTimeout = .bounded(seconds: $1)
    },
    flag("page-cancels-launch", "the first launch over DashCast fails with CANCELLED") {
      $0.pages.cancelsLaunch = $1
    },
  ]
}
