/// One message of the Cast channel: source, destination, namespace and payload (protocol 1.3).
package struct CastMessage: Sendable, Hashable {
  /// The payload. All namespaces used here are JSON text, except device authentication.
  package enum Payload: Sendable, Hashable {
    case string(String)
    case binary([UInt8])
  }

  package var source: EndpointID
  package var destination: EndpointID
  package var namespace: Namespace
  package var payload: Payload

  package init(source: EndpointID, destination: EndpointID, namespace: Namespace, payload: Payload) {
    self.source = source
    self.destination = destination
    self.namespace = namespace
    self.payload = payload
  }

  /// A JSON message.
  package init(source: EndpointID, destination: EndpointID, namespace: Namespace, json: JSONValue) {
    self.init(source: source, destination: destination, namespace: namespace, payload: .string(json.text))
  }
}
