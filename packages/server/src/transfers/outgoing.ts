// Answers to AXFR (RFC 5936) and IXFR (RFC 1995): from what a zone is at this moment, and from its journal.
import { decodeRdata, META_TYPE, serialAfter, type EdnsOption, type Message } from '@zonereeve/dns'
import { TYPE, type RrsetChange, type Zone, type ZoneTable } from '../nameserver/index.ts'
import { createJournal, type Journal } from './journal.ts'
import { signedZone } from './signed-zone.ts'
import { transferMessages, type OwnedRrset } from './transfer-messages.ts'

/** Zones that may be on their way out at the same time: each holds on to the state that it began with. */
export const MAX_TRANSFERS = 100

/** A difference larger than this share of the zone's names is sent as the whole zone, which is smaller. */
const LARGEST_SHARE = 0.5

const APEX = ''

/** What became of a request that was let in. */
export type Transfer =
  | { readonly kind: 'messages'; readonly messages: Iterator<Uint8Array>; readonly form: TransferForm }
  /** Too many at once: asked again later it will be answered. */
  | { readonly kind: 'busy' }

export type TransferForm = 'axfr' | 'ixfr' | 'current'

export interface Outgoing {
  /** Keeps the way of a zone from now on, or forgets it. */
  follow(zoneId: string, isFollowed: boolean): void
  /** Forgets how a zone became what it is: its next differences begin with its next serial. */
  restart(zoneId: string): void
  /** The answer to a request of a client that may have the zone. `options` go into its OPT record. */
  transfer(zone: Zone, request: TransferRequest, options: readonly EdnsOption[]): Transfer
}

export interface TransferRequest {
  readonly message: Message
  readonly question: Uint8Array
  /** Whether it came over UDP, where an answer that does not fit is the SOA alone (RFC 1995 §2). */
  readonly udpOctets: number | undefined
  readonly reservedOctets: number
  readonly udpPayloadOctets: number
}

export interface OutgoingDeps {
  readonly table: ZoneTable
  /** Told whenever the serial of a followed zone has moved. */
  readonly stepped: (zoneId: string) => void
}

export function createOutgoing({ table, stepped }: OutgoingDeps): Outgoing {
  const journals = new Map<string, Journal>()
  let running = 0
  // A zone that is loaded anew has no way to there.
  table.onLoad((zone) => {
    if (journals.has(zone.zoneId)) start(zone)
  })

  return { follow, restart, transfer }

  function follow(zoneId: string, isFollowed: boolean): void {
    const zone = table.zone(zoneId)
    if (!isFollowed) {
      journals.delete(zoneId)
      if (zone !== undefined) zone.follower = undefined
    } else if (!journals.has(zoneId)) {
      journals.set(zoneId, createJournal())
      if (zone !== undefined) start(zone)
    }
  }

  function restart(zoneId: string): void {
    const zone = table.zone(zoneId)
    if (zone !== undefined && journals.has(zoneId)) start(zone)
  }

  function start(zone: Zone): void {
    const journal = createJournal()
    journals.set(zone.zoneId, journal)
    zone.follower = (step) => {
      journal.add(step)
      if (step.serialBefore !== step.serialAfter) stepped(zone.zoneId)
    }
  }

  function transfer(zone: Zone, request: TransferRequest, options: readonly EdnsOption[]): Transfer {
    const { form, records } = answerTo(zone, request)
    if (form === 'axfr' && running >= MAX_TRANSFERS) return { kind: 'busy' }
    const messages = transferMessages({ request: request.message, records, options, ...request })
    if (request.udpOctets === undefined) return { kind: 'messages', form, messages: counted(messages) }
    const [first, second] = [messages.next().value, messages.next().value]
    if (
      first !== undefined &&
      second === undefined &&
      first.length + request.reservedOctets <= request.udpOctets
    )
      return { kind: 'messages', form, messages: [first].values() }
    const current = transferMessages({
      request: request.message,
      records: [soaOf(zone)],
      options,
      ...request,
    })
    return { kind: 'messages', form: 'current', messages: current }
  }

  function answerTo(
    zone: Zone,
    { message, udpOctets }: TransferRequest,
  ): { readonly form: TransferForm; readonly records: Iterable<OwnedRrset> } {
    if (message.questions[0]?.type !== META_TYPE.IXFR) return { form: 'axfr', records: wholeZone(zone) }
    const serial = serialOf(message)
    if (serial !== undefined && !serialAfter(zone.serial, serial))
      return { form: 'current', records: [soaOf(zone)] }
    // Signatures are in no journal: a signed zone goes out whole.
    const isJournaled = serial !== undefined && zone.signer === undefined
    const condensed = !isJournaled ? undefined : journals.get(zone.zoneId)?.since(serial)
    if (condensed !== undefined && condensed.changes.length <= zone.nodes * LARGEST_SHARE + 100) {
      const { soaBefore, soaAfter, changes } = condensed
      return { form: 'ixfr', records: difference(soaBefore, soaAfter, changes) }
    }
    // Over UDP a whole zone is never the answer; the SOA sends the client to TCP.
    return udpOctets === undefined
      ? { form: 'axfr', records: wholeZone(zone) }
      : { form: 'current', records: [soaOf(zone)] }
  }

  function* counted(messages: Iterator<Uint8Array>): Generator<Uint8Array, void, undefined> {
    running += 1
    try {
      for (let next = messages.next(); next.done !== true; next = messages.next()) yield next.value
    } finally {
      running -= 1
    }
  }
}

const soaOf = (zone: Zone): OwnedRrset => ({ key: APEX, rrset: zone.soa })

/** SOA, all the rest, SOA (RFC 5936 §2.2). The nodes are taken now: what changes later is not in it. */
function wholeZone(zone: Zone): Iterable<OwnedRrset> {
  if (zone.signer !== undefined) return signedZone(zone, zone.signer)
  const entries = zone.entries()
  const soa = soaOf(zone)
  return (function* () {
    yield soa
    for (const [key, { rrsets }] of entries) {
      for (const rrset of rrsets) if (rrset.type !== TYPE.SOA) yield { key, rrset }
    }
    yield soa
  })()
}

/** New SOA; old SOA and what goes; new SOA and what comes; new SOA (RFC 1995 §4). Whole rrsets go and come. */
function* difference(
  before: OwnedRrset['rrset'],
  after: OwnedRrset['rrset'],
  changes: readonly RrsetChange[],
): Iterable<OwnedRrset> {
  yield { key: APEX, rrset: after }
  yield { key: APEX, rrset: before }
  for (const change of changes)
    if (change.before !== undefined) yield { key: change.key, rrset: change.before }
  yield { key: APEX, rrset: after }
  for (const change of changes) if (change.after !== undefined) yield { key: change.key, rrset: change.after }
  yield { key: APEX, rrset: after }
}

/** The serial that the client has: that of the SOA in the authority section (RFC 1995 §3). */
function serialOf({ authorities, questions }: Message): number | undefined {
  const soa = authorities.find(({ type, name }) => type === TYPE.SOA && name === questions[0]?.name)
  return soa === undefined || soa.rdata.length === 0 ? undefined : decodeRdata('SOA', soa.rdata).serial
}
