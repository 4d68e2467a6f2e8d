// The configuration that the nameserver needs to send and to fetch zones, as stored.
import { randomBytes } from 'node:crypto'
import { octetsFromBase64, type Name, type TsigKey } from '@zonereeve/dns'
import type { Reader } from '@zonereeve/storage'
import { findZone, type SecondaryAuthority, type Zone } from '../../zones/index.ts'
import { catalogTransfers } from './catalog-zone.service.ts'
import { secondaryCatalogId, catalogNameIn } from './catalog-transfers.service.ts'
import {
  findSecondaryCatalog,
  secondaryCatalogsOf,
  type SecondaryCatalog,
} from './secondary-catalogs.store.ts'
import {
  allIncoming,
  authorityOf,
  findSecondary,
  findIncoming,
  type Incoming,
  type SecondaryState,
} from './incoming.store.ts'
import { allOutgoing, findOutgoing } from './outgoing.store.ts'
import type { PeerTls, StoredTsig } from './transfer-object.ts'
import { objectsOf } from './transfer-objects.store.ts'

export interface KnownPeer {
  readonly id: string
  readonly address: string | undefined
  readonly port: number
  readonly key: TsigKey | undefined
  /** Whether differences (IXFR) are requested. */
  readonly ixfrEnabled: boolean
  /** Undefined: transfers from it are not encrypted. */
  readonly tls: PeerTls | undefined
}

/** A zone with outgoing transfers, and its allowed clients. */
export interface OpenZone {
  readonly zoneId: string
  readonly accountId: string
  readonly peers: readonly KnownPeer[]
  readonly ranges: readonly string[]
}

/** A secondary zone and its transfer state. */
export interface ZonePrimaries {
  readonly zoneId: string
  readonly name: Name
  readonly peers: readonly KnownPeer[]
  readonly autoRefreshSeconds: number
  /** Whether its primaries have been queried before. */
  readonly isKnown: boolean
  /** The operation that transfers it whatever its serial. */
  readonly forcedBy: string
  /** Undefined before the first transfer. */
  readonly authority: SecondaryAuthority | undefined
}

/** The active configuration of an account: its keys, and the zones that are sent or fetched with them. */
export interface AccountTransfers {
  readonly keys: readonly TsigKey[]
  readonly open: readonly OpenZone[]
  readonly primaries: readonly ZonePrimaries[]
}

export async function readAccountTransfers(db: Reader, accountId: string): Promise<AccountTransfers> {
  const known = await knownOf(db, accountId)
  const enabled = (await allOutgoing(db, accountId)).filter(({ isEnabled }) => isEnabled)
  const all = [...enabled, ...(await catalogTransfers(db, accountId))]
  return {
    keys: [...known.keys.values()],
    open: all.map(({ zoneId, peerIds }) => openZone(known, zoneId, peerIds)),
    primaries: [...(await primariesOfAccount(db, known)), ...(await catalogPrimaries(db, known))],
  }
}

/** The outgoing transfers of the zone; undefined if they are disabled. */
export async function readOpenZone(db: Reader, zoneId: string): Promise<OpenZone | undefined> {
  const zone = await findZone(db, zoneId)
  const outgoing = zone && (await findOutgoing(db, zoneId))
  if (zone === undefined || outgoing?.isEnabled !== true) return undefined
  return openZone(await knownOf(db, zone.accountId), zoneId, outgoing.peerIds)
}

/** The primaries of the zone or secondary catalog zone; undefined if there are none. */
export async function readPrimaries(db: Reader, zoneId: string): Promise<ZonePrimaries | undefined> {
  const name = catalogNameIn(zoneId)
  if (name !== undefined) return readCatalogPrimaries(db, name)
  const zone = await findZone(db, zoneId)
  const incoming = zone && (await findIncoming(db, zoneId))
  if (zone === undefined || incoming === undefined) return undefined
  return primariesOf(db, await knownOf(db, zone.accountId), { zone, incoming })
}

interface KnownTransfers {
  readonly accountId: string
  readonly keys: ReadonlyMap<string, TsigKey>
  readonly peers: ReadonlyMap<string, KnownPeer>
  readonly ranges: readonly string[]
}

