// Plans and applies a zone's record sets with the same requests as octoDNS and its provider: the same paths, pages,
// bodies and order. This suite has no reliable package source for octoDNS itself.
import type { Target } from '../program.ts'
import { VALUE_CODECS, type ProviderRecord, type RecordSetType, type Value } from './octodns-values.ts'

export interface RecordSet {
  /** Relative to the zone; '' at the apex. */
  readonly name: string
  readonly type: RecordSetType
  readonly ttl: number
  readonly values: readonly Value[]
}

export interface Sync {
  /** The zone's record sets as `octodns-dump` writes them. */
  readonly dump: () => Promise<readonly RecordSet[]>
  /** The plan of `octodns-sync`, as "create|update|delete name type". */
  readonly plan: (desired: readonly RecordSet[]) => Promise<readonly string[]>
  /** `octodns-sync --doit`: creates the zone if it is missing. */
  readonly apply: (desired: readonly RecordSet[]) => Promise<readonly string[]>
  /** Forwarded URLs as octoDNS reads them from the active page rules: "path -> url (status)". */
  readonly forwards: () => Promise<readonly string[]>
  /** Creates a URLFWD record's value, or replaces the existing forward. */
  readonly forward: (path: string, url: string, statusCode: number) => Promise<void>
  readonly stopForwarding: () => Promise<void>
}

interface PageRule {
  readonly id: string
  readonly targets: readonly { readonly constraint: { readonly value: string } }[]
  readonly actions: readonly {
    readonly id: string
    readonly value: { readonly url: string; readonly status_code: number }
  }[]
}

interface Change {
  readonly kind: 'delete' | 'create' | 'update'
  readonly set: RecordSet
}

interface Page<Item> {
  readonly result: Item[]
  readonly result_info: { readonly count: number; readonly per_page: number }
}

type Body = Readonly<Record<string, unknown>>

/** The provider raises lower ttls to this minimum, and reads the automatic ttl as 300. */
const MIN_TTL = 120
const AUTOMATIC_TTL = 300
const ZONES_PER_PAGE = 50
const RECORDS_PER_PAGE = 100
/** This order allows a CNAME to become an address, and an address a CNAME. */
const KINDS = ['delete', 'create', 'update'] as const

