// How long an answer may be cached: the lowest TTL of its records (RFC 8484 §5.1).
import { decodeMessage } from '@zonereeve/dns'

/** Returns seconds; 0 for an answer without records. In a negative answer, the SOA's TTL counts (RFC 2308). */
export function lowestTtl(answer: Uint8Array): number {
  const { answers, authorities, additionals } = decodeMessage(answer)
  const ttls = [...answers, ...authorities, ...additionals].map(({ ttl }) => ttl)
  return ttls.length === 0 ? 0 : Math.min(...ttls)
}
