// Answers to AXFR (RFC 5936) and IXFR (RFC 1995): from what a zone is at this moment, and from its journal.
import { decodeRdata, META_TYPE, serialAfter, type EdnsOption, type Message } from '@zonereeve/dns'
import { TYPE, type Messages, type Zone, type ZoneTable } from '../nameserver/index.ts'
import { createFollowedZone, wholeZone, type FollowedZone } from './followed-zone.ts'
import { createSignedCopies, type SignedCopies } from './signed-copies.ts'
import { transferMessages, type ComingRrsets, type OwnedRrset } from './transfer-messages.ts'

/** Zones that may be on their way out at the same time: each holds on to the state that it began with. */
export const MAX_TRANSFERS = 100

/** A difference larger than this share of the zone's names is sent as the whole zone, which is smaller. */
const LARGEST_SHARE = 0.5

const APEX = ''

/** What became of a request that was let in. */
export type Transfer =
  | { readonly kind: 'messages'; readonly messages: Messages; readonly form: TransferForm }
  /** Too many at once: asked again later it will be answered. */
  | { readonly kind: 'busy' }

export type TransferForm = 'axfr' | 'ixfr' | 'current'

export interface Outgoing {
  /** Keeps the way of a zone from now on, or forgets it. */
  follow(zoneId: string, isFollowed: boolean): void
  /** Forgets how a zone became what it is: its next differences begin with its next serial. */
  restart(zoneId: string): void
  /** Whether other nameservers have signatures so old that the zone should step, and give them new ones. */
  isRenewalDue(zoneId: string): boolean
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
  readonly copies?: SignedCopies
}

export function createOutgoing({ table, stepped, copies = createSignedCopies() }: OutgoingDeps): Outgoing {
  /** Undefined of those that are to be followed once they are there. */
  const followed = new Map<string, FollowedZone | undefined>()
  let running = 0
  // A zone that is loaded anew has no way to there.
  table.onLoad((zone) => {
    if (followed.has(zone.zoneId)) start(zone)
  })

  return {
    follow,
    restart: (zoneId) => followed.get(zoneId)?.restart(),
    isRenewalDue: (zoneId) => followed.get(zoneId)?.isDue ?? false,
    transfer,
  }

  function follow(zoneId: string, isFollowed: boolean): void {
    const zone = table.zone(zoneId)
    if (!isFollowed) {
      followed.get(zoneId)?.end()
      followed.delete(zoneId)
      if (zone !== undefined) zone.follower = undefined
    } else if (!followed.has(zoneId)) {
      followed.set(zoneId, undefined)
      if (zone !== undefined) start(zone)
    }
  }

  function start(zone: Zone): void {
    followed.get(zone.zoneId)?.end()
    const own = createFollowedZone(zone, copies)
    followed.set(zone.zoneId, own)
    zone.follower = (step) => {
      own.take(step)
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
  ): { readonly form: TransferForm; readonly records: ComingRrsets } {
    const own = followed.get(zone.zoneId)
    const whole = () => own?.whole() ?? wholeZone(zone)
    if (message.questions[0]?.type !== META_TYPE.IXFR) return { form: 'axfr', records: whole() }
    const serial = serialOf(message)
    if (serial !== undefined && !serialAfter(zone.serial, serial))
      return { form: 'current', records: [soaOf(zone)] }
    const difference = serial === undefined ? undefined : own?.since(serial)
    if (difference !== undefined && difference.changes <= zone.nodes * LARGEST_SHARE + 100)
      return { form: 'ixfr', records: difference.records }
    // Over UDP a whole zone is never the answer; the SOA sends the client to TCP.
    return udpOctets === undefined
      ? { form: 'axfr', records: whole() }
      : { form: 'current', records: [soaOf(zone)] }
  }

  function* counted(messages: Messages): Generator<Uint8Array | undefined, void, undefined> {
    running += 1
    try {
      for (let next = messages.next(); next.done !== true; next = messages.next()) yield next.value
    } finally {
      running -= 1
    }
  }
}

const soaOf = (zone: Zone): OwnedRrset => ({ key: APEX, rrset: zone.soa })

/** The serial that the client has: that of the SOA in the authority section (RFC 1995 §3). */
function serialOf({ authorities, questions }: Message): number | undefined {
  const soa = authorities.find(({ type, name }) => type === TYPE.SOA && name === questions[0]?.name)
  return soa === undefined || soa.rdata.length === 0 ? undefined : decodeRdata('SOA', soa.rdata).serial
}
