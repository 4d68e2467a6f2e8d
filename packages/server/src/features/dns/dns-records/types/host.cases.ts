// What CNAME, MX, NS and SRV accept as the name of a host.
const label63 = 'a'.repeat(63)

/** Sent string, the host as shown in replies, and in presentation format. */
export const HOSTS: readonly (readonly [name: string, text: string, shown: string])[] = [
  ['a host', 'host.example.net', 'host.example.net'],
  ['a trailing dot', 'host.example.net.', 'host.example.net'],
  ['capitals', 'Host.EXAMPLE.net', 'host.example.net'],
  ['blanks around', ' host.example.net ', 'host.example.net'],
  ['the apex', '@', 'example.com'],
  ['a name in the zone', 'mail.example.com', 'mail.example.com'],
  ['a single label, which is not qualified with the zone', 'localhost', 'localhost'],
  ['U-labels', 'bücher.example', 'xn--bcher-kva.example'],
  ['A-labels', 'XN--bcher-kva.example', 'xn--bcher-kva.example'],
  ['digits first', '1st.example.net', '1st.example.net'],
  ['an underscore', 'my_host.example.net', 'my_host.example.net'],
  ['the longest label', `${label63}.example.net`, `${label63}.example.net`],
]

/** Strings that none of them accepts as a host. */
export const NO_HOSTS: readonly (readonly [name: string, text: string])[] = [
  ['no text', ''],
  ['a blank', ' '],
  ['an empty label', 'a..example.net'],
  ['a leading dot', '.example.net'],
  ['a label of 64 octets', `a${label63}.example.net`],
  ['a name of 256 octets', `${`${label63}.`.repeat(3)}${'a'.repeat(62)}`],
  ['a blank inside', 'my host.example.net'],
  ['two hosts', 'a.example.net, b.example.net'],
  ['a URL', 'http://example.net'],
  ['a URL with a trailing slash', 'https://example.net/'],
  ['a host and a path', 'example.net/path'],
  ['a mailbox', 'me@example.net'],
  ['an escaped dot', 'a\\.b.example.net'],
  ['a port', 'example.net:53'],
  ['a leading hyphen', '-a.example.net'],
  ['a trailing hyphen', 'a-.example.net'],
  ['an asterisk', '*.example.net'],
  ['an IPv6 address', '2001:db8::1'],
]

/** Names that look like IPv4 addresses: rejected, except for NS, which reports them in `messages`. */
export const IPV4_ADDRESSES: readonly (readonly [name: string, text: string])[] = [
  ['an IPv4 address', '192.0.2.1'],
  ['an IPv4 address with a dot', '192.0.2.1.'],
]
