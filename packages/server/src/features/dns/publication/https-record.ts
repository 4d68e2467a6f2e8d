// The HTTPS record of a proxied name (specification §2.2 rule 6; RFC 9460).
import { encodeRdata, ROOT } from '@zonereeve/dns'
import type { EdgeAddresses } from './edge-addresses.ts'

/** Keys of service parameters (RFC 9460 §14.3.2). */
const ALPN = 1
const IPV4_HINT = 4
const IPV6_HINT = 6

/** `1 . alpn="h3,h2" ipv4hint=… ipv6hint=…`; undefined if both HTTP versions are off. */
export function httpsRdata(
  { http2, http3 }: { readonly http2: boolean; readonly http3: boolean },
  { ipv4, ipv6 }: EdgeAddresses,
): Uint8Array | undefined {
  const versions = [...(http3 ? ['h3'] : []), ...(http2 ? ['h2'] : [])]
  if (versions.length === 0) return undefined
  const alpn = versions.map((id) => Buffer.from(`${String.fromCharCode(id.length)}${id}`))
  return encodeRdata('HTTPS', {
    priority: 1,
    target: ROOT, // the owner name itself (RFC 9460 §2.5.2)
    params: [
      { key: ALPN, value: Buffer.concat(alpn) },
      ...(ipv4.length === 0 ? [] : [{ key: IPV4_HINT, value: Buffer.concat(ipv4) }]),
      ...(ipv6.length === 0 ? [] : [{ key: IPV6_HINT, value: Buffer.concat(ipv6) }]),
    ],
  })
}
