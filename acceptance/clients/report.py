"""Named checks that print as they run, and the closing line with their counts; queries DNS with dnspython."""

import os
import traceback

import dns.message
import dns.query
import dns.rcode

passed = failed = 0


def check(name, body):
    """Runs one check. It fails if it raises; the others still run."""
    global passed, failed
    try:
        body()
    except Exception:
        failed += 1
        print(f"FAIL  {name}")
        print("".join("      " + line + "\n" for line in traceback.format_exc().splitlines()), end="")
    else:
        passed += 1
        print(f"ok    {name}")


def close():
    """Prints the counts."""
    print(f"{passed} passed, {failed} failed")


def answers(name, kind):
    """Queries the nameserver: "ttl data" of each answer, sorted, or the reply's code if there is no answer."""
    host, _, port = os.environ["DNS"].rpartition(":")
    query = dns.message.make_query(name, kind, flags=0)
    reply = dns.query.udp(query, host, port=int(port), timeout=3)
    lines = sorted(f"{rrset.ttl} {rdata}" for rrset in reply.answer for rdata in rrset)
    return lines or dns.rcode.to_text(reply.rcode())


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"


def raises(kind, body):
    """Runs a call that must raise `kind`, and returns the exception."""
    try:
        body()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")
