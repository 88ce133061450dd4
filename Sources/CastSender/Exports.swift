// Whoever imports the sender means the media model and the errors as well.
@_exported public import CastProtocol
