"""The exact dynamic updates of clients that are not packaged in Debian: cert-manager's solver, Caddy's module and
dnscontrol's provider, built and signed with dnspython."""

import json
import os
from urllib.request import Request, urlopen

import dns.query
import dns.rcode
import dns.rdatatype
import dns.tsigkeyring
import dns.update
import dns.zone

from report import answers, check, close, equal

ZONE = "update-messages.example.com"
CHALLENGE = "_acme-challenge." + ZONE
FIRST = "XKrxpRBosdIKFzxW_CT3KLZNf6q0HG9i01zxXp5CPBs"
SECOND = "-LoNGer_tOKEN-that.begins-with-a-dash0123456"
HOST, _, PORT = os.environ["DNS"].rpartition(":")
SERVER = {"where": HOST, "port": int(PORT), "timeout": 10}
# Created by one step, used by later ones.
made = {"keys": []}


def call(method, path, body=None):
    request = Request(
        os.environ["BASE"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + os.environ["TOKEN"], "Content-Type": "application/json"},
    )
    with urlopen(request, timeout=10) as reply:
        return json.load(reply)["result"]


def create_key(algorithm):
    """An update key for the caller's token, created as in docs/clients.md."""
    token = call("GET", "/user/tokens/verify")["id"]
    draft = {"name": algorithm + "." + ZONE, "token_id": token, "algorithm": algorithm}
    key = call("POST", "/zonereeve/update_keys", draft)
    made["keys"].append(key["id"])
    return key


def update_with(key, name=None):
    """A signed update of the zone; the key's name as the client writes it."""
    keyring = dns.tsigkeyring.from_text({name or key["name"]: key["secret"]})
    return dns.update.UpdateMessage(ZONE, keyring=keyring, keyalgorithm=key["algorithm"] + ".")


def send(update, over):
    reply = (dns.query.udp if over == "udp" else dns.query.tcp)(update, **SERVER)
    equal(dns.rcode.to_text(reply.rcode()), "NOERROR")


def set_up():
    made["zone"] = call("POST", "/zones", {"name": ZONE})["id"]
    call("POST", f"/zones/{made['zone']}/dns_records", {"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 300})


def cert_manager(algorithm, over):
    """Present for a name and its wildcard, and CleanUp of each: one TXT with TTL 60; deletions have class NONE."""
    key = create_key(algorithm)
    for value in (FIRST, SECOND):
        update = update_with(key)
        update.add("_acme-challenge", 60, "TXT", f'"{value}"')
        send(update, over)
    equal(answers(CHALLENGE, "TXT"), sorted([f'60 "{FIRST}"', f'60 "{SECOND}"']))
    for value, left in ((FIRST, [f'60 "{SECOND}"']), (SECOND, "NXDOMAIN")):
        update = update_with(key)
        update.delete("_acme-challenge", "TXT", f'"{value}"')
        send(update, over)
        equal(answers(CHALLENGE, "TXT"), left)


def caddy():
    """Appends without a TTL, over TCP; sets, which replaces the RRset; deletes by value."""
    key = create_key("hmac-sha256")
    update = update_with(key)
    update.add("_acme-challenge", 0, "TXT", f'"{FIRST}"')
    send(update, "tcp")
    equal(answers(CHALLENGE, "TXT"), [f'60 "{FIRST}"'])
    update = update_with(key)
    update.delete("_acme-challenge", "TXT")
    update.add("_acme-challenge", 120, "TXT", f'"{SECOND}"')
    send(update, "tcp")
    equal(answers(CHALLENGE, "TXT"), [f'120 "{SECOND}"'])
    update = update_with(key)
    update.delete("_acme-challenge", "TXT", f'"{SECOND}"')
    send(update, "tcp")
    equal(answers(CHALLENGE, "TXT"), "NXDOMAIN")


def open_to_transfers():
    """Creates a key of the account as in docs/transfers.md; returns it in the form that dnspython uses."""
    root = f"/accounts/{call('GET', '/accounts')[0]['id']}/secondary_dns"
    secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    name = "xfr." + ZONE
    tsig = call("POST", root + "/tsigs", {"name": name + ".", "secret": secret, "algo": "hmac-sha256."})["id"]
    peer = call("POST", root + "/peers", {"name": "dnscontrol", "ip": HOST, "port": 53, "tsig_id": tsig})["id"]
    outgoing = f"/zones/{made['zone']}/secondary_dns/outgoing"
    call("POST", outgoing, {"name": ZONE + ".", "peers": [peer]})
    call("POST", outgoing + "/enable")
    made["objects"] = [root + "/peers/" + peer, root + "/tsigs/" + tsig]
    return dns.tsigkeyring.from_text({name: secret})


def transferred(keyring):
    """The transferred zone, "name type data" of each record, without the records that every zone has."""
    messages = dns.query.xfr(HOST, ZONE, port=int(PORT), keyring=keyring, keyalgorithm="hmac-sha256.", relativize=False)
    zone = dns.zone.from_xfr(messages, relativize=False)
    lines = (
        f"{name} {dns.rdatatype.to_text(rdata.rdtype)} {rdata}" for name, _, rdata in zone.iterate_rdatas())
    return sorted(line for line in lines if not line.startswith(ZONE + ". "))


def dnscontrol():
    """Reads by transfer; changes by one update over TCP, with a temporary name server around it if it changes NS records."""
    transfer_key = open_to_transfers()
    key = create_key("hmac-sha512")
    equal(transferred(transfer_key), [f"www.{ZONE}. A 192.0.2.1"])
    update = update_with(key)
    update.add("@", 3600, "NS", "dnscontrol.invalid.")
    update.delete("www", "A", "192.0.2.1")
    update.add("www", 300, "A", "192.0.2.2")
    update.delete("alias")
    update.add("alias", 300, "CNAME", f"www.{ZONE}.")
    update.add("mail", 300, "MX", f"10 www.{ZONE}.")
    update.delete("@", "NS", "dnscontrol.invalid.")
    send(update, "tcp")
    wanted = [f"alias.{ZONE}. CNAME www.{ZONE}.", f"mail.{ZONE}. MX 10 www.{ZONE}.", f"www.{ZONE}. A 192.0.2.2"]
    equal(transferred(transfer_key), wanted)
    stored = call("GET", f"/zones/{made['zone']}/dns_records?type=NS")
    equal(stored, [])
    update = update_with(key)
    update.delete("alias")
    update.add("alias", 300, "A", "192.0.2.3")
    send(update, "tcp")
    equal(transferred(transfer_key)[0], f"alias.{ZONE}. A 192.0.2.3")


def remove():
    call("DELETE", f"/zones/{made['zone']}")
    for path in made.get("objects", []):
        call("DELETE", path)
    for key in made["keys"]:
        call("DELETE", "/zonereeve/update_keys/" + key)


check("update-messages: set up a zone", set_up)
for algorithm in ("hmac-sha1", "hmac-sha256", "hmac-sha512"):
    for over in ("udp", "tcp"):
        check(f"update-messages: cert-manager's, {algorithm} over {over}",
              lambda: cert_manager(algorithm, over))
        while made["keys"]:
            call("DELETE", "/zonereeve/update_keys/" + made["keys"].pop())
check("update-messages: Caddy's", caddy)
check("update-messages: dnscontrol's updates, and the transfers before and after", dnscontrol)
check("update-messages: everything is removed", remove)
close()
