"""Publishes one Cast device with python-zeroconf until it is ended: zeroconf_device.py PORT JSON ADDRESS…"""

import ipaddress
import json
import signal
import sys

from zeroconf import IPVersion, ServiceInfo, Zeroconf

port, texts, addresses = int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
versions = {ipaddress.ip_address(address).version for address in addresses}
version = {frozenset({4}): IPVersion.V4Only, frozenset({6}): IPVersion.V6Only}.get(frozenset(versions), IPVersion.All)
zeroconf = Zeroconf(interfaces=addresses, ip_version=version)
kind = "_googlecast._tcp.local."
zeroconf.register_service(ServiceInfo(
    kind, f"zeroconf-{texts['id']}.{kind}", parsed_addresses=addresses, port=port, properties=texts,
    server="zeroconf-hall.local."))
print("published", flush=True)
signal.sigwait({signal.SIGTERM, signal.SIGINT})
zeroconf.close()
