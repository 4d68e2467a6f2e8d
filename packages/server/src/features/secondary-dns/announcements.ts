// What the nameserver is told of transfers: after commit, in the order of commits.
import { octetsFromBase64, type Name, type TsigKey } from '@zonereeve/dns'
import type { Reader, Transaction } from '../../storage/index.ts'
import { findZone, type FollowedAuthority, type Zone } from '../zones/index.ts'
import { allIncoming, authorityOf, findFollowed, type Incoming } from './incoming.store.ts'
import { allOutgoing, type Outgoing } from './outgoing.store.ts'
import type { StoredTsig } from './transfer-object.ts'
import { accountsWithObjects, objectsOf } from './transfer-objects.store.ts'

export interface KnownPeer {
  readonly id: string
  readonly address: string | undefined
  readonly port: number
  readonly key: TsigKey | undefined
  /** Whether it is asked for differences. */
  readonly ixfrEnabled: boolean
}

/** A zone that may be asked for, and by whom. */
export interface OpenZone {
  readonly zoneId: string
  readonly accountId: string
  readonly peers: readonly KnownPeer[]
  readonly ranges: readonly string[]
}

/** A zone that follows others, and how it stands with it. */
export interface ZonePrimaries {
  readonly zoneId: string
  readonly name: Name
  readonly peers: readonly KnownPeer[]
  readonly autoRefreshSeconds: number
  /** Whether its primaries have been asked before. */
  readonly isKnown: boolean
  /** Undefined before the first transfer. */
  readonly authority: FollowedAuthority | undefined
}

export interface CatalogMember {
  /** The member's label: stays as long as the zone does (RFC 9432 §4.1). */
  readonly zoneId: string
  readonly name: Name
}

export interface CatalogContents {
  readonly name: Name
  readonly serial: number
  readonly members: readonly CatalogMember[]
}

export type TransferEvent =
  | { readonly kind: 'keys'; readonly accountId: string; readonly keys: readonly TsigKey[] }
  | { readonly kind: 'zone'; readonly zoneId: string; readonly open: OpenZone | undefined }
  | { readonly kind: 'notify'; readonly zoneId: string }
  /** Whom the zone follows; undefined = nobody. */
  | { readonly kind: 'primaries'; readonly zoneId: string; readonly primaries: ZonePrimaries | undefined }
  | { readonly kind: 'force_axfr'; readonly zoneId: string }
  /** The whole catalog zone; undefined = there is none any more. */
  | { readonly kind: 'catalog'; readonly accountId: string; readonly contents: CatalogContents | undefined }
  | {
      readonly kind: 'catalog_member'
      readonly accountId: string
      readonly serial: number
      readonly member: CatalogMember
      readonly isMember: boolean
    }

export type Announcements = ReturnType<typeof createAnnouncements>

export function createAnnouncements({ publish }: { readonly publish: (event: TransferEvent) => void }) {
  return { publish, announceZone, announceIncoming, announceAccount, announceAll }

  /** Puts into force how a zone may be had. */
  async function announceZone(tx: Transaction, zone: Zone, outgoing: Outgoing | undefined): Promise<void> {
    const open =
      outgoing?.isEnabled === true
        ? openZone(await knownOf(tx, zone.accountId), zone.id, outgoing.peerIds)
        : undefined
    tx.onCommit(() => publish({ kind: 'zone', zoneId: zone.id, open }))
  }

  /** Puts into force whom a zone follows. */
  async function announceIncoming(
    tx: Transaction,
    zone: Zone,
    incoming: Incoming | undefined,
  ): Promise<void> {
    const primaries =
      incoming === undefined
        ? undefined
        : await primariesOf(tx, await knownOf(tx, zone.accountId), { zone, incoming })
    tx.onCommit(() => publish({ kind: 'primaries', zoneId: zone.id, primaries }))
  }

  /** Puts into force all that an account's keys, ACLs and peers say. */
  async function announceAccount(
    tx: Transaction,
    accountId: string,
    more: readonly { readonly zoneId: string; readonly peerIds: readonly string[] }[],
  ): Promise<void> {
    const events = await eventsOf(tx, accountId, more)
    tx.onCommit(() => events.forEach(publish))
  }

  /** At the start. */
  async function announceAll(
    db: Reader,
    moreOf: (
      db: Reader,
      accountId: string,
    ) => Promise<readonly { zoneId: string; peerIds: readonly string[] }[]>,
  ): Promise<void> {
    for (const accountId of await accountsWithObjects(db))
      for (const event of await eventsOf(db, accountId, await moreOf(db, accountId))) publish(event)
  }
}

