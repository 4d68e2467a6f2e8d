// The query log: one line for answers that pass its filters, or for every Nth of them. Without it, listeners work as if
// this file did not exist.
import { byteAt, type Name, nameFromWire, nameToWire, rcodeText, typeText } from '@zonereeve/dns'
import { NOT_KEPT } from './answer-cache.ts'
import type { ListenerDeps } from './listener.ts'
import type { Log } from './log.ts'
import type { Peer } from './peer.ts'
import { HEADER_OCTETS, u16 } from './query.ts'
import { WireName } from './wire-name.ts'

export interface QueryLogSettings {
  /** Every Nth answer that passes the filters, at least 1. */
  readonly every: number
  /** Only questions for one of these names or a name below it. Empty: all. */
  readonly names: readonly Name[]
  /** Response codes as texts. Empty: all. */
  readonly rcodes: readonly string[]
}

/** Lines in a second and thread; more would delay answers. What is left out is counted in the next line. */
export const MAX_LINES_PER_SECOND = 1_000
const SECOND_MILLIS = 1_000
/** Flags in the third octet of a message. */
const TRUNCATED = 2
const RCODE_BITS = 0xf

/** Listeners that log what `deps` answers. @param now milliseconds. */
export function logQueries(
  deps: ListenerDeps,
  settings: QueryLogSettings,
  log: Pick<Log, 'info'>,
  now: () => number,
): ListenerDeps {
  const { respond, fastPath, answers } = deps
  const take = createQueryLog(settings, log, now)
  return {
    ...deps,
    respond(packet, length, peer, out, reservedOctets) {
      const octets = respond(packet, length, peer, out, reservedOctets)
      if (octets > 0) take(packet, length, peer, out, octets)
      return octets
    },
    fastPath: fastPath && logAnswersOf(fastPath),
    answers: answers && { ...answers, find: logAnswersOf(answers.find) },
  }

  function logAnswersOf(find: NonNullable<typeof fastPath>): NonNullable<typeof fastPath> {
    return (packet, length, peer, out) => {
      const octets = find(packet, length, peer, out)
      if (octets !== NOT_KEPT && octets > 0) take(packet, length, peer, out, octets)
      return octets
    }
  }
}

function createQueryLog(
  { every, names, rcodes }: QueryLogSettings,
  log: Pick<Log, 'info'>,
  now: () => number,
) {
  const name = new WireName()
  const subtrees = names.map((one) => {
    const wire = nameToWire(one)
    const read = new WireName()
    read.read(wire, 0, wire.length)
    return read
  })
  const codes = new Set(rcodes)
  let passed = 0
  let second = 0
  let lines = 0
  let omitted = 0
  return take

  /** `packet` was answered with the first `octets` of `out`. */
  function take(packet: Uint8Array, length: number, peer: Peer, out: Uint8Array, octets: number): void {
    const rcode = rcodeText(byteAt(out, 3) & RCODE_BITS)
    if (codes.size > 0 && !codes.has(rcode)) return
    const nameEnd = name.read(packet, HEADER_OCTETS, length)
    const hasQuestion = nameEnd !== -1 && nameEnd + 4 <= length && u16(packet, 4) > 0
    if (subtrees.length > 0 && !(hasQuestion && subtrees.some(isAtOrBelow))) return
    passed += 1
    if (passed < every) return
    passed = 0
    if (!isWithinLimit()) return
    log.info(
      {
        client: peer.address,
        transport: peer.transport,
        ...(hasQuestion && {
          name: nameFromWire(name.wire()),
          type: typeText(u16(packet, nameEnd)),
        }),
        rcode,
        octets,
        ...((byteAt(out, 2) & TRUNCATED) !== 0 && { truncated: true }),
        ...(omitted > 0 && { omitted }),
      },
      'dns query',
    )
    omitted = 0
  }

  function isAtOrBelow(zone: WireName): boolean {
    return zone.labels <= name.labels && name.endsLike(name.labels - zone.labels, zone, 0)
  }

  function isWithinLimit(): boolean {
    const current = Math.floor(now() / SECOND_MILLIS)
    if (current !== second) {
      second = current
      lines = 0
    }
    lines += 1
    if (lines <= MAX_LINES_PER_SECOND) return true
    omitted += 1
    return false
  }
}
