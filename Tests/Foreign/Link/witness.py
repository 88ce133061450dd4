"""A foreign MQTT client that remembers what it hears."""

import json
import threading

import paho.mqtt.client as mqtt
from paho.mqtt.subscribeoptions import SubscribeOptions
from steps import PATIENCE


class Witness:
    """Connected from the beginning to the end of a block. Every message is kept, as (topic, text, retained)."""

    def __init__(self, port: int, *filters: str):
        self._changed = threading.Condition()
        self.messages: list[tuple[str, str, bool]] = []
        # Filters that the broker has not confirmed yet: what is published before it has may pass by.
        self._open = len(filters)
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.client.on_message = self._on_message
        self.client.on_connect = self._on_connect
        self.client.on_subscribe = self._on_subscribe
        self._filters = filters
        self._port = port

    def __enter__(self):
        self.client.connect("127.0.0.1", self._port)
        self.client.loop_start()
        self._wait(lambda: self._open <= 0, PATIENCE, "the broker did not accept the witness")
        return self

    def __exit__(self, *_):
        self.client.disconnect()
        self.client.loop_stop()

    def _on_connect(self, client, *_):
        for one in self._filters:
            client.subscribe(one, options=SubscribeOptions(qos=1))

    def _on_subscribe(self, *_):
        with self._changed:
            self._open -= 1
            self._changed.notify_all()

    def _on_message(self, _client, _data, message):
        with self._changed:
            self.messages.append((message.topic, message.payload.decode(errors="replace"), message.retain))
            self._changed.notify_all()

    def _wait(self, condition, limit: float, otherwise: str):
        with self._changed:
            if not self._changed.wait_for(condition, limit):
                raise AssertionError(f"{otherwise}; heard: {[m[:2] for m in self.messages[-8:]]}")

    def publish(self, topic: str, document, retain: bool = False):
        text = document if isinstance(document, str) else json.dumps(document)
        self.client.publish(topic, text, qos=1, retain=retain).wait_for_publish(PATIENCE)

    def mark(self) -> int:
        with self._changed:
            return len(self.messages)

    def wait_for(self, topic: str, accepts=lambda text: True, start: int = 0, limit: float = PATIENCE) -> str:
        """The first message at a topic from a mark on that is accepted."""
        found: list[str] = []

        def look() -> bool:
            found[:] = [text for place, text, _ in self.messages[start:] if place == topic and accepts(text)]
            return bool(found)

        self._wait(look, max(limit, PATIENCE), f"nothing fitting came at {topic}")
        return found[0]

    def wait_for_kept(self, count: int, limit: float = PATIENCE) -> int:
        """Waits until the broker has given so many topics that it keeps; returns how many there are."""
        def kept() -> int:
            return len({topic for topic, _, is_kept in self.messages if is_kept})

        self._wait(lambda: kept() >= count, limit, f"fewer than {count} topics are kept")
        return kept()

    def reply(self, topic: str, identity: str, start: int = 0) -> dict:
        return json.loads(self.wait_for(topic, lambda text: json.loads(text).get("id") == identity, start))