async function eventsOf(
  db: Reader,
  accountId: string,
  more: readonly { readonly zoneId: string; readonly peerIds: readonly string[] }[],
): Promise<TransferEvent[]> {
  const known = await knownOf(db, accountId)
  const incoming = await primariesOfAccount(db, known)
  const enabled = (await allOutgoing(db, accountId)).filter(({ isEnabled }) => isEnabled)
  return [
    { kind: 'keys', accountId, keys: [...known.keys.values()] },
    ...[...enabled, ...more].map(({ zoneId, peerIds }): TransferEvent => {
      return { kind: 'zone', zoneId, open: openZone(known, zoneId, peerIds) }
    }),
    ...incoming.map((primaries): TransferEvent => {
      return { kind: 'primaries', zoneId: primaries.zoneId, primaries }
    }),
  ]
}

interface Known {
  readonly accountId: string
  readonly keys: ReadonlyMap<string, TsigKey>
  readonly peers: ReadonlyMap<string, KnownPeer>
  readonly ranges: readonly string[]
}

async function knownOf(db: Reader, accountId: string): Promise<Known> {
  const tsigs = await objectsOf(db, accountId, 'tsig')
  const keys = new Map(tsigs.map((tsig) => [tsig.id, toKey(tsig)]))
  const peers = (await objectsOf(db, accountId, 'peer')).map(({ id, ip, port, tsigId, ixfrEnabled }) => {
    return [id, { id, address: ip ?? undefined, port, key: keys.get(tsigId ?? ''), ixfrEnabled }] as const
  })
  const ranges = (await objectsOf(db, accountId, 'acl')).map(({ ipRange }) => ipRange)
  return { accountId, keys, peers: new Map(peers), ranges }
}

function openZone({ accountId, peers, ranges }: Known, zoneId: string, peerIds: readonly string[]): OpenZone {
  const those = peerIds.map((id) => peers.get(id)).filter((peer) => peer !== undefined)
  return { zoneId, accountId, peers: those, ranges }
}

async function primariesOfAccount(db: Reader, known: Known): Promise<ZonePrimaries[]> {
  const all: ZonePrimaries[] = []
  for (const incoming of await allIncoming(db, known.accountId)) {
    const zone = await findZone(db, incoming.zoneId)
    if (zone !== undefined) all.push(await primariesOf(db, known, { zone, incoming }))
  }
  return all
}

async function primariesOf(
  db: Reader,
  { peers }: Known,
  { zone, incoming }: { readonly zone: Zone; readonly incoming: Incoming },
): Promise<ZonePrimaries> {
  const followed = await findFollowed(db, zone.id)
  return {
    zoneId: zone.id,
    name: zone.name,
    peers: incoming.peerIds.map((id) => peers.get(id)).filter((peer) => peer !== undefined),
    autoRefreshSeconds: incoming.autoRefreshSeconds,
    isKnown: followed.checkedOn !== null,
    authority: authorityOf(followed),
  }
}

const toKey = ({ name, algorithm, secret }: StoredTsig): TsigKey => ({
  name: name as Name, // stored in canonical text
  algorithm,
  secret: octetsFromBase64(secret) ?? new Uint8Array(0),
})
