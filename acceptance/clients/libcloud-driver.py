"""Debian's python3-libcloud, unmodified: its DNS driver with host, port and secure=False."""

import os
from urllib.parse import urlsplit

from libcloud.common.types import LibcloudError
from libcloud.dns.providers import get_driver
from libcloud.dns.types import Provider, RecordType

from report import answers, check, close, equal, raises

ZONE = "libcloud.example.com"
base = urlsplit(os.environ["BASE"])
driver = get_driver(Provider.CLOUDFLARE)(
    os.environ["TOKEN"], host=base.hostname, port=base.port, secure=False)
# Created by one check, used by later ones.
made = {}


def create_zone():
    made["zone"] = driver.create_zone(domain=ZONE)
    equal([zone.id for zone in driver.iterate_zones() if zone.domain == ZONE], [made["zone"].id])
    equal(driver.get_zone(made["zone"].id).type, "master")


def create_records():
    zone = made["zone"]
    made["A"] = driver.create_record("www", zone, RecordType.A, "192.0.2.1", {"ttl": 300})
    driver.create_record("mail", zone, RecordType.MX, "mail.example.net", {"ttl": 300, "priority": 10})
    driver.create_record("caa", zone, RecordType.CAA, "0 issue ca.example.net", {"ttl": 300})
    driver.create_record("ssh", zone, RecordType.SSHFP, "1 1 0123456789abcdef0123456789abcdef01234567", {"ttl": 300})
    equal(answers("www." + ZONE, "A"), ["300 192.0.2.1"])
    equal(answers("mail." + ZONE, "MX"), ["300 10 mail.example.net."])
    equal(answers("caa." + ZONE, "CAA"), ['300 0 issue "ca.example.net"'])
    equal(answers("ssh." + ZONE, "SSHFP"), ["300 1 1 0123456789abcdef0123456789abcdef01234567"])


def page_through():
    for number in range(1, 121):
        driver.create_record(f"page-{number}", made["zone"], RecordType.A, f"192.0.2.{number}")
    names = [record.name for record in made["zone"].list_records()]
    equal(len(names), 124)
    equal(len(set(names)), 124)


def update():
    record = driver.update_record(made["A"], data="192.0.2.2", type=RecordType.A)
    equal(record.name, "www")
    # The driver sends the ttl in a member that the API does not have, so the record keeps the automatic ttl.
    equal(answers("www." + ZONE, "A"), ["300 192.0.2.2"])
    equal(driver.get_record(made["zone"].id, record.id).data, "192.0.2.2")


def refuse():
    error = raises(LibcloudError,
                   lambda: driver.create_record("bad", made["zone"], RecordType.A, "192.0.2.256"))
    assert "9005" in error.value, error.value
    equal(answers("bad." + ZONE, "A"), "NXDOMAIN")


def delete():
    equal(driver.delete_record(made["A"]), True)
    equal(answers("www." + ZONE, "A"), "NXDOMAIN")
    equal(driver.delete_zone(made["zone"]), True)
    equal(answers(ZONE, "SOA"), "REFUSED")


check("libcloud: create a zone and find it", create_zone)
check("libcloud: create records", create_records)
check("libcloud: page through a list, each record once", page_through)
check("libcloud: update", update)
check("libcloud: a bad address is refused with its code, and DNS does not change", refuse)
check("libcloud: delete", delete)
close()
