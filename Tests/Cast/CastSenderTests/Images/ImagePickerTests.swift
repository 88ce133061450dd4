import CastProtocol
import Testing

@testable import CastSender

@Suite struct ImagePickerTests {
  private static let sizes: [(Int?, Int?)] = [
    (100, 50), (nil, nil), (400, 300), (200, 100), (200, 100), (50, 400), (0, 9), (.max, 1), (1000, nil),
  ]
  private static let images = sizes.enumerated().map { Image(url: "\($0)", width: $1.0, height: $1.1) }

  @Test("the first picture is Google's choice, whatever is wanted")
  func first() {
    let hints = ImageHints(kind: .background, wantedSize: PixelSize(width: 400, height: 300))
    #expect(FirstImagePicker().image(from: Self.images, hints: hints)?.url == "0")
    #expect(FirstImagePicker().image(from: MediaMetadata(images: []), hints: hints) == nil)
  }

  @Test(
    "the best fit is the smallest that is large enough, else the largest, and of equals the first",
    arguments: [
      (80, 50, "0"), (100, 50, "0"), (101, 50, "3"), (200, 101, "2"), (50, 301, "5"), (5000, 5000, "7"),
      (.max, .max, "7"), (-1, 0, "0"),
    ])
  func bestFit(width: Int, height: Int, url: String) {
    let hints = ImageHints(wantedSize: PixelSize(width: width, height: height))
    #expect(BestFitImagePicker().image(from: Self.images, hints: hints)?.url == url)
  }

  @Test("without a wanted size the largest is best; unknown sizes are taken when there are no others")
  func unknown() {
    let picker = BestFitImagePicker()
    #expect(picker.image(from: MediaMetadata(images: Self.images), hints: ImageHints())?.url == "7")
    let unknown = [Self.images[1], Self.images[8]]
    #expect(
      picker.image(from: unknown, hints: ImageHints(wantedSize: PixelSize(width: 1, height: 1)))?.url == "1")
    #expect(picker.image(from: unknown + [Self.images[0]], hints: ImageHints())?.url == "0")
    #expect(picker.image(from: [], hints: ImageHints()) == nil)
  }

  @Test(
    "a picture's kind and size are told by its bytes",
    arguments: [
      (Picture.png(64, 32), ImageFormat.png, PixelSize(width: 64, height: 32)),
      (Picture.gif, .gif, PixelSize(width: 320, height: 240)),
      (Picture.bmp, .bmp, PixelSize(width: 320, height: 240)),
      (Picture.jpeg, .jpeg, PixelSize(width: 320, height: 240)),
      (Picture.webpLossy, .webp, PixelSize(width: 320, height: 240)),
      (Picture.webpLossless, .webp, PixelSize(width: 320, height: 240)),
      (Picture.webpExtended, .webp, PixelSize(width: 320, height: 240)),
    ])
  func sniffing(bytes: [UInt8], format: ImageFormat, size: PixelSize) {
    #expect(ImageFormat(sniffing: bytes) == format)
    #expect(format.size(of: bytes) == size)
    // Cut off anywhere, it has no size or the right one, and nothing crashes.
    for count in 0..<bytes.count {
      let part = Array(bytes.prefix(count))
      let told = ImageFormat(sniffing: part)?.size(of: part)
      #expect(told == nil || told == size)
    }
  }

  @Test(
    "what is no picture is none",
    arguments: ["", "<svg xmlns=", "<!DOCTYPE html>", "BM is a car maker", "RIFF1234WAVE", "\u{89}PNG"])
  func noPicture(text: String) {
    #expect(ImageFormat(sniffing: Array(text.utf8)) == nil)
  }
}
