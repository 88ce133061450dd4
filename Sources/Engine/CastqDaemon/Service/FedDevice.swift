import CastqStore

/// A device with a runner, or whose screen is being cleared by one.
struct FedDevice {
  let device: KnownDevice
  let run: DeviceFeeder.Run
  let feeder: DeviceFeeder
}
