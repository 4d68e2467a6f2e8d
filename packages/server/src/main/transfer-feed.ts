// Tells those who send zones what may be sent to whom, and keeps the catalog zones that list them.
import { encodeRdata, joinName, parseName, type Name, type TsigAlgorithm, type TsigKey } from '@zonereeve/dns'
import {
  catalogZoneId,
  refreshTimesOf,
  type CatalogContents,
  type CatalogMember,
  type OpenZone,
  type IncomingTransfers,
  type TransferEvent,
} from '../features/secondary-dns/index.ts'
import { UnusableZone } from '../features/dns-records/index.ts'
import type { NameserverMetrics, Respond, ZoneContents, ZoneRecord, ZoneTable } from '../nameserver/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Serving } from '../serving/index.ts'
import {
  createExchange,
  createFollower,
  createNotifier,
  createOutgoing,
  createTransferPolicies,
} from '../transfers/index.ts'

/** How long a zone waits for the ends of its chains before it is sent without them. */
const SETTLE_MILLIS = 5_000
const LOOK_AGAIN_MILLIS = 50
/** Peers come after each change: when they came is not worth a commit each time. */
const SAVE_SEEN_MILLIS = 10_000

/** RFC 9432 §4.1: no resolver asks, so what matters is how soon a peer looks again that missed a notification. */
const CATALOG_SOA = { refresh: 60, retry: 30, expire: 604_800, minimum: 0, ttl: 0 }
const INVALID = parseName('invalid')
const PTR = 12
const TXT = 16

export interface TransferFeedDeps {
  readonly table: ZoneTable
  readonly serving: () => Serving
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<NameserverMetrics, 'countQuery'>
  /** Keys that sign updates: questions may be signed with them too, but they open nothing. */
  readonly findUpdateKey: (name: Name, algorithm: TsigAlgorithm) => TsigKey | undefined
  /** Moves a zone's serial although nothing that is stored has changed. */
  readonly stepZone: (zoneId: string) => Promise<void>
  /** Takes what primaries say, and keeps when peers last came. There once something listens. */
  readonly secondaryDns: () => {
    readonly incoming: Pick<IncomingTransfers, 'take' | 'confirm' | 'fail' | 'expire'>
    readonly outgoing: { saveAllSeen(seen: ReadonlyMap<string, Readonly<Seen>>): Promise<void> }
  }
}

type MemberEvent = Extract<TransferEvent, { readonly kind: 'catalog_member' }>

interface Seen {
  checkedOn: string | null
  transferredOn: string | null
}

const UNSEEN: Seen = { checkedOn: null, transferredOn: null }

