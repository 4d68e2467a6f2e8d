// Explains one answer. The question runs through the same code that answers on the wire, with an observer.
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  type Message,
  type Name,
  nameFromWire,
  plainMessage,
  rcodeText,
  type ResourceRecord,
  ROOT,
} from '@zonereeve/dns'
import type { Log } from './log.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { LookupResult } from './look-up.ts'
import { noMetrics } from './metrics.ts'
import type { AnswerObserver, Outcome, Section } from './observer.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import type { Rrset } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneRecord } from './zone-data.ts'
import type { ZoneTable } from './zone-table.ts'
import type { ZoneView } from './zone-view.ts'

/** A name that was looked up while answering. */
export type Look =
  /** In no served zone. */
  | { readonly outcome: 'outside'; readonly name: Name }
  | {
      readonly outcome: Outcome
      readonly name: Name
      readonly zoneId: string
      readonly apex: Name
      /** The name whose records answer: the name itself, a wildcard, or a cut. Undefined for `no_name`. */
      readonly owner: Name | undefined
      /** The longest existing name at or above the name. */
      readonly closestEncloser: Name
      /** The owner has no records; it exists because names below it do. */
      readonly isEmpty: boolean
    }

/** An rrset of the answer. */
export interface AnsweredRrset {
  readonly section: Section
  readonly owner: Name
  readonly type: number
  readonly ttlSeconds: number
  readonly rdatas: readonly Uint8Array[]
  /** The records it was built from; empty for rrsets that the zone synthesizes. */
  readonly records: readonly ZoneRecord[]
  /** The zone it belongs to. */
  readonly zoneId: string
}

export interface Explanation {
  readonly rcode: string
  /** The header flags that are set, in the header's order. */
  readonly flags: readonly HeaderFlag[]
  /** Whether a client with the default buffer has to retry over TCP. */
  readonly isTruncatedOverUdp: boolean
  readonly rrsets: readonly AnsweredRrset[]
  readonly looks: readonly Look[]
}

export type Explain = (name: Name, type: number) => Explanation

type HeaderFlag = (typeof FLAGS)[number]
const FLAGS = ['qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd'] as const
/** Explained answers are sent to no address. */
const NO_CLIENT = ''
/** The buffer size that clients offer (DNS flag day 2020). */
const UDP_PAYLOAD_OCTETS = 1232

/** Explains answers from `table` as over TCP, where nothing is left out for lack of space. */
export function createExplainer({ table, log }: { readonly table: ZoneTable; readonly log: Log }): Explain {
  const looks: Look[] = []
  const written: { readonly section: Section; readonly rrset: Rrset; readonly zoneId: string }[] = []
  let zoneId = ''
  const observer: AnswerObserver = {
    looked(outcome, zone, name, found) {
      zoneId = zone.zoneId
      looks.push(lookOf(outcome, zone, name, found))
    },
    outside: (name) => void looks.push({ outcome: 'outside', name: textFrom(name, 0) }),
    // An rrset belongs to the zone of the last look-up before it is written; this includes additional addresses.
    wrote: (section, rrset) => void written.push({ section, rrset, zoneId }),
    cleared: () => void written.splice(0),
  }
  const respond = createResponder({ table, log, limits: DEFAULT_LIMITS, metrics: noMetrics, observer })
  const out = new Uint8Array(MAX_REPLY_OCTETS)

  return (name, type) => {
    const { tc } = ask(name, type, 'udp')
    const message = ask(name, type, 'tcp')
    return {
      rcode: rcodeText(message.rcode),
      flags: FLAGS.filter((flag) => message[flag]),
      isTruncatedOverUdp: tc,
      rrsets: rrsetsOf(message),
      looks: [...looks],
    }
  }

  function ask(name: Name, type: number, transport: 'udp' | 'tcp'): Message {
    looks.length = 0
    const query = encodeMessage(
      plainMessage({
        id: 0,
        questions: [{ name, type, class: CLASS.IN }],
        edns: { udpPayloadSize: UDP_PAYLOAD_OCTETS, version: 0, dnssecOk: false, options: [] },
      }),
    )
    return decodeMessage(out.slice(0, respond(query, query.length, { transport, address: NO_CLIENT }, out)))
  }

  /** The message has the rrsets in the order in which they were written. */
  function rrsetsOf(message: Message): AnsweredRrset[] {
    const rest: Record<Section, ResourceRecord[]> = {
      answer: [...message.answers],
      authority: [...message.authorities],
      additional: [...message.additionals],
    }
    return written.flatMap(({ section, rrset, zoneId: id }) => {
      const own = rest[section].splice(0, rrset.count)
      const owner = own[0]?.name
      if (owner === undefined) throw new Error('an rrset that was written is not in the answer')
      const { ttl: ttlSeconds, records } = rrset
      // Synthesized rrsets are followed by their signature.
      return [...new Set(own.map(({ type }) => type))].map((type) => {
        const rdatas = own.filter((each) => each.type === type).map(({ rdata }) => rdata)
        return { section, owner, type, ttlSeconds, rdatas, records, zoneId: id }
      })
    })
  }
}

function lookOf(outcome: Outcome, zone: ZoneView, name: WireName, found: LookupResult): Look {
  const apexLabel = name.labels - zone.apex.labels
  const encloser = outcome === 'redirected' ? found.cutLabel : closestEncloser(zone, name, apexLabel)
  const node = outcome === 'referral' ? undefined : found.node
  return {
    outcome,
    name: textFrom(name, 0),
    zoneId: zone.zoneId,
    apex: textFrom(zone.apex, 0),
    owner: ownerOf(outcome, name, found),
    closestEncloser: textFrom(name, encloser),
    isEmpty: node !== undefined && node.rrsets.length === 0 && node.state === undefined,
  }
}

function ownerOf(outcome: Outcome, name: WireName, found: LookupResult): Name | undefined {
  if (outcome === 'no_name') return undefined
  if (outcome === 'referral' || outcome === 'redirected') return textFrom(name, found.cutLabel)
  return found.encloser === undefined ? textFrom(name, 0) : wildcardBelow(textFrom(name, found.encloser))
}

const wildcardBelow = (name: Name): Name => (name === ROOT ? '*' : `*.${name}`) as Name // the wildcard was found, so its name is not too long

/** Label of the longest existing name at or above the name. */
function closestEncloser(zone: ZoneView, name: WireName, apexLabel: number): number {
  for (let label = 0; label < apexLabel; label += 1) {
    if (zone.find(name, label)) return label
  }
  return apexLabel
}

/** The name from a label on, as text. */
function textFrom(name: WireName, label: number): Name {
  return nameFromWire(name.wire(label))
}
