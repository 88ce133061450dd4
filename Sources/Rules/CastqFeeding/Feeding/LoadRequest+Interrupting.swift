package import CastProtocol

extension LoadRequest {
  /// The load of a list that interrupts another load. Of the first item the load's own fields count, not the item's (protocol
  /// 21.14).
  package init(interruptingWith items: [MediaQueueItem], startTime: MediaTime?) {
    let first = items.first
    self.init(
      queueData: MediaQueueData(items: items, repeatMode: .off), autoplay: first?.autoplay,
      currentTime: startTime ?? first?.startTime, activeTrackIDs: first?.activeTrackIDs)
  }
}