export function createTransferFeed(deps: TransferFeedDeps) {
  const { table, serving, clock, log, metrics, stepZone, secondaryDns, findUpdateKey } = deps
  const policies = createTransferPolicies()
  const withUpdateKeys = {
    findKey: (name: Name, algorithm: TsigAlgorithm) =>
      policies.findKey(name, algorithm) ?? findUpdateKey(name, algorithm),
    // A key that is known for updates alone must not pass for a peer's of that name.
    mayTransfer: (zoneId: string, address: string, key: TsigKey | undefined) =>
      (key === undefined || policies.findKey(key.name, key.algorithm) !== undefined) &&
      policies.mayTransfer(zoneId, address, key),
  }
  const notifier = createNotifier({ table, policies, clock, log })
  const outgoing = createOutgoing({ table, stepped: notifier.notify })
  const follower = createFollower({
    clock,
    log,
    take: (...received) => secondaryDns().incoming.take(...received),
    confirm: (zoneId) => secondaryDns().incoming.confirm(zoneId),
    fail: (...failed) => secondaryDns().incoming.fail(...failed),
    expire: (zoneId) => secondaryDns().incoming.expire(zoneId),
    isUnusable: (error) => error instanceof UnusableZone,
    timesOf: refreshTimesOf,
  })
  const seen = new Map<string, Seen>()
  /** Apexes of catalog zones. */
  const catalogs = new Map<string, Name>()
  /** What zones that are being opened will be opened with. */
  const opening = new Map<string, OpenZone>()
  /** Zones whose peers have come since that was saved last. */
  const unsaved = new Set<string>()
  const saving = setInterval(() => void saveUnsaved(), SAVE_SEEN_MILLIS).unref()
  let isClosed = false

  return {
    publish,
    /** How the zone is signed has changed: whoever has a copy is to take all of it. */
    restart: (zoneId: string) => outgoing.restart(zoneId),
    isRenewalDue: (zoneId: string) => outgoing.isRenewalDue(zoneId),
    exchange: (respond: Respond) =>
      createExchange(
        {
          table,
          policies: withUpdateKeys,
          outgoing,
          clock,
          log,
          metrics,
          observe,
          heard: follower.heard,
          expiresAtMillis: follower.expiresAtMillis,
        },
        respond,
      ),
    /** For the serving layer: copies of a zone that is open are told apart by its serial alone. */
    serials: {
      isBound: (zoneId: string) => policies.zone(zoneId) !== undefined,
      request: (zoneId: string) => void step(zoneId),
    },
    lastSeen: (zoneId: string): Readonly<Seen> => seen.get(zoneId) ?? UNSEEN,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(saving)
      notifier.close()
      await follower.close()
      await saveUnsaved()
    },
  }

  function observe({
    zoneId,
    kind,
  }: {
    readonly zoneId: string
    readonly kind: 'checked' | 'transferred'
  }): void {
    const at = clock.timestamp()
    const before = seen.get(zoneId) ?? UNSEEN
    unsaved.add(zoneId)
    seen.set(zoneId, kind === 'checked' ? { ...before, checkedOn: at } : { checkedOn: at, transferredOn: at })
  }

  async function saveUnsaved(): Promise<void> {
    const latest = [...unsaved].map((zoneId) => [zoneId, seen.get(zoneId) ?? UNSEEN] as const)
    unsaved.clear()
    try {
      if (latest.length > 0) await secondaryDns().outgoing.saveAllSeen(new Map(latest))
    } catch (error) {
      // It is told from memory as long as the program runs; the peers come again.
      log.warn({ error }, 'times of transfers not saved')
    }
  }

  function publish(event: TransferEvent): void {
    if (event.kind === 'keys') policies.setKeys(event)
    else if (event.kind === 'notify') notifier.notify(event.zoneId)
    else if (event.kind === 'primaries') follower.set(event.zoneId, event.primaries)
    else if (event.kind === 'force_axfr') follower.force(event.zoneId)
    else if (event.kind === 'zone') setOpen(event.zoneId, event.open)
    else if (event.kind === 'catalog') loadCatalog(event.accountId, event.contents)
    else changeCatalog(event)
  }

  function setOpen(zoneId: string, open: OpenZone | undefined): void {
    const isOpen = policies.zone(zoneId) !== undefined
    if (open === undefined) {
      opening.delete(zoneId)
      policies.setZone(zoneId, undefined)
      outgoing.follow(zoneId, false)
    } else if (isOpen) policies.setZone(zoneId, open)
    else if (opening.has(zoneId)) opening.set(zoneId, open)
    else if (serving().hasDerived(zoneId)) {
      opening.set(zoneId, open)
      void openLater(zoneId)
    } else openNow(zoneId, open)
  }

  function openNow(zoneId: string, open: OpenZone): void {
    policies.setZone(zoneId, open)
    outgoing.follow(zoneId, true)
  }

  /**
   * A zone whose answers depend on more than its records may be another than the one with the same serial that peers
   * have: it gets a new serial first, once its chains have been followed, and no way leads there from the old one.
   */
  async function openLater(zoneId: string): Promise<void> {
    const deadline = clock.now() + SETTLE_MILLIS
    while (!isClosed && !serving().isSettled(zoneId) && clock.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MILLIS))
    await step(zoneId)
    const open = opening.get(zoneId)
    opening.delete(zoneId)
    if (open === undefined || isClosed) return
    openNow(zoneId, open)
    notifier.notify(zoneId)
  }

  async function step(zoneId: string): Promise<void> {
    if (isClosed) return
    try {
      await stepZone(zoneId)
    } catch (error) {
      // The next change tries again; until then peers keep what they have, which is whole.
      log.error({ error, zoneId }, 'serial not moved')
    }
  }

  function loadCatalog(accountId: string, contents: CatalogContents | undefined): void {
    const zoneId = catalogZoneId(accountId)
    if (contents === undefined) {
      catalogs.delete(zoneId)
      table.remove(zoneId)
    } else {
      catalogs.set(zoneId, contents.name)
      table.load(toCatalog(zoneId, contents))
    }
  }

  function changeCatalog({ accountId, serial, member, isMember }: MemberEvent): void {
    const zoneId = catalogZoneId(accountId)
    const apex = catalogs.get(zoneId)
    if (apex === undefined) return
    const records = [memberRecord(apex, member)]
    table.apply({ zoneId, serial, removed: isMember ? [] : records, added: isMember ? records : [] })
  }
}

function toCatalog(zoneId: string, { name, serial, members }: CatalogContents): ZoneContents {
  const version: ZoneRecord = {
    id: 'version',
    name: joinName('version', name),
    type: TXT,
    ttl: 0,
    rdata: encodeRdata('TXT', { strings: [Uint8Array.of(0x32)] }),
  }
  return {
    zoneId,
    apex: name,
    soa: { ...CATALOG_SOA, mname: INVALID, rname: INVALID, serial },
    nameServers: [INVALID],
    nsTtl: 0,
    multiProvider: false,
    records: [version, ...members.map((member) => memberRecord(name, member))],
  }
}

const memberRecord = (apex: Name, { zoneId, name }: CatalogMember): ZoneRecord => ({
  id: zoneId,
  name: parseName(`${zoneId}.zones.${apex}`),
  type: PTR,
  ttl: 0,
  rdata: encodeRdata('PTR', { target: name }),
})
