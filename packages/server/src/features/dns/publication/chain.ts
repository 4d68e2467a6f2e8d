// Follows a chain from the target of a CNAME to its addresses: in memory for names in our zones, from the resolver's
// cache for others.
import { decodeRdata, labelsOf, type Name, parentOf, ROOT } from '@zonereeve/dns'
import type { NameView } from '@zonereeve/nameserver'
import type { Resolution } from '@zonereeve/resolver'
import type { Alias } from './plan.ts'
import { TYPE } from './stored-record.ts'

/** Links of one chain, inside and outside our zones, beyond which it counts as a loop. */
export const MAX_CHAIN_LINKS = 16

export type AddressType = typeof TYPE.A | typeof TYPE.AAAA

export type ChainEnd =
  | { readonly kind: 'addresses'; readonly rdatas: readonly Uint8Array[]; readonly ttlSeconds: number }
  /** The last name does not exist, or has no address of the type. */
  | { readonly kind: 'none' }
  /** The chain loops, is too long, or leads to a name that the resolver has no answer for (`pending`: not yet). */
  | { readonly kind: 'failed' | 'pending'; readonly name: Name }
  /** The chain leads out of our zones and there is no resolver. */
  | { readonly kind: 'unresolved' }

export interface ChainSources {
  readonly look: (name: Name) => NameView
  /** The flattened CNAME at a name of a zone; such names are not published with their CNAME. */
  readonly aliasAt: (zoneId: string, owner: Name) => Alias | undefined
  /** Undefined without a resolver. */
  readonly resolve: ((name: Name, type: AddressType) => Resolution) | undefined
}

/** Called with the key of everything whose change may change the end of the chain. */
export type Note = (key: string) => void

/** A name that a chain passes. */
export interface ChainLink {
  readonly name: Name
  /** Our zone that contains the name; undefined for names outside our zones. */
  readonly zoneId: string | undefined
  /** The name has a flattened CNAME of ours, whose target is not published. */
  readonly isFlattened: boolean
}

/** Called with each name of the chain, in order. */
export type Pass = (link: ChainLink) => void

/** Key for a name of ours: its records, or its existence. */
export const nameKey = (name: Name): string => `=${name}`
/** Key for the existence of a zone with this name. */
export const zoneKey = (apex: Name): string => `/${apex}`
/** Key for what the resolver has cached. */
export const resolverKey = (name: Name, type: AddressType): string => `?${type} ${name}`

/** Parses a key of {@link resolverKey}; undefined for other keys. */
export function readResolverKey(key: string): { readonly name: Name; readonly type: number } | undefined {
  const [, type, name] = /^\?(\d+) (.+)$/.exec(key) ?? []
  return name === undefined ? undefined : { name: name as Name, type: Number(type) } // written by resolverKey
}

/** Follows the chain that begins at the CNAME `alias`. Its TTL is the lowest of the chain. */
export function followChain(
  alias: Alias,
  type: AddressType,
  { look, aliasAt, resolve }: ChainSources,
  note: Note,
  pass: Pass = () => {},
): ChainEnd {
  const passed = new Set<string>([alias.record.name])
  let ttlSeconds = alias.record.ttl
  let name = alias.target
  for (;;) {
    if (passed.has(name) || passed.size > MAX_CHAIN_LINKS) return { kind: 'failed', name }
    passed.add(name)
    const view = look(name)
    noteLook(name, view, note)
    if (view.kind === 'absent') {
      pass({ name, zoneId: undefined, isFlattened: false })
      return { kind: 'none' }
    }
    const next = view.kind === 'present' ? insideStep(view) : outsideStep(name)
    if ('kind' in next) return next
    ttlSeconds = Math.min(ttlSeconds, next.ttl)
    name = next.target
  }

  function insideStep(view: NameView & { kind: 'present' }): ChainStep {
    const flattened = aliasAt(view.zoneId, view.owner)
    pass({ name, zoneId: view.zoneId, isFlattened: flattened !== undefined })
    if (flattened !== undefined) return { target: flattened.target, ttl: flattened.record.ttl }
    const [cname] = view.records(TYPE.CNAME)
    if (cname !== undefined) return { target: decodeRdata('CNAME', cname.rdata).target, ttl: cname.ttl }
    const addresses = view.records(type)
    if (addresses.length === 0) return { kind: 'none' }
    const lowest = Math.min(ttlSeconds, ...addresses.map(({ ttl }) => ttl))
    return { kind: 'addresses', rdatas: addresses.map(({ rdata }) => rdata), ttlSeconds: lowest }
  }

  /** Follows the links that the resolver knows, until the chain enters one of our zones. */
  function outsideStep(from: Name): ChainStep {
    pass({ name: from, zoneId: undefined, isFlattened: false })
    if (resolve === undefined) return { kind: 'unresolved' }
    note(resolverKey(from, type))
    const known = resolve(from, type)
    if (known.kind !== 'answer') return { kind: known.kind, name: from }
    let lowest = ttlSeconds
    for (const [index, link] of known.links.entries()) {
      lowest = Math.min(lowest, link.ttlSeconds)
      const isLast = index === known.links.length - 1
      const view = look(link.target)
      if (view.kind !== 'elsewhere' || (isLast && known.isOpen)) return { target: link.target, ttl: lowest }
      noteLook(link.target, view, note)
      if (passed.has(link.target)) return { kind: 'failed', name: link.target }
      passed.add(link.target)
      pass({ name: link.target, zoneId: undefined, isFlattened: false })
    }
    if (known.rdatas.length === 0) return { kind: 'none' }
    return { kind: 'addresses', rdatas: known.rdatas, ttlSeconds: Math.min(lowest, known.ttlSeconds) }
  }
}

type ChainStep = ChainEnd | { readonly target: Name; readonly ttl: number }

/**
 * Notes what the view of a name depends on: zones around it, and the names at it, above it and (wildcards) beside it.
 */
function noteLook(name: Name, { apexLabels }: NameView, note: Note): void {
  let labels = labelsOf(name).length
  for (let at: Name | undefined = name; at !== undefined && at !== ROOT; at = parentOf(at)) {
    const isInZone = apexLabels !== undefined && labels >= apexLabels
    if (isInZone || apexLabels === undefined) note(zoneKey(at))
    if (apexLabels !== undefined && labels > apexLabels) note(nameKey(at))
    if (apexLabels !== undefined && labels >= apexLabels && at !== name) note(nameKey(wildcardBelow(at)))
    labels -= 1
  }
  if (apexLabels !== undefined && labelsOf(name).length === apexLabels) note(nameKey(name))
}

const wildcardBelow = (name: Name): Name => `*.${name}` as Name // may exceed the maximum length of a name: then it cannot exist

/**
 * Keys of everything that a change of a name's records may have changed: the name, and names above it that may appear
 * or disappear with it.
 */
export function* touchedKeys(name: Name, apex: Name): Iterable<string> {
  for (let at: Name | undefined = name; at !== undefined; at = parentOf(at)) {
    yield nameKey(at)
    if (at === apex || parentOf(at) === apex) return
  }
}
