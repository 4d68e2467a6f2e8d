// TTLs as zone files write them: seconds, or numbers with units as in 1h30m.

/** Largest TTL (RFC 2181 §8). */
export const MAX_TTL_SECONDS = 0x7fff_ffff

const UNIT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
])
const TTL = /^(?:\d{1,10}|(?:\d{1,10}[wdhms])+)$/i

/** Seconds of a TTL, which may be over the limit; undefined for a text that is none. */
export function parseTtl(text: string): number | undefined {
  if (!TTL.test(text)) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  let seconds = 0
  for (const [, number, unit = ''] of text.toLowerCase().matchAll(/(\d+)([wdhms])/g)) {
    seconds += Number(number) * (UNIT_SECONDS.get(unit) ?? 0)
  }
  return seconds
}
