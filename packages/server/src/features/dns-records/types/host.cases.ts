// What CNAME, MX, NS and SRV take as the name of a host.
const label63 = 'a'.repeat(63)

/** Text, the host as replies show it, and as zone files write it. */
export const HOSTS: readonly (readonly [name: string, text: string, shown: string])[] = [
  ['a host', 'host.example.net', 'host.example.net'],
  ['a trailing dot', 'host.example.net.', 'host.example.net'],
  ['capitals', 'Host.EXAMPLE.net', 'host.example.net'],
  ['blanks around', ' host.example.net ', 'host.example.net'],
  ['the apex', '@', 'example.com'],
  ['a name in the zone', 'mail.example.com', 'mail.example.com'],
  ['one label, which is not put below the zone', 'localhost', 'localhost'],
  ['U-labels', 'bücher.example', 'xn--bcher-kva.example'],
  ['A-labels', 'XN--bcher-kva.example', 'xn--bcher-kva.example'],
  ['digits first', '1st.example.net', '1st.example.net'],
  ['an underscore', 'my_host.example.net', 'my_host.example.net'],
  ['the longest label', `${label63}.example.net`, `${label63}.example.net`],
]

/** Texts that name no host for any of them. */
export const NO_HOSTS: readonly (readonly [name: string, text: string])[] = [
  ['no text', ''],
  ['a blank', ' '],
  ['an empty label', 'a..example.net'],
  ['a dot in front', '.example.net'],
  ['a label of 64 octets', `a${label63}.example.net`],
  ['a name of 256 octets', `${`${label63}.`.repeat(3)}${'a'.repeat(62)}`],
  ['a blank inside', 'my host.example.net'],
  ['an IPv4 address', '192.0.2.1'],
  ['an IPv4 address with a dot', '192.0.2.1.'],
  ['two hosts', 'a.example.net, b.example.net'],
  ['half of a surrogate pair', '\ud800.example.net'],
]

/** Names that DNS can have, and hosts cannot. */
export const NAMES_BUT_NO_HOSTS: readonly (readonly [name: string, text: string])[] = [
  ['a URL', 'http://example.net'],
  ['a port', 'example.net:53'],
  ['a hyphen in front', '-a.example.net'],
  ['a hyphen at the end', 'a-.example.net'],
  ['an asterisk', '*.example.net'],
  ['an IPv6 address', '2001:db8::1'],
]
