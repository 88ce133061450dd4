package import CastSender
package import CastqFeeding

/// What the program that feeds says of every device, by its command line and its environment. It overrides the configuration.
package struct FeedOptions: Sendable {
  /// How long calls of a device may take; one that may have moved is called at two addresses in that time.
  package var session = SessionOptions()
  /// Locates a device that is not at its known address; nil always calls the same address.
  package var resolver: (any DeviceResolver)?
  /// What the device must prove, looked up for each session; nil uses the session's options.
  package var trust: LedgerTrust?
  /// How programs are run that find out what is behind a page; shared by the runners of a process.
  package var links = LinkPrograms()
  /// Until when anything may be sent to devices; nil is without end.
  package var lease: LeaseTerm?
  /// The epoch of this box; nil is one that shares its devices with none.
  package var epoch: Int?
  /// The media application; nil leaves it to the configuration.
  package var receiverApplicationID: String?
  /// The address at which devices reach local files; nil leaves it to the configuration.
  package var advertised: AdvertisedAddress?

  package init() {}
}
