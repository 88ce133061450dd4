import CastqStore

/// A device with a runner.
struct FedDevice {
  let device: KnownDevice
  let run: DeviceFeeder.Run
}