export function createSync(target: Target, zoneName: string): Sync {
  return { dump, plan, apply, forwards, forward, stopForwarding }

  async function dump(): Promise<readonly RecordSet[]> {
    return toSets(zoneName, await records(await zoneId()))
  }

  async function plan(desired: readonly RecordSet[]): Promise<readonly string[]> {
    return changesBetween(await dump(), desired).map(describe)
  }

  async function apply(desired: readonly RecordSet[]): Promise<readonly string[]> {
    const id = (await zoneId()) ?? (await createZone())
    const existing = await records(id)
    const changes = changesBetween(toSets(zoneName, existing), desired)
    for (const change of changes) await applyChange(`/zones/${id}/dns_records`, change, existing)
    return changes.map(describe)
  }

  async function forwards(): Promise<readonly string[]> {
    return (await forwardingRules()).map(({ targets, actions }) => {
      const value = actions[0]?.value
      return `${targets[0]?.constraint.value} -> ${value?.url} (${value?.status_code})`
    })
  }

  async function forward(path: string, url: string, statusCode: number): Promise<void> {
    const body = {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: `${zoneName}${path}` } }],
      actions: [{ id: 'forwarding_url', value: { url, status_code: statusCode } }],
      status: 'active',
    }
    const [old] = await forwardingRules()
    if (old === undefined) await request('POST', `/zones/${await zoneId()}/pagerules`, body)
    else await request('PUT', `/zones/${await zoneId()}/pagerules/${old.id}`, body)
  }

  async function stopForwarding(): Promise<void> {
    for (const { id } of await forwardingRules())
      await request('DELETE', `/zones/${await zoneId()}/pagerules/${id}`)
  }

  /** The provider assumes one target and one action in each rule. */
  async function forwardingRules(): Promise<readonly PageRule[]> {
    const path = `/zones/${await zoneId()}/pagerules?status=active`
    const { result } = await request<{ result: readonly PageRule[] }>('GET', path)
    return result.filter(({ actions }) => actions[0]?.id === 'forwarding_url')
  }

  async function zoneId(): Promise<string | undefined> {
    const zones = await pages<{ id: string; name: string }>('/zones', ZONES_PER_PAGE)
    return zones.find((zone) => zone.name === zoneName)?.id
  }

  async function records(id: string | undefined): Promise<readonly ProviderRecord[]> {
    return id === undefined ? [] : pages(`/zones/${id}/dns_records`, RECORDS_PER_PAGE)
  }

  /** The next page is requested only if this one is full; the total is ignored. */
  async function pages<Item>(path: string, perPage: number): Promise<Item[]> {
    const items: Item[] = []
    for (let page = 1; ; page++) {
      const reply = await request<Page<Item>>('GET', `${path}?page=${page}&per_page=${perPage}`)
      items.push(...reply.result)
      const { count, per_page } = reply.result_info
      if (count === 0 || count !== per_page) return items
    }
  }

  async function createZone(): Promise<string> {
    const draft = { name: zoneName, jump_start: false }
    return (await request<{ result: { id: string } }>('POST', '/zones', draft)).result.id
  }

  async function applyChange(
    path: string,
    { kind, set }: Change,
    existing: readonly ProviderRecord[],
  ): Promise<void> {
    const old = existing.filter((record) => isOf(zoneName, set, record))
    if (kind === 'delete') {
      for (const record of old) await request('DELETE', `${path}/${record.id}`)
      return
    }
    const remaining = new Set(old.filter((record) => contains(set, record)))
    const bodies = set.values.map((value) => ({ value, body: toBody(zoneName, set, value) }))
    const fresh = bodies.filter(({ value }) => !old.some((record) => sameValue(set, record, value)))
    const replaced = old.filter((record) => !remaining.has(record))
    // A removed and an added value become one PUT: a CNAME could not be created beside the old one.
    const paired = Math.min(fresh.length, replaced.length)
    for (const { body } of fresh.slice(paired)) await request('POST', path, body)
    for (const [index, { body }] of fresh.slice(0, paired).entries())
      await request('PUT', `${path}/${replaced[index]?.id}`, body)
    for (const record of remaining) {
      const found = bodies.find(({ value }) => sameValue(set, record, value))
      if (found !== undefined) await request('PUT', `${path}/${record.id}`, found.body)
    }
    for (const record of replaced.slice(paired)) await request('DELETE', `${path}/${record.id}`)
  }

  /** Throws as the provider does: with the first message of a 400, and for any other status that is not success. */
  async function request<Reply>(method: string, path: string, body?: Body): Promise<Reply> {
    const response = await send(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  function send(method: string, path: string, body?: Body): Promise<Response> {
    return fetch(`${target.http}/client/v4${path}`, {
      method,
      headers: {
        authorization: `Bearer ${target.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
}

function describe({ kind, set }: Change): string {
  return `${kind} ${set.name || '@'} ${set.type}`
}

function changesBetween(existing: readonly RecordSet[], desired: readonly RecordSet[]): readonly Change[] {
  const changes: Change[] = [
    ...existing
      .filter((old) => !desired.some((set) => isSameSet(set, old)))
      .map((set) => ({ kind: 'delete', set }) as const),
    ...desired.flatMap((set): Change[] => {
      const old = existing.find((candidate) => isSameSet(set, candidate))
      if (old === undefined) return [{ kind: 'create', set }]
      return comparable(old) === comparable(set) ? [] : [{ kind: 'update', set }]
    }),
  ]
  return changes.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

function isSameSet(a: RecordSet, b: RecordSet): boolean {
  return a.name === b.name && a.type === b.type
}

function comparable({ ttl, values }: RecordSet): string {
  return JSON.stringify([Math.max(MIN_TTL, ttl), values.map((value) => JSON.stringify(value)).toSorted()])
}

function toSets(zone: string, records: readonly ProviderRecord[]): readonly RecordSet[] {
  const sets = new Map<string, RecordSet>()
  for (const record of records) {
    const key = `${record.name} ${record.type}`
    const set = sets.get(key) ?? {
      name: record.name === zone ? '' : record.name.slice(0, -zone.length - 1),
      type: record.type,
      ttl: record.ttl === 1 ? AUTOMATIC_TTL : record.ttl,
      values: [],
    }
    sets.set(key, { ...set, values: [...set.values, VALUE_CODECS[record.type].read(record)] })
  }
  return [...sets.values()]
}

function toBody(zone: string, set: RecordSet, value: Value): Body {
  const canBeProxied = ['A', 'AAAA', 'CNAME'].includes(set.type)
  return {
    ...VALUE_CODECS[set.type].write(value, set.name, zone),
    name: set.name === '' ? zone : `${set.name}.${zone}`,
    type: set.type,
    ttl: Math.max(MIN_TTL, set.ttl),
    ...(canBeProxied ? { proxied: false } : {}),
  }
}

function isOf(zone: string, set: RecordSet, record: ProviderRecord): boolean {
  return record.type === set.type && record.name === (set.name === '' ? zone : `${set.name}.${zone}`)
}

function contains(set: RecordSet, record: ProviderRecord): boolean {
  return set.values.some((value) => sameValue(set, record, value))
}

function sameValue(set: RecordSet, record: ProviderRecord, value: Value): boolean {
  return JSON.stringify(VALUE_CODECS[set.type].read(record)) === JSON.stringify(value)
}
