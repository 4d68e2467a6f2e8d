// Versions of secondary catalog zones as they are transferred: each is checked as a whole before it is used, and one that
// is not used leaves everything as it is.
import { yieldingIn } from '@zonereeve/cooperate'
import { decodeRdata, encodeRdata, parseName, serialAfter, type Name } from '@zonereeve/dns'
import {
  isLossHeld,
  lossOfMembers,
  readCatalog,
  UnusableCatalog,
  type MemberLoss,
} from '@zonereeve/transfers'
import type { Clock } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import {
  nodesOf,
  zonesGivenTo,
  findSecondaryCatalog,
  membersOf,
  saveEntries,
  saveSecondaryCatalog,
  type HeldVersion,
  type SecondaryCatalog,
} from './secondary-catalogs.store.ts'
import type { IncomingTransfers, ReceivedZone } from './incoming.service.ts'

const PREFIX = 'secondary catalog '

/** Stands in for a zone id where a secondary catalog zone is transferred. */
export const secondaryCatalogId = (name: Name): string => `${PREFIX}${name}`

/** The name in such an id; undefined for zone ids. */
export const catalogNameIn = (id: string): Name | undefined =>
  id.startsWith(PREFIX) ? parseName(id.slice(PREFIX.length)) : undefined

export const serialOf = ({ soa }: Pick<SecondaryCatalog, 'soa'>): number | undefined =>
  soa === null ? undefined : decodeRdata('SOA', soa).serial

export interface CatalogTransfersDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Called when a version was accepted. */
  readonly accepted: () => void
}

/** What the nameserver reports of primaries. */
export type Received = Pick<IncomingTransfers, 'take' | 'confirm' | 'fail' | 'expire'>

/** @param zones takes what is about zones. */
export function createCatalogTransfers(
  { storage, clock, accepted }: CatalogTransfersDeps,
  zones: Received,
): Received {
  return {
    take(id, received, isForced) {
      const name = catalogNameIn(id)
      return name === undefined ? zones.take(id, received, isForced) : take(name, received, isForced)
    },
    // The primary has our version again: what it had meanwhile is gone, and with it a confirmation.
    confirm: (id) =>
      save(id, (catalog) => ({
        ...contactAt(serialOf(catalog) ?? catalog.primarySerial),
        held: null,
        confirmedSerial: null,
      })) ?? zones.confirm(id),
    fail: (id, problem, serial) =>
      save(id, ({ primarySerial, confirmedSerial }) => ({
        checkedOn: clock.timestamp(),
        primarySerial: serial ?? primarySerial,
        confirmedSerial: serial === undefined || serial === confirmedSerial ? confirmedSerial : null,
        problem,
      })) ?? zones.fail(id, problem, serial),
    // Its members stay: they expire on their own.
    expire: (id) => (catalogNameIn(id) === undefined ? zones.expire(id) : Promise.resolve()),
  }

  /** @throws UnusableCatalog: the version is not used. */
  async function take(name: Name, received: ReceivedZone, isForced: boolean): Promise<boolean> {
    const { soa, soaTtlSeconds, fromSerial, contents } = received
    const outcome = await storage.write(async (tx): Promise<boolean | MemberLoss> => {
      const catalog = await findSecondaryCatalog(tx, name)
      if (catalog === undefined || catalog.isEnding) return false
      const ours = serialOf(catalog)
      if (fromSerial !== undefined && ours !== fromSerial) return false
      if (ours !== undefined && !isForced && !serialAfter(soa.serial, ours)) return false
      const before = await nodesOf(tx, name)
      const after = await yieldingIn(tx, readCatalog(name, contents, before.values()))
      const zones = { own: await membersOf(tx, name), given: await zonesGivenTo(tx, catalog) }
      const loss = await yieldingIn(tx, lossOfMembers(zones, before, after))
      if (catalog.confirmedSerial !== soa.serial && isLossHeld(loss)) {
        await saveSecondaryCatalog(tx, {
          ...catalog,
          held: heldVersion(soa.serial, loss),
          primarySerial: soa.serial,
          confirmedSerial: null,
        })
        return loss
      }
      await saveEntries(tx, name, before, after)
      await saveSecondaryCatalog(tx, {
        ...catalog,
        ...contactAt(soa.serial),
        soa: encodeRdata('SOA', soa),
        soaTtlSeconds,
        transferredOn: clock.timestamp(),
        held: null,
        confirmedSerial: null,
      })
      tx.onCommit(accepted)
      return true
    })
    if (typeof outcome === 'boolean') return outcome
    throw new UnusableCatalog(heldText(soa.serial, outcome))
  }

  /** @returns undefined for zones. */
  function save(
    id: string,
    changes: (catalog: SecondaryCatalog) => Partial<SecondaryCatalog>,
  ): Promise<void> | undefined {
    const name = catalogNameIn(id)
    if (name === undefined) return undefined
    return storage.write(async (tx) => {
      const catalog = await findSecondaryCatalog(tx, name)
      if (catalog !== undefined) await saveSecondaryCatalog(tx, { ...catalog, ...changes(catalog) })
    })
  }

  function contactAt(primarySerial: number | null) {
    const contact = { checkedOn: clock.timestamp(), refreshedAtMillis: clock.now() }
    return { ...contact, primarySerial, problem: null }
  }
}

/** Zones of a held version whose names are stored. */
const MAX_NAMES = 100

const heldVersion = (serial: number, { members, removed, reset }: MemberLoss): HeldVersion => ({
  serial,
  members,
  removed: removed.length,
  reset: reset.length,
  zones: [...removed, ...reset].slice(0, MAX_NAMES),
})

const heldText = (serial: number, { members, removed, reset }: MemberLoss): string =>
  `version ${serial} removes ${removed.length} and resets ${reset.length} of ${members} member zones: it is not used until its serial is confirmed`
