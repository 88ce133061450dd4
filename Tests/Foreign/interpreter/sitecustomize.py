"""Loaded by every Python that scripts/test-foreign starts: makes TLS sockets safe to use from two threads.

pychromecast writes from the caller's thread while its own thread reads. CPython before 3.13.1 lets both into the same
OpenSSL object at once, and when the answer comes within a millisecond, as it does on loopback, a write now and then
fails with "EOF occurred in violation of protocol" (on 3 of 25 connections; with the lock on none). That is between the
two of them and says nothing about the receiver, so one lock a socket keeps them apart, as newer CPython does by itself.
"""

import ssl
import sys
import threading

if sys.version_info < (3, 13, 1):

    def _alone(method):
        def call(self, *arguments, **options):
            with self.__dict__.setdefault("_one_at_a_time", threading.RLock()):
                return method(self, *arguments, **options)

        return call

    # Everything a connection reads or writes after its handshake goes through these two.
    ssl.SSLSocket.read = _alone(ssl.SSLSocket.read)
    ssl.SSLSocket.send = _alone(ssl.SSLSocket.send)
