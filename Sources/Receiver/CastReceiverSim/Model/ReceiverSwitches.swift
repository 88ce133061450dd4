/// Open points of the platform (protocol 3, 5).
package struct PlatformSwitches: Sendable {
  /// The member of GET_DEVICE_INFO that holds a device's capabilities: sources disagree (protocol 5.10).
  package enum CapabilityName: String, Sendable, CaseIterable {
    case code = "deviceCapabilities"
    case table = "capabilities"
  }

  /// Whether CONNECT with protocol versions is answered by CONNECTED (openscreen; consumer firmware is silent, protocol 3.1).
  package var answersConnect = false
  /// How the device answers an authentication challenge; by default with an error, for it has no credentials (protocol 2).
  package var authentication = SimAuthentication.internalError
  /// Whether LAUNCH of the running application relaunches it, as old firmware does; otherwise it joins (protocol 5.4).
  package var relaunches = false
  /// Whether STOP is answered with a status of its own; otherwise only the broadcast follows (openscreen, protocol 5.6).
  package var answersStop = true
  /// Whether a new level unmutes; not all devices do (protocol 5.7).
  package var levelUnmutes = false
  /// Whether statuses of video devices report isActiveInput and isStandBy; newer firmware omits them (protocol 5.2).
  package var tellsInput = true
  /// Whether the members of a group follow its volume, and its level is their mean (protocol 5.9).
  package var membersFollow = true
  package var capabilityName = CapabilityName.code
  /// GET_APP_AVAILABILITY's answers for these ids, whatever runs; senders must tolerate unknown words (protocol 5.3).
  package var availability: [String: String] = [:]
}

/// Open points of playback (protocol 6, 12.5, 21).
package struct MediaSwitches: Sendable {
  /// Which media without an end carry liveSeekableRange (protocol 12.5).
  package enum LiveRange: String, Sendable, CaseIterable {
    case none, manifests, all
  }

  /// The command bits of statuses by default: 15 on the oldest receivers (protocol 6.7).
  package var commands = 12_303
  /// Whether requests whose command bit is missing are refused with NOT_SUPPORTED (protocol 6.7).
  package var enforcesCommands = false
  /// Whether `playbackDuration` of an item ends it early. Measured: ignored (protocol 21.7).
  package var honoursPlaybackDuration = false
  /// Whether a failed LOAD sends LOAD_FAILED first and IDLE/ERROR after it, not the other way round (protocol 6.4).
  package var loadFailedComesFirst = true
  /// Whether the ERROR of a failed queue item carries its detailedErrorCode. Measured: it does not (protocol 21.6).
  package var itemErrorsCarryCodes = false
  /// Time after which an unavailable manifest fails (protocol 21.20).
  package var manifestFailureDelay = Duration.milliseconds(2500)
  /// Whether a request id that the same sender has used before is refused (protocol 6.6).
  package var refusesRepeatedRequestIDs = false
  /// Whether that refusal is spelt DUPLICATE_REQUESTID, as on the older page (protocol 6.6).
  package var spellsRepeatedOldWay = false
  /// Whether a request that needs a media session is answered with INVALID_PLAYER_STATE without one, as documented. Measured:
  /// INVALID_REQUEST with INVALID_MEDIA_SESSION_ID (protocol 21.11).
  package var refusesByPlayerState = false
  /// Whether the LOADING status carries the LOAD's number, as on some 2026 Android TV firmware (protocol 21.17).
  package var numbersLoadingStatus = false
  /// Whether only the requester sees the number of its request, and all see the same status with number 0, as documented (6.1).
  /// Measured: everybody sees the number (protocol 21.21).
  package var repliesApart = false
  package var liveRange = LiveRange.manifests
  /// Length of the seekable window of endless media in seconds; nil for all since the start (protocol 12.5).
  package var liveWindow: Double?
  /// Position of the live edge when endless media are loaded, in seconds.
  package var liveEdge = 0.0
  /// Seconds during which a file of unknown length grows, with 40 full statuses a second; 0 for known at once (protocol 21.15).
  package var growingTime = 0.0
  /// Addresses for media named by `entity` alone; others are refused, as the Default Media Receiver does (protocol 6.8, 7.2).
  package var entities: [String: String] = [:]
  /// Whether a textTrackStyle is merged with the one before; otherwise it replaces it (recording `tracks` shows one only).
  package var mergesTextStyle = false
  /// Whether an item that breaks off is reported as ERROR twice, the second time with the id of the item that plays next. Measured:
  /// it is (protocol 21.22).
  package var errorsNameNextItem = true
  /// Whether a status reports the next item as IDLE after a buffering item is left. Measured: it does (protocol 21.23).
  package var interruptsNextItem = true
  /// Whether QUEUE_LOAD waits for a load, as everything does but LOAD. Measured: it does (protocol 21.26).
  package var queueLoadsWait = true
  /// Time without data after which the device abandons a fetch. Measured: never, which is nil (protocol 21.26).
  package var fetchPatience: Duration?
  /// Whether what is no film and no sound fails as it loads, as it does on a device: text, an empty file, an mp4 without the index of its
  /// tracks. By itself the simulator plays whatever it can fetch, so that tests need no media.
  package var refusesJunk = false
  /// Whether STORE_SESSION and RESUME_SESSION work, as the commands report (protocol 6.9, 14.7). The recorded receiver lacks them.
  package var transfersSessions = false
}

