// The HTTPS record of a proxied name (specification §2.2 rule 6), in wire form (RFC 9460 §2.2, §7.1, §7.3).
import type { EdgeAddresses } from './edge-addresses.ts'

const ALPN = 1
const IPV4_HINT = 4
const IPV6_HINT = 6

/** `1 . alpn="h3,h2" ipv4hint=… ipv6hint=…`; undefined when neither version of HTTP is on. */
export function httpsRdata(
  { http2, http3 }: { readonly http2: boolean; readonly http3: boolean },
  { ipv4, ipv6 }: EdgeAddresses,
): Uint8Array | undefined {
  const versions = [...(http3 ? ['h3'] : []), ...(http2 ? ['h2'] : [])]
  if (versions.length === 0) return undefined
  const alpn = Buffer.concat(versions.map((id) => Buffer.from(`${String.fromCharCode(id.length)}${id}`)))
  const priority = [0, 1]
  const ownName = [0] // the root: the name itself is the target (RFC 9460 §2.5.2)
  return Buffer.concat([
    Buffer.from([...priority, ...ownName]),
    // In the order of their numbers (RFC 9460 §2.2).
    parameter(ALPN, alpn),
    ...(ipv4.length === 0 ? [] : [parameter(IPV4_HINT, Buffer.concat(ipv4))]),
    ...(ipv6.length === 0 ? [] : [parameter(IPV6_HINT, Buffer.concat(ipv6))]),
  ])
}

function parameter(key: number, value: Uint8Array): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(key)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value])
}
