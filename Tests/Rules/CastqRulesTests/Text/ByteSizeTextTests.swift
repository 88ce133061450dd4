import CastqText
import Testing

/// Sizes as people write and read them.
struct ByteSizeTextTests {
  @Test(
    "a size is a number with a unit",
    arguments: [
      ("20GB", 20_000_000_000), ("500 MB", 500_000_000), ("1.5tb", 1_500_000_000_000),
      ("2GiB", 2_147_483_648),
      ("0B", 0), (".5kB", 500),
    ])
  func read(text: String, bytes: Int) throws { #expect(try ByteSizeText.bytes(text) == bytes) }

  @Test(
    "anything else is refused",
    arguments: ["", "20", "GB", "-1GB", "1e3GB", "20 XB", "9999999999TB", "1.2.3GB", "+1GB", "∞GB"])
  func refused(text: String) { #expect(throws: TextError.self) { try ByteSizeText.bytes(text) } }

  @Test(
    "a size is told with three digits at most",
    arguments: [
      (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (12_345, "12 kB"), (1_400_000_000, "1.4 GB"),
      (-5, "0 bytes"), (Int.max, "9223372 TB"),
    ])
  func words(bytes: Int, text: String) { #expect(ByteSizeText.words(bytes) == text) }
}
