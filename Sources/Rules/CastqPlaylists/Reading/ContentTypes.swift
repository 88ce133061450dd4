import CastProtocol
import CastqText

/// MIME types by file extension; a wrong type is the most common cause of a refused load (protocol 12.2).
package struct ContentTypes: Sendable, Hashable {
  private var types: [String: String]

  /// Types by lower-case extension without a dot.
  package init(_ types: [String: String]) { self.types = types }

  /// Those of media that devices play.
  package static let standard = ContentTypes(MediaNameTypes.byEnding)

  /// Types of files that castq converts (protocol 12.1). An address with such a name is sent as a film, because castq cannot convert it and
  /// the device may play it nevertheless.
  private static let convertible = [
    // The same container as MP4, by other names.
    "mov": "video/mp4", "qt": "video/mp4", "3gp": "video/mp4", "3g2": "video/mp4", "f4v": "video/mp4",
    "mts": "video/mp2t", "mk3d": "video/x-matroska", "ogm": "video/ogg", "ogx": "video/ogg",
    "avi": "video/x-msvideo", "divx": "video/x-msvideo", "wmv": "video/x-ms-wmv", "asf": "video/x-ms-asf",
    "flv": "video/x-flv", "mpg": "video/mpeg", "mpeg": "video/mpeg", "vob": "video/mpeg", "m2v": "video/mpeg",
    "mxf": "video/x-mxf", "nut": "video/x-nut", "dv": "video/dv", "rm": "video/vnd.rn-realvideo",
    "rmvb": "video/vnd.rn-realvideo", "wma": "audio/x-ms-wma", "aif": "audio/aiff", "aiff": "audio/aiff",
    "aifc": "audio/aiff", "ac3": "audio/ac3", "eac3": "audio/ac3", "dts": "audio/vnd.dts",
    "ape": "audio/x-ape",
    "wv": "audio/x-wavpack", "tta": "audio/x-tta", "mp2": "audio/mpeg", "amr": "audio/amr",
    "au": "audio/basic",
    "caf": "audio/x-caf",
  ]

  /// A web page, for an application of its own (protocol 15).
  package static let page = "text/html"

  package static let hls = "application/x-mpegurl"
  package static let dash = "application/dash+xml"
  package static let smoothStreaming = "application/vnd.ms-sstr+xml"

  /// Whether media of this type are a manifest, and pieces that it names.
  static func isInPieces(_ type: String) -> Bool { [hls, dash, smoothStreaming].contains(type) }

  /// The type for an extension in any case; nil when it is unknown.
  package func type(fileExtension: String) -> String? { types[fileExtension.lowercased()] }

  /// The type for the path of a local file, also one that castq converts; nil when the name is unknown.
  package func fileType(path: String) -> String? {
    type(path: path) ?? Self.convertible[FilePath.fileExtension(of: path).lowercased()]
  }

  /// The type for the path of an address or file; nil when the name is unknown.
  package func type(path: String) -> String? {
    // The directory identifies Smooth Streaming: `…/film.ism/Manifest`.
    let parts = path.lowercased().utf8.split(separator: UInt8(ascii: "/")).suffix(2).map {
      String(Substring($0))
    }
    if parts.count == 2, parts[1] == "manifest",
      ["ism", "isml"].contains(FilePath.fileExtension(of: parts[0]))
    {
      return Self.smoothStreaming
    }
    return type(fileExtension: FilePath.fileExtension(of: path))
  }

  /// The type of a text track by its extension; nil when neither receivers nor castq know it (protocol 10.1).
  package static func textTrackType(fileExtension: String) -> String? {
    SubtitleFormat.endings[fileExtension.lowercased()]?.contentType
  }

  /// `video`, `audio`, `image` or `application`.
  package static func family(of type: String) -> String {
    String(Substring(type.utf8.prefix { $0 != UInt8(ascii: "/") })).lowercased()
  }

  /// Whether the text has the form of a MIME type, parameters allowed.
  package static func isWellFormed(_ type: String) -> Bool {
    let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }
    let parts = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isVisible = type.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return isVisible && type.utf8.count <= 255 && parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { byte in
            PercentEncoding.isAlphanumeric(byte) || "!#$&-^_.+".utf8.contains(byte)
          }
      }
  }
}
