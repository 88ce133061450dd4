// The words in which receivers report these (protocol 5.2, 5.7).

extension DeviceVolume {
  package var json: JSONValue {
    .members([
      "level": JSONValue(level), "muted": .bool(isMuted), "controlType": controlType?.json,
      "stepInterval": JSONValue(stepInterval),
    ])
  }
}

extension ApplicationMetadata {
  package var json: JSONValue {
    .members([
      "appId": .string(applicationID), "universalAppId": JSONValue(universalApplicationID),
      "displayName": JSONValue(displayName), "statusText": JSONValue(statusText),
      "namespaces": .array(namespaces.sorted().map { ["name": .string($0)] }),
      "sessionId": .string(sessionID.rawValue), "transportId": JSONValue(transportID?.rawValue),
      "isIdleScreen": .bool(isIdleScreen), "iconUrl": JSONValue(iconURL),
    ])
  }
}

extension ReceiverStatus {
  package var json: JSONValue {
    .members([
      "applications": .array(applications.map(\.json)), "volume": volume?.json,
      "isActiveInput": JSONValue(isActiveInput), "isStandBy": JSONValue(isStandBy),
    ])
  }
}