async function knownOf(db: Reader, accountId: string): Promise<KnownTransfers> {
  const tsigs = await objectsOf(db, accountId, 'tsig')
  const keys = new Map(tsigs.map((tsig) => [tsig.id, toKey(tsig)]))
  const peers = (await objectsOf(db, accountId, 'peer')).flatMap(
    ({ id, ip, port, tsigId, ixfrEnabled, tls }) => {
      const key = tsigId === null ? undefined : keys.get(tsigId)
      if (tsigId !== null && key === undefined) return [[id, lockedPeer(id)] as const]
      return [[id, { id, address: ip ?? undefined, port, key, ixfrEnabled, tls: tls ?? undefined }] as const]
    },
  )
  const ranges = (await objectsOf(db, accountId, 'acl')).map(({ ipRange }) => ipRange)
  return { accountId, keys, peers: new Map(peers), ranges }
}

function openZone(
  { accountId, peers, ranges }: KnownTransfers,
  zoneId: string,
  peerIds: readonly string[],
): OpenZone {
  return { zoneId, accountId, peers: peerIds.map((id) => peers.get(id) ?? lockedPeer(id)), ranges }
}

/**
 * Replaces a peer that cannot be read, or whose key cannot. Its key is random: without a key, an address alone
 * might receive the zone.
 */
function lockedPeer(id: string): KnownPeer {
  const key: TsigKey = { name: '' as Name, algorithm: 'hmac-sha256', secret: randomBytes(32) } // the root: no key has that name
  return { id, address: undefined, port: 0, key, ixfrEnabled: false, tls: undefined }
}

async function primariesOfAccount(db: Reader, known: KnownTransfers): Promise<ZonePrimaries[]> {
  const all: ZonePrimaries[] = []
  for (const incoming of await allIncoming(db, known.accountId)) {
    const zone = await findZone(db, incoming.zoneId)
    if (zone !== undefined) all.push(await primariesOf(db, known, { zone, incoming }))
  }
  return all
}

async function readCatalogPrimaries(db: Reader, name: Name): Promise<ZonePrimaries | undefined> {
  const catalog = await findSecondaryCatalog(db, name)
  if (catalog === undefined || catalog.isEnding) return undefined
  return primariesOfCatalog(await knownOf(db, catalog.accountId), catalog)
}

async function catalogPrimaries(db: Reader, known: KnownTransfers): Promise<ZonePrimaries[]> {
  const catalogs = await secondaryCatalogsOf(db, known.accountId)
  return catalogs.filter(({ isEnding }) => !isEnding).map((each) => primariesOfCatalog(known, each))
}

function primariesOfCatalog(known: KnownTransfers, catalog: SecondaryCatalog): ZonePrimaries {
  const zoneId = secondaryCatalogId(catalog.name)
  return toPrimaries(known, { ...catalog, zoneId }, catalog)
}

async function primariesOf(
  db: Reader,
  known: KnownTransfers,
  { zone, incoming }: { readonly zone: Zone; readonly incoming: Incoming },
): Promise<ZonePrimaries> {
  return toPrimaries(known, { ...incoming, name: zone.name }, await findSecondary(db, zone.id))
}

function toPrimaries(
  { peers }: KnownTransfers,
  {
    zoneId,
    name,
    peerIds,
    autoRefreshSeconds,
  }: Pick<Incoming, 'zoneId' | 'peerIds' | 'autoRefreshSeconds'> & { readonly name: Name },
  secondary: Parameters<typeof authorityOf>[0] & Pick<SecondaryState, 'checkedOn'>,
): ZonePrimaries {
  return {
    zoneId,
    name,
    peers: peerIds.map((id) => peers.get(id)).filter((peer) => peer !== undefined),
    autoRefreshSeconds,
    isKnown: secondary.checkedOn !== null,
    forcedBy: catalogNameIn(zoneId) === undefined ? 'force_axfr' : 'confirm',
    authority: authorityOf(secondary),
  }
}

const toKey = ({ name, algorithm, secret }: StoredTsig): TsigKey => ({
  name: name as Name, // stored in canonical text
  algorithm,
  secret: octetsFromBase64(secret) ?? new Uint8Array(0),
})
