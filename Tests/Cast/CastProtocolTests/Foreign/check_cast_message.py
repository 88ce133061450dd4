#!/usr/bin/env python3
"""Reads frames of the Cast channel as hexadecimal lines and tells, with the protobuf runtime, what is in them.

For every input line there is one JSON line: the fields, and under "frames" two frames of the runtime's own making with
the same content: a plain one, and one as a later version of the format could write it (fields in reverse order, unknown
fields in between). A frame that the runtime refuses gives {"error": "..."}.

Needs the package `protobuf`; the message is described at run time, so no generated file goes with this script.
"""
import json
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

FieldType = descriptor_pb2.FieldDescriptorProto


def message_class():
    file = descriptor_pb2.FileDescriptorProto(name="cast.proto", package="cast", syntax="proto2")
    message = file.message_type.add(name="CastMessage")
    for name, values in (("ProtocolVersion", 4), ("PayloadType", 2)):
        enum = message.enum_type.add(name=name)
        for number in range(values):
            enum.value.add(name=f"{name.upper()}_{number}", number=number)
    for number, name, kind, label, type_name in (
        (1, "protocol_version", FieldType.TYPE_ENUM, FieldType.LABEL_REQUIRED, ".cast.CastMessage.ProtocolVersion"),
        (2, "source_id", FieldType.TYPE_STRING, FieldType.LABEL_REQUIRED, None),
        (3, "destination_id", FieldType.TYPE_STRING, FieldType.LABEL_REQUIRED, None),
        (4, "namespace", FieldType.TYPE_STRING, FieldType.LABEL_REQUIRED, None),
        (5, "payload_type", FieldType.TYPE_ENUM, FieldType.LABEL_REQUIRED, ".cast.CastMessage.PayloadType"),
        (6, "payload_utf8", FieldType.TYPE_STRING, FieldType.LABEL_OPTIONAL, None),
        (7, "payload_binary", FieldType.TYPE_BYTES, FieldType.LABEL_OPTIONAL, None),
        (8, "continued", FieldType.TYPE_BOOL, FieldType.LABEL_OPTIONAL, None),
        (9, "remaining_length", FieldType.TYPE_UINT32, FieldType.LABEL_OPTIONAL, None),
    ):
        message.field.add(name=name, number=number, type=kind, label=label, type_name=type_name)
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("cast.CastMessage"))


CastMessage = message_class()


def framed(body):
    return (len(body).to_bytes(4, "big") + body).hex()


def later_version(message):
    """The same content as a newer sender might put it on the wire."""
    parts = [b"\x50\x96\x01", b"\x7a\x03new", b"\x81\x01" + bytes(8), b"\x8d\x01" + bytes(4)]
    for descriptor, value in reversed(message.ListFields()):
        part = CastMessage()
        setattr(part, descriptor.name, value)
        parts.append(part.SerializePartialToString())
        parts.append(b"\x50\x00")
    return b"".join(parts)


def describe(frame):
    message = CastMessage()
    length = int.from_bytes(frame[:4], "big")
    if length != len(frame) - 4:
        raise ValueError(f"the prefix says {length} bytes, there are {len(frame) - 4}")
    message.ParseFromString(frame[4:])
    if not message.IsInitialized():
        raise ValueError("a required field is missing")
    return {
        "version": message.protocol_version,
        "source": message.source_id,
        "destination": message.destination_id,
        "namespace": message.namespace,
        "type": message.payload_type,
        "text": message.payload_utf8 if message.HasField("payload_utf8") else None,
        "binary": message.payload_binary.hex() if message.HasField("payload_binary") else None,
        "chunk": message.continued or message.remaining_length > 0,
        "frames": [framed(message.SerializeToString()), framed(later_version(message))],
    }


def main():
    for line in sys.stdin:
        try:
            answer = describe(bytes.fromhex(line.strip()))
        except Exception as error:  # whatever the runtime refuses is an answer, not a failure of the check
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
