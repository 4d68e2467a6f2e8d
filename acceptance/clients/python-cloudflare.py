"""Debian's python3-cloudflare, unmodified: only base_url and token are set."""

import os

import CloudFlare

from report import answers, check, close, equal, raises

ZONE = "python-cloudflare.example.com"
client = CloudFlare.CloudFlare(base_url=os.environ["BASE"], token=os.environ["TOKEN"])
paged = CloudFlare.CloudFlare(base_url=os.environ["BASE"], token=os.environ["TOKEN"], raw=True)
# Created by one check, used by later ones.
made = {}


def create_zone():
    made["zone"] = client.zones.post(data={"name": ZONE})["id"]
    equal([zone["id"] for zone in client.zones.get(params={"name": ZONE})], [made["zone"]])


def create_records():
    drafts = [
        {"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 300},
        {"type": "MX", "name": ZONE, "content": "mail.example.net", "priority": 10, "ttl": 300},
        {"type": "TXT", "name": "text", "content": "bare words", "ttl": 300},
        {"type": "SRV", "name": "_sip._tcp", "ttl": 300,
         "data": {"priority": 1, "weight": 2, "port": 5060, "target": "sip.example.net"}},
    ]
    for draft in drafts:
        record = client.zones.dns_records.post(made["zone"], data=draft)
        made[draft["type"]] = record["id"]
    equal(answers("www." + ZONE, "A"), ["300 192.0.2.1"])
    equal(answers(ZONE, "MX"), ["300 10 mail.example.net."])
    equal(answers("text." + ZONE, "TXT"), ['300 "bare words"'])
    equal(answers("_sip._tcp." + ZONE, "SRV"), ["300 1 2 5060 sip.example.net."])


def find_by_content():
    found = client.zones.dns_records.get(made["zone"], params={"type": "TXT", "content": "bare words"})
    equal([record["id"] for record in found], [made["TXT"]])


def edit_and_overwrite():
    client.zones.dns_records.patch(made["zone"], made["A"], data={"content": "192.0.2.2"})
    equal(answers("www." + ZONE, "A"), ["300 192.0.2.2"])
    whole = {"type": "A", "name": "www", "content": "192.0.2.3", "ttl": 600}
    client.zones.dns_records.put(made["zone"], made["A"], data=whole)
    equal(answers("www." + ZONE, "A"), ["600 192.0.2.3"])


def page_through():
    seen, page = [], 1
    while True:
        reply = paged.zones.dns_records.get(made["zone"], params={"page": page, "per_page": 5})
        seen += [record["id"] for record in reply["result"]]
        if page >= reply["result_info"]["total_pages"]:
            break
        page += 1
    equal(len(seen), 4)
    equal(len(set(seen)), 4)


def refuse():
    twice = {"type": "A", "name": "www", "content": "192.0.2.3"}
    error = raises(CloudFlare.exceptions.CloudFlareAPIError,
                   lambda: client.zones.dns_records.post(made["zone"], data=twice))
    equal(int(error), 81058)
    bad = {"type": "A", "name": "bad", "content": "192.0.2.256"}
    error = raises(CloudFlare.exceptions.CloudFlareAPIError,
                   lambda: client.zones.dns_records.post(made["zone"], data=bad))
    equal(int(error), 9005)
    equal(answers("bad." + ZONE, "A"), "NXDOMAIN")


def delete():
    client.zones.dns_records.delete(made["zone"], made["A"])
    equal(answers("www." + ZONE, "A"), "NXDOMAIN")
    client.zones.delete(made["zone"])
    equal(answers(ZONE, "SOA"), "REFUSED")


check("python-cloudflare: create a zone and find it", create_zone)
check("python-cloudflare: create records", create_records)
check("python-cloudflare: find a TXT record by its bare content", find_by_content)
check("python-cloudflare: edit and overwrite", edit_and_overwrite)
check("python-cloudflare: page through a list, each record once", page_through)
check("python-cloudflare: an identical record is 81058, a bad address 9005, and DNS does not change", refuse)
check("python-cloudflare: delete", delete)
close()
