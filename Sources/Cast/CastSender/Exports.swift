// The media model and the errors are part of the interface of the sender.
@_exported public import CastProtocol
