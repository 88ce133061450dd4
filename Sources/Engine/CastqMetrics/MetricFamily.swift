/// A family of the text that Prometheus reads: a name, and what its samples are.
package struct MetricFamily: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable { case counter, gauge, histogram }

  package let name: String
  package let kind: Kind
  /// One sentence for people.
  package let help: String
  /// The upper bounds of a histogram, ascending and without infinity; empty for others.
  package let buckets: [Double]

  package init(_ name: String, _ kind: Kind, _ help: String, buckets: [Double] = []) {
    (self.name, self.kind, self.help, self.buckets) = (name, kind, help, buckets)
  }
}

/// Every family that castq has. The names are fixed: what is not here is not counted.
package enum MetricCatalogue {
  package static let buildInfo = "castq_build_info"
  package static let deviceUp = "castq_device_up"
  package static let reconnects = "castq_device_reconnects_total"
  package static let darkSeconds = "castq_dark_seconds_total"
  package static let plays = "castq_plays_total"
  package static let playSeconds = "castq_play_seconds_total"
  package static let gapSeconds = "castq_gap_seconds"
  package static let loadSeconds = "castq_load_seconds"
  package static let lateness = "castq_schedule_lateness_seconds"
  package static let queueEntries = "castq_queue_entries"
  package static let mediaRequests = "castq_media_requests_total"
  package static let mediaBytes = "castq_media_bytes_total"
  package static let storeWrites = "castq_store_write_seconds"
  package static let subscribers = "castq_event_subscribers"
  package static let dropped = "castq_events_dropped_total"
  package static let guests = "castq_guests"
  package static let guestsMost = "castq_guests_max"
  package static let reserve = "castq_reserved_fds"

  package static let all: [MetricFamily] = [
    MetricFamily(buildInfo, .gauge, "Always 1; the version of castq is a label."),
    MetricFamily(deviceUp, .gauge, "Whether the device answers: 1, or 0 since the connection was lost."),
    MetricFamily(reconnects, .counter, "Connections with devices that were regained, by why they were lost."),
    MetricFamily(
      darkSeconds, .counter, "Seconds in which nothing of the list was on the screen, though it was due."),
    MetricFamily(plays, .counter, "Plays that have ended, by outcome and by what the outcome rests on."),
    MetricFamily(playSeconds, .counter, "Seconds of media that were played, without pauses."),
    MetricFamily(
      gapSeconds, .histogram, "From the last frame of a play to the first frame of the next one.",
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30]),
    MetricFamily(
      loadSeconds, .histogram, "From sending a load to a device to its first frame.",
      buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30, 60]),
    MetricFamily(
      lateness, .histogram, "From the planned instant of a rule to the decision that put it on the screen.",
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300]),
    MetricFamily(queueEntries, .gauge, "Entries in all queues, by state."),
    MetricFamily(
      mediaRequests, .counter, "Requests of devices for local files, by the status of the answer."),
    MetricFamily(mediaBytes, .counter, "Bytes of local files that devices were sent."),
    MetricFamily(
      storeWrites, .histogram, "How long a transaction took until it was on disk.",
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
    MetricFamily(subscribers, .gauge, "Who follows events: streams of the page, watchers of the daemon."),
    MetricFamily(
      dropped, .counter, "Changes that a slow follower of events did not get one by one, but only the latest."
    ),
    MetricFamily(
      guests, .gauge, "Connections of each kind of guest: who fetches local files, who gives commands."),
    MetricFamily(
      guestsMost, .gauge, "The most connections of each kind of guest, by the limit of descriptors."),
    MetricFamily(reserve, .gauge, "Descriptors that no guest can take: for devices and the database."),
    MetricFamily("process_cpu_seconds_total", .counter, "Processor time of the daemon, in seconds."),
    MetricFamily("process_resident_memory_bytes", .gauge, "Memory of the daemon that is in use."),
    MetricFamily("process_virtual_memory_bytes", .gauge, "Address space of the daemon."),
    MetricFamily("process_open_fds", .gauge, "Descriptors that the daemon has open."),
    MetricFamily("process_max_fds", .gauge, "Descriptors that the daemon may have open."),
    MetricFamily("process_start_time_seconds", .gauge, "When the daemon started, in seconds since 1970."),
  ]
}
