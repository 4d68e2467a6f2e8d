// Dynamic updates (RFC 2136): the same rules, transaction and change log as for a batch over HTTP.
import { RCODE, type Message, type Name } from '@zonereeve/dns'
import { type Actor, type Caller, DomainError, type Ids, type Log } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { MAX_BATCH_STEPS, rowsAt, type DnsRecords } from '../dns-records/index.ts'
import type { Tokens } from '../../accounts/index.ts'
import { findZoneNamed, servedNameServers, type Zone } from '../../zones/index.ts'
import type { UpdateKeys } from './update-keys.service.ts'
import { readUpdate, zoneNameOf, type UpdateRequest } from './update-message.rules.ts'
import { UpdateRefusal } from './update-refusal.ts'
import { createZoneImage } from './zone-image.rules.ts'

export interface DynamicUpdatesDeps {
  readonly storage: Storage
  readonly ids: Ids
  readonly log: Log
  readonly keys: Pick<UpdateKeys, 'find'>
  readonly tokens: Pick<Tokens, 'actingAs'>
  readonly records: Pick<DnsRecords, 'applySteps'>
}

/** The sender of an update. */
export interface UpdateSender {
  readonly address: string
  /** Name of the key that signed it; undefined for an unsigned update. */
  readonly keyName: Name | undefined
}

/** Permission groups, any of which is required, as for records over HTTP. */
const PERMISSION = ['DNS Write']
/** Maximum number of updates that wait for the disk; further ones get SERVFAIL. */
const MAX_WAITING = 200

export function createDynamicUpdates({ storage, ids, log, keys, tokens, records }: DynamicUpdatesDeps) {
  let waiting = 0
  return { update }

  /** Performs an update, and answers when it is durable. Never rejects. @returns the response code. */
  async function update(message: Message, sender: UpdateSender): Promise<number> {
    if (waiting >= MAX_WAITING) return RCODE.SERVFAIL
    waiting += 1
    try {
      await perform(message, sender)
      return RCODE.NOERROR
    } catch (error) {
      return rcodeOf(error, sender)
    } finally {
      waiting -= 1
    }
  }

  async function perform(message: Message, sender: UpdateSender): Promise<void> {
    const zoneName = zoneNameOf(message)
    // Checked before the store is read: anybody can send unsigned updates, from spoofed addresses.
    if (sender.keyName === undefined) throw unsignedRefusal()
    const zone = await findZoneNamed(storage, zoneName)
    if (zone === undefined) throw new UpdateRefusal(RCODE.NOTAUTH, 'there is no such zone')
    // Checked first, because prerequisites would reveal what the zone contains.
    const actor = await authorize(zone, sender)
    // Clients must update the primary: nothing is forwarded (RFC 2136 §6.1).
    if (zone.type === 'secondary') throw new UpdateRefusal(RCODE.REFUSED, 'the zone follows a primary')
    const request = readUpdate(message)
    await storage.write((tx) => write(tx, request, actor))
  }

  /** @throws UpdateRefusal: REFUSED */
  async function authorize(
    { id: zoneId, accountId }: Zone,
    { address, keyName }: UpdateSender,
  ): Promise<Actor> {
    const key = keyName === undefined ? undefined : keys.find(keyName)
    if (key === undefined) throw unsignedRefusal()
    const caller = await tokens.actingAs({ kind: 'user', id: key.userId }, key.tokenId, address)
    if (!caller.can(PERMISSION, { kind: 'zone', zoneId, accountId }))
      throw new UpdateRefusal(RCODE.REFUSED, 'the token may not write records of the zone')
    return actorOf(caller, ids.id(), address)
  }

  async function write(tx: Transaction, request: UpdateRequest, actor: Actor): Promise<void> {
    // Read again: the zone may have been deleted since it was found outside the transaction.
    const zone = await findZoneNamed(tx, request.zoneName)
    if (zone === undefined) throw new UpdateRefusal(RCODE.NOTAUTH, 'there is no such zone')
    const names = new Set([...request.prerequisites, ...request.steps].map(({ name }) => name))
    const rows = await rowsAt(tx, zone.id, [...names])
    const image = createZoneImage({ apex: zone.name, nameServers: servedNameServers(zone), rows })
    image.checkPrerequisites(request.prerequisites)
    image.apply(request.steps)
    const steps = image.steps()
    if (steps.length > MAX_BATCH_STEPS[zone.plan])
      throw new UpdateRefusal(RCODE.REFUSED, `${steps.length} changes are too many for one update`)
    if (steps.length > 0) await records.applySteps(tx, zone, steps, actor)
  }

  function rcodeOf(error: unknown, sender: UpdateSender): number {
    if (error instanceof UpdateRefusal) {
      // Anybody can send any number of unsigned updates: they must not fill the log.
      const level = sender.keyName === undefined ? 'debug' : 'info'
      log[level]({ ...sender, why: error.message }, 'dns update refused')
      return error.rcode
    }
    if (error instanceof DomainError) {
      const reasons = error.issues.map(({ reason }) => reason)
      // Nothing is wrong with the update: clients try another server, for example the node that writes.
      if (reasons.includes('storage.unavailable')) {
        log.info({ ...sender, reasons }, 'dns update not possible now')
        return RCODE.SERVFAIL
      }
      // HTTP describes each broken rule; DNS has one response code for all of them, so the reasons are logged.
      log.info({ ...sender, reasons }, 'dns update refused')
      return RCODE.REFUSED
    }
    log.error({ err: error }, 'dns update failed')
    return RCODE.SERVFAIL
  }
}

const unsignedRefusal = () => new UpdateRefusal(RCODE.REFUSED, 'the update is not signed by an update key')

const actorOf = ({ kind, id, name }: Caller, requestId: string, address: string): Actor => ({
  kind,
  id,
  name,
  requestId,
  trail: { address, operation: 'dns_update', isRecorded: false },
})
