import CastReceiverSim
import CastSender
import NIOCore
import NIOPosix
import Testing

extension SampleTests {
  @Suite struct Discovery {
    @Test("a device is found by its name and by its identity, and the list tells what runs")
    func findsDevices() async throws {
      let free = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "0.0.0.0", port: 0).get()
      let port = try #require(free.localAddress?.port)
      try await free.close()
      try await SampleDevice.run { stage in
        try await stage.advertise(port: port)
        var options = showroomOptions()
        #expect(options.isPassive && options.interfaces == ["eth1"])
        options.interfaces = ["lo"]
        options.port = port
        let manager = DiscoveryManager(options: options)
        let list = DeviceList()
        manager.add(list)
        let device = try #require(await firstDevice(named: "Simulated", from: manager))
        #expect(device.endpoint == stage.device.endpoint)
        #expect(list.lines == ["Simulated receiver"])
        #expect(explanation(of: manager) == "")
        let id = try #require(device.uniqueID)
        let session = try #require(try await session(withScreen: id, from: manager))
        for await devices in manager.updates() where devices.first?.status == .busy { break }
        #expect(list.lines.first?.hasPrefix("Simulated receiver: ") == true)
        await session.leave()
        await manager.stopDiscovery()
      }
      var nowhere = DiscoveryOptions(interfaces: ["none0"])
      nowhere.port = port
      let lost = DiscoveryManager(options: nowhere)
      #expect(explanation(of: lost).contains("switched on"))
      let nobody = String(repeating: "f", count: 32)
      #expect(try await session(withScreen: "no id", from: lost) == nil)
      _ = await lost.findDevice(withUniqueID: nobody, timeout: .seconds(2))
      #expect(explanation(of: lost).contains("none0"))
    }
  }
}
