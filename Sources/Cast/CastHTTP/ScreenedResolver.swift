import Dispatch
import NIOCore
import NIOPosix

/// Looks up one host for one connection. What the rule refuses is dropped here, so that what is connected to is what was judged.
final class ScreenedResolver: Resolver, Sendable {
  /// The rule refuses every address of the host.
  struct NothingPassed: Error {}
  private struct UnknownHost: Error {}

  private let four: EventLoopPromise<[SocketAddress]>
  private let six: EventLoopPromise<[SocketAddress]>
  private let lookup: AddressLookup
  private let screen: AddressScreen

  init(_ lookup: AddressLookup, _ screen: AddressScreen, on loop: any EventLoop) {
    (four, six) = (loop.makePromise(), loop.makePromise())
    (self.lookup, self.screen) = (lookup, screen)
  }

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { four.futureResult }

  /// Both families come from one question.
  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    DispatchQueue.global().async { [self] in
      guard let found = lookup.addresses(host) else {
        six.fail(UnknownHost())
        four.fail(UnknownHost())
        return
      }
      let passed = screen.passed(found)
      six.succeed(passed.filter { $0.protocol == .inet6 })
      four.succeed(passed.filter { $0.protocol == .inet })
    }
    return six.futureResult
  }

  /// The question cannot be withdrawn; its answer is not used.
  func cancelQueries() {}
}
