// One answer and the way to it: the question goes through the very code that answers on the wire, with an observer in it.
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  nameFromWire,
  plainMessage,
  rcodeText,
  ROOT,
} from '@zonereeve/dns'
import type { Message, Name, ResourceRecord } from '@zonereeve/dns'
import type { Log } from '../platform/log.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { Found } from './look-up.ts'
import { noMetrics } from './metrics.ts'
import type { AnswerObserver, Outcome, Section } from './observer.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import type { Rrset } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneRecord } from './zone-data.ts'
import type { ZoneTable } from './zone-table.ts'
import type { Zone } from './zone.ts'

/** A name that was looked up on the way. */
export type Look =
  /** In no zone of ours. */
  | { readonly outcome: 'outside'; readonly name: Name }
  | {
      readonly outcome: Outcome
      readonly name: Name
      readonly zoneId: string
      readonly apex: Name
      /** The name whose records answer: the name itself, a wildcard, or where the zone is cut; with `no_name` undefined. */
      readonly owner: Name | undefined
      /** The longest existing name at or above the name. */
      readonly closestEncloser: Name
      /** Nothing stands at the owner; it exists for names below it. */
      readonly isEmpty: boolean
    }

/** An rrset of the answer. */
export interface AnsweredRrset {
  readonly section: Section
  readonly owner: Name
  readonly type: number
  readonly ttlSeconds: number
  readonly rdatas: readonly Uint8Array[]
  /** What it was made of; none for what a zone makes itself. */
  readonly records: readonly ZoneRecord[]
  /** The zone that has it. */
  readonly zoneId: string
}

export interface Explanation {
  readonly rcode: string
  /** Names of the header's flags that are set, in the header's order. */
  readonly flags: readonly HeaderFlag[]
  /** Whether a client with the usual buffer has to ask again over TCP. */
  readonly isTruncatedOverUdp: boolean
  readonly rrsets: readonly AnsweredRrset[]
  readonly looks: readonly Look[]
}

export type Explain = (name: Name, type: number) => Explanation

type HeaderFlag = (typeof FLAGS)[number]
const FLAGS = ['qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd'] as const
/** Explained answers go to no address. */
const NOBODY = ''
/** The buffer that clients offer (DNS flag day 2020). */
const UDP_PAYLOAD_OCTETS = 1232

/** Explains answers from `table`: as over TCP, where nothing is left out for lack of room. */
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
    // What is looked up before it is written is of the same zone, additional addresses too.
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
    return decodeMessage(out.slice(0, respond(query, query.length, { transport, address: NOBODY }, out)))
  }

  /** The rrsets stand in the message in the order in which they were written. */
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
      // What a signer makes up comes with its signature behind it.
      return [...new Set(own.map(({ type }) => type))].map((type) => {
        const rdatas = own.filter((each) => each.type === type).map(({ rdata }) => rdata)
        return { section, owner, type, ttlSeconds, rdatas, records, zoneId: id }
      })
    })
  }
}

function lookOf(outcome: Outcome, zone: Zone, name: WireName, found: Found): Look {
  const apexLabel = name.labels - zone.apex.labels
  const encloser = closestEncloser(zone, name, apexLabel)
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

function ownerOf(outcome: Outcome, name: WireName, found: Found): Name | undefined {
  if (outcome === 'no_name') return undefined
  if (outcome === 'referral') return textFrom(name, found.cutLabel)
  return found.encloser === undefined ? textFrom(name, 0) : wildcardBelow(textFrom(name, found.encloser))
}

const wildcardBelow = (name: Name): Name => (name === ROOT ? '*' : `*.${name}`) as Name // one that was found exists, so it is no longer than a name may be

/** The label from which on the name exists. */
function closestEncloser(zone: Zone, name: WireName, apexLabel: number): number {
  for (let label = 0; label < apexLabel; label += 1) {
    if (zone.node(name.key(label, apexLabel)) !== undefined) return label
  }
  return apexLabel
}

/** The name from a label on. */
function textFrom(name: WireName, label: number): Name {
  return nameFromWire(name.octets.subarray(name.labelAt[label], (name.labelAt[name.labels] ?? 0) + 1))
}
