// Answers AXFR (RFC 5936) and IXFR (RFC 1995) from a snapshot of the zone and from its journal.
import { Semaphore } from '@zonereeve/cooperate'
import { decodeRdata, META_TYPE, serialAfter, type EdnsOption, type Message } from '@zonereeve/dns'
import type { Log } from '../log.ts'
import type { Messages } from '../message-handler.ts'
import { TYPE } from '../rrset.ts'
import type { ZoneTable } from '../zone-table.ts'
import type { Zone } from '../zone.ts'
import { createAnnouncer } from './announcer.ts'
import { createTransferableZone, wholeZone, type TransferableZone } from './transferable-zone.ts'
import { createSignedCopies, type SignedCopies } from './signed-copies.ts'
import { transferMessages, type ComingRrsets, type OwnedRrset } from './transfer-messages.ts'

/** Maximum number of concurrent outgoing transfers: each holds the state that it began with. */
export const MAX_TRANSFERS = 100

/** A difference larger than this share of the zone's names is sent as the whole zone, which is smaller. */
const LARGEST_SHARE = 0.5

const APEX = ''

/** The result of an authorized request. */
export type Transfer =
  | { readonly kind: 'messages'; readonly messages: Messages; readonly form: TransferForm }
  /** Too many at once: the client may retry later. */
  | { readonly kind: 'busy' }

export type TransferForm = 'axfr' | 'ixfr' | 'current'

export interface Outgoing {
  /** Starts or stops the journal of a zone. */
  follow(zoneId: string, isSecondary: boolean): void
  /** Forgets the journal of a zone: its next differences begin with its next serial. */
  restart(zoneId: string): void
  /** Whether secondaries have signatures so old that the zone should step to replace them. */
  isRenewalDue(zoneId: string): boolean
  /** Answers a request of a client that may transfer the zone. `options` go into its OPT record. */
  transfer(zone: Zone, request: TransferRequest, options: readonly EdnsOption[]): Transfer
}

export interface TransferRequest {
  readonly message: Message
  readonly question: Uint8Array
  /** Defined if it came over UDP, where an answer that does not fit is the SOA alone (RFC 1995 §2). */
  readonly udpOctets: number | undefined
  readonly reservedOctets: number
  readonly udpPayloadOctets: number
}

export interface OutgoingDeps {
  readonly table: ZoneTable
  /** Called whenever the serial of a secondary zone has moved. */
  readonly stepped: (zoneId: string) => void
  /** Called when peers are to be notified of it: at once, or when the digest of the zone has been made. */
  readonly announced: (zoneId: string) => void
  readonly log: Pick<Log, 'warn'>
  readonly copies?: SignedCopies
}

export function createOutgoing({
  table,
  stepped,
  announced,
  log,
  copies = createSignedCopies(),
}: OutgoingDeps): Outgoing {
  const semaphore = new Semaphore(1)
  /** Undefined for zones that are to be followed once they are loaded. */
  const secondary = new Map<string, TransferableZone | undefined>()
  let running = 0
  // A zone that is loaded again has no journal.
  table.onLoad((zone) => {
    if (secondary.has(zone.zoneId)) start(zone)
  })

  return {
    follow,
    restart: (zoneId) => secondary.get(zoneId)?.restart(),
    isRenewalDue: (zoneId) => secondary.get(zoneId)?.isDue ?? false,
    transfer,
  }

  function follow(zoneId: string, isSecondary: boolean): void {
    const zone = table.zone(zoneId)
    if (!isSecondary) {
      secondary.get(zoneId)?.end()
      secondary.delete(zoneId)
      if (zone !== undefined) zone.follower = undefined
    } else if (!secondary.has(zoneId)) {
      secondary.set(zoneId, undefined)
      if (zone !== undefined) start(zone)
    }
  }

  function start(zone: Zone): void {
    secondary.get(zone.zoneId)?.end()
    const own = createTransferableZone(zone, copies, (digest) => table.publishDigest(zone, digest))
    secondary.set(zone.zoneId, own)
    const reportFailure = (zoneId: string, error: unknown): void =>
      log.warn({ err: error, zoneId }, 'digest of a zone not made')
    const announce = createAnnouncer(zone, { own, announced, semaphore, failed: reportFailure })
    zone.follower = (step) => {
      own.take(step)
      const isNewSerial = step.serialBefore !== step.serialAfter
      if (isNewSerial) stepped(zone.zoneId)
      announce(isNewSerial)
    }
    announce(false)
  }

  function transfer(zone: Zone, request: TransferRequest, options: readonly EdnsOption[]): Transfer {
    const { form, records } = answerTo(zone, request)
    if (form === 'axfr' && running >= MAX_TRANSFERS) return { kind: 'busy' }
    const messages = transferMessages({ request: request.message, records, options, ...request })
    if (request.udpOctets === undefined) return { kind: 'messages', form, messages: countMessages(messages) }
    const [first, second] = [messages.next().value, messages.next().value]
    messages.return()
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
    const own = secondary.get(zone.zoneId)
    const whole = () => own?.whole() ?? wholeZone(zone)
    if (message.questions[0]?.type !== META_TYPE.IXFR) return { form: 'axfr', records: whole() }
    const serial = serialOf(message)
    if (serial !== undefined && !serialAfter(zone.serial, serial))
      return { form: 'current', records: [soaOf(zone)] }
    const difference = serial === undefined ? undefined : own?.since(serial)
    if (difference !== undefined && difference.changes <= zone.nodes * LARGEST_SHARE + 100)
      return { form: 'ixfr', records: difference.records }
    // Over UDP the whole zone is never sent; the SOA makes the client retry over TCP.
    return udpOctets === undefined
      ? { form: 'axfr', records: whole() }
      : { form: 'current', records: [soaOf(zone)] }
  }

  function* countMessages(messages: Messages): Generator<Uint8Array | undefined, void, undefined> {
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