/// Open points of queues (protocol 7, 21).
package struct QueueSwitches: Sendable {
  /// Whether commands include next and previous, as on newer receivers. Measured: they do not (recordings, protocol 6.7).
  package var announcesCommands = false
  /// Whether QUEUE_GET_ITEM_RANGE is answered. Measured: refused (protocol 21.8).
  package var answersItemRanges = false
  /// Whether next and previous past an end are refused with END_OF_QUEUE (protocol 6.6). Measured: they end it (protocol 21.13).
  package var refusesPastEnd = false
  /// Whether a QUEUE_UPDATE shuffle restarts playback with the item at the current index. Measured: it does (protocol 21.9).
  package var shuffleRestarts = true
  /// Whether QUEUE_SHUFFLE, and the shuffle when a queue repeats, send QUEUE_CHANGE. Measured: they do not (recording `queue`).
  package var announcesShuffles = false
  /// Whether QUEUE_UPDATE keeps the members of an item that it does not name; otherwise they are removed (protocol 7.5).
  package var mergesItems = false
}

/// Open points of ad breaks (protocol 9).
package struct AdSwitches: Sendable {
  /// How a clip that cannot be played is reported (protocol 6.6).
  package enum FailedClip: String, Sendable, CaseIterable {
    /// As ERROR 104 with the id of the film, which plays all the same. Measured (protocol 21.22).
    case film
    /// As ERROR 901.
    case clip
    /// Not at all: the clip is passed over.
    case silent
  }

  /// Whether breaks are played at all; not known of every Default Media Receiver.
  package var playsBreaks = true
  /// Whether watched breaks are played again, as with the receiver's option playWatchedBreak.
  package var playsWatchedBreaks = false
  /// Whether a break within a second after a pre-roll is dropped.
  package var dropsAfterPreRoll = true
  package var failedClips = FailedClip.film
  /// Whether a film with breaks of its own has no text tracks, whatever is requested. Measured: it has none (protocol 21.24).
  package var breaksHideTracks = true
  /// Whether SEEK during a break takes effect after it. Measured: refused (recording `breaks`).
  package var defersSeeks = false
  /// Whether breakStatus has numberBreakClips, as on other receivers.
  package var countsClips = false
  /// Whether breakClips has only the current and the next clip during a break, as documented.
  package var trimsClips = false
  /// Whether embedded breaks that are not expanded are excluded from the content's time and length.
  package var hidesCollapsedBreaks = true
}

/// Open points of custom channels (protocol 16).
package struct ChannelSwitches: Sendable {
  /// How a message in a namespace that the application does not list is treated.
  package enum Unlisted: String, Sendable, CaseIterable {
    case close
    case drop
    /// INVALID_REQUEST with INVALID_COMMAND (protocol 18, quirk 6).
    case refuse
  }

  package var unlisted = Unlisted.close
}

/// Open points of applications that show web pages (protocol 15).
package struct PageSwitches: Sendable {
  /// Time from the launch to “Application ready”; earlier messages are lost.
  package var readyDelay = Duration.milliseconds(500)
  /// Time after the last message at which it is closed, some ten minutes on smart displays; nil for never.
  package var idleTimeout: Duration?
  /// Whether the first launch of another application over it fails with CANCELLED.
  package var cancelsLaunch = false
}
