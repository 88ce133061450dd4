/// Open points of the platform (protocol 3, 5).
package struct PlatformSwitches: Sendable {
  /// Which name GET_DEVICE_INFO gives a device's capabilities: sources disagree (protocol 5.10).
  package enum CapabilityName: String, Sendable, CaseIterable {
    case code = "deviceCapabilities"
    case table = "capabilities"
  }

  /// CONNECT with protocol versions is answered by CONNECTED (openscreen; consumer firmware is silent, protocol 3.1).
  package var answersConnect = false
  /// How the device answers when it is asked who it is; by itself with an error, for want of credentials (protocol 2).
  package var authentication = SimAuthentication.internalError
  /// LAUNCH of the application that runs starts it anew, as old firmware does; otherwise it joins (protocol 5.4).
  package var relaunches = false
  /// STOP is answered with a status of its own; otherwise only the broadcast follows (openscreen, protocol 5.6).
  package var answersStop = true
  /// A new level unmutes; not on all devices (protocol 5.7).
  package var levelUnmutes = false
  /// Statuses of video devices tell isActiveInput and isStandBy; newer firmware leaves them out (protocol 5.2).
  package var tellsInput = true
  /// The members of a group follow its volume, and its level is their mean (protocol 5.9).
  package var membersFollow = true
  package var capabilityName = CapabilityName.code
  /// What GET_APP_AVAILABILITY says of these ids whatever runs; senders must bear unknown words (protocol 5.3).
  package var availability: [String: String] = [:]
}

/// Open points of playback (protocol 6, 12.5, 21).
package struct MediaSwitches: Sendable {
  /// Which media without an end carry liveSeekableRange (protocol 12.5).
  package enum LiveRange: String, Sendable, CaseIterable {
    case none, manifests, all
  }

  /// The bits that statuses show when nothing special is going on: 15 on the oldest receivers (protocol 6.7).
  package var commands = 12_303
  /// Requests whose command bit is missing are refused with NOT_SUPPORTED (protocol 6.7).
  package var enforcesCommands = false
  /// `playbackDuration` of an item ends it early. Measured: ignored (protocol 21.7).
  package var honoursPlaybackDuration = false
  /// A failed LOAD sends LOAD_FAILED first and IDLE/ERROR after it, not the other way round (protocol 6.4).
  package var loadFailedComesFirst = true
  /// The ERROR of a failed queue item carries its detailedErrorCode. Measured: it does not (protocol 21.6).
  package var itemErrorsCarryCodes = false
  /// Time after which a manifest that cannot be had fails (protocol 21.20).
  package var manifestFailureDelay = Duration.milliseconds(2500)
  /// A request id that the same sender has used before is refused (protocol 6.6).
  package var refusesRepeatedRequestIDs = false
  /// That refusal is spelt DUPLICATE_REQUESTID, as on the older page (protocol 6.6).
  package var spellsRepeatedOldWay = false
  /// What needs a media session is answered with INVALID_PLAYER_STATE when there is none, as documented. Measured:
  /// INVALID_REQUEST with INVALID_MEDIA_SESSION_ID (protocol 21.11).
  package var refusesByPlayerState = false
  /// The LOADING status carries the LOAD's number, as on some 2026 Android TV firmware (protocol 21.17).
  package var numbersLoadingStatus = false
  /// Only who asked sees the number of its request, everybody sees the same status with number 0, as documented (6.1).
  /// Measured: everybody sees the number (protocol 21.21).
  package var repliesApart = false
  package var liveRange = LiveRange.manifests
  /// How many seconds of endless media can be sought in; nil for all since the start (protocol 12.5).
  package var liveWindow: Double?
  /// Where the live edge of endless media is when they are loaded, in seconds.
  package var liveEdge = 0.0
  /// Seconds during which a file whose length nobody knew grows, with 40 full statuses a second; 0 for known at once
  /// (protocol 21.15).
  package var growingTime = 0.0
  /// Addresses for media named by `entity` alone; others are refused, as the Default Media Receiver does (protocol 6.8, 7.2).
  package var entities: [String: String] = [:]
  /// A textTrackStyle is joined with the one before; otherwise it replaces it (recording `tracks` shows one only).
  package var mergesTextStyle = false
  /// An item that breaks off in the middle is reported as ERROR twice, the second time with the id of the item that plays next.
  /// Measured: it is (protocol 21.22).
  package var errorsNameNextItem = true
  /// After an item that buffers is left, a status reports the next one as IDLE before it plays. Measured: it does (protocol 21.23).
  package var interruptsNextItem = true
  /// QUEUE_LOAD waits for what loads, as everything does but LOAD. Measured: it does (protocol 21.26).
  package var queueLoadsWait = true
  /// How long a media server may be silent before the device gives up. Measured: for ever, which is nil (protocol 21.26).
  package var fetchPatience: Duration?
  /// STORE_SESSION and RESUME_SESSION work, and the commands say so (protocol 6.9, 14.7). The recordings are of one where not.
  package var transfersSessions = false
}

/// Open points of queues (protocol 7, 21).
package struct QueueSwitches: Sendable {
  /// Commands tell of next and previous, as newer receivers do. Measured: they do not (recordings, protocol 6.7).
  package var announcesCommands = false
  /// QUEUE_GET_ITEM_RANGE is answered. Measured: refused (protocol 21.8).
  package var answersItemRanges = false
  /// Next and previous past an end are refused with END_OF_QUEUE (protocol 6.6). Measured: they end the queue (protocol 21.13).
  package var refusesPastEnd = false
  /// QUEUE_UPDATE shuffle starts the item anew that comes to the current place. Measured: it does (protocol 21.9).
  package var shuffleRestarts = true
  /// QUEUE_SHUFFLE, and the shuffle when a queue repeats, send QUEUE_CHANGE. Measured: they do not (recording `queue`).
  package var announcesShuffles = false
  /// QUEUE_UPDATE keeps the members of an item that it does not name; otherwise they are gone (protocol 7.5).
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
    /// Not at all: its moment just passes.
    case silent
  }

  /// Breaks are played at all; not known of every Default Media Receiver.
  package var playsBreaks = true
  /// Watched breaks are played again, as with the receiver's option playWatchedBreak.
  package var playsWatchedBreaks = false
  /// A break within a second after a pre-roll is dropped.
  package var dropsAfterPreRoll = true
  package var failedClips = FailedClip.film
  /// A film with breaks of its own has no text tracks, whatever is requested. Measured: so it is (protocol 21.24).
  package var breaksHideTracks = true
  /// SEEK during a break goes on at the target after it. Measured: refused (recording `breaks`).
  package var defersSeeks = false
  /// breakStatus tells numberBreakClips, as other receivers do.
  package var countsClips = false
  /// During a break only the clip that plays and the next one stand in breakClips, as documented.
  package var trimsClips = false
  /// Embedded breaks that are not expanded are left out of the content's time and length.
  package var hidesCollapsedBreaks = true
}

/// Open points of custom channels (protocol 16).
package struct ChannelSwitches: Sendable {
  /// What a message meets under a namespace that the application does not list.
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
  /// From the launch to “Application ready”; what it is told before is lost.
  package var readyDelay = Duration.milliseconds(500)
  /// Time after the last message at which it is closed, some ten minutes on smart displays; nil for never.
  package var idleTimeout: Duration?
  /// The first launch of another application over it fails with CANCELLED.
  package var cancelsLaunch = false
}
