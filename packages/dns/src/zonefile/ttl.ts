// TTLs in zone files: seconds, or numbers with units such as 1h30m.

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

/** Seconds of a TTL, which may exceed the limit; undefined if the string is not a TTL. */
export function parseTtl(text: string): number | undefined {
  if (!TTL.test(text)) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  let seconds = 0
  for (const [, number, unit = ''] of text.toLowerCase().matchAll(/(\d+)([wdhms])/g)) {
    const unitSeconds = UNIT_SECONDS.get(unit)
    if (unitSeconds === undefined) return undefined
    seconds += Number(number) * unitSeconds
  }
  return seconds
}
