"""Ports for programs that do not say which one the system gave them."""

import random
import socket

# Those of connections, and of listeners that ask for any, begin at 32768: nobody else is given these meanwhile.
_untried = iter(random.sample(range(10240, 32768), 2000))


def free_port() -> int:
    for port in _untried:
        with socket.socket() as place:
            try:
                place.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")
