// For tests: zones written as text behind the real table and responder, and a scripted outside.
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  encodeRdata,
  isTypeName,
  joinName,
  type Name,
  parseName,
  plainMessage,
  rcodeText,
  rdataFromText,
  rdataTextByCode,
  typeCode,
  typeText,
} from '@zonereeve/dns'
import {
  createResponder,
  createZoneTable,
  DEFAULT_LIMITS,
  MAX_REPLY_OCTETS,
  noMetrics,
  type ZoneAuthority,
} from '@zonereeve/nameserver'
import { manualClock, silentLog } from '@zonereeve/platform'
import { NoAnswer } from '@zonereeve/resolver'
import { createResolver, DEFAULT_RESOLVER_LIMITS, type Resolver } from '@zonereeve/resolver'
import { readEdgeAddresses } from './edge-addresses.ts'
import type { ServedZone } from './live-zone.ts'
import type { NameSettings } from './plan.ts'
import { createPublication } from './publication.ts'
import type { StoredRecord } from './stored-record.ts'

export const EDGE = ['198.51.100.1', '198.51.100.2', '2001:db8:ed::1']
export type WorldSettings = NameSettings & Pick<ZoneAuthority, 'multiProvider'>

export const STANDARD: WorldSettings = {
  flattenAllCnames: false,
  zoneMode: 'standard',
  http2: false,
  http3: false,
  multiProvider: false,
}

/**
 * Answers of the outside by name: lines of "TTL TYPE VALUE"; `no` for a name that does not exist, `fail` for a
 * failure, `silent` for an answer that never comes. Names that are not listed fail.
 */
export type Outside = Record<string, readonly string[] | 'no' | 'fail' | 'silent'>

/** "NAME TTL TYPE VALUE", then after ` ; ` any of: proxied, flatten, ipv4, ipv6. The id is the text before that. */
export function storedRecord(line: string, apex: Name): StoredRecord {
  const [text = '', words = ''] = line.split(' ; ')
  const [, name = '', ttl = '', type = '', value = ''] = /^(\S+) (\d+) (\S+) (.+)$/.exec(text) ?? []
  if (!isTypeName(type)) throw new Error(`no type in "${line}"`)
  const rdata = encodeRdata(type, rdataFromText(type, value, { origin: apex }))
  const record = { id: text, name: joinName(name, apex), type: typeCode(type) ?? 0, ttl: Number(ttl), rdata }
  if (words === '') return record
  const has = (word: string) => words.split(' ').includes(word)
  const families = has('ipv4') ? 'ipv4' : has('ipv6') ? 'ipv6' : 'both'
  return { ...record, options: { proxied: has('proxied'), flattenCname: has('flatten'), families } }
}

export interface WorldOptions {
  readonly edge?: readonly string[]
  readonly outside?: Outside
  /** Without a resolver, chains are not followed outside. */
  readonly hasResolver?: boolean
  /** Apexes of zones whose answers change with their serials only. */
  readonly bound?: readonly string[]
}

export type World = ReturnType<typeof createWorld>

export function createWorld({ edge = [], outside = {}, hasResolver = true, bound = [] }: WorldOptions = {}) {
  const clock = manualClock(1_000_000_000)
  const table = createZoneTable()
  const asked: string[] = []
  const resolver = hasResolver ? resolverOver(outside, asked, clock) : undefined
  const requested: string[] = []
  const serials = {
    isBound: (zoneId: string) => bound.includes(zoneId),
    request: (zoneId: string) => void requested.push(zoneId),
  }
  const publication = createPublication({ table, edge: readEdgeAddresses(edge), resolver, serials })
  const respond = createResponder({ table, log: silentLog, limits: DEFAULT_LIMITS, metrics: noMetrics })
  const settings = new Map<string, WorldSettings>()

  return {
    table,
    publication,
    resolver,
    clock,
    /** "NAME TYPE" of each query sent to the outside. */
    asked,
    /** Apexes of zones for which a serial bump was requested. */
    requested,
    load,
    change,
    configure,
    remove: (apex: string) => publication.remove(apex),
    ask,
    pass,
  }

  function zoneOf(apex: string, given: Partial<WorldSettings>): ServedZone {
    const times = { refresh: 10_000, retry: 2400, expire: 604_800, minimum: 1800, ttl: 3600 }
    const soa = { mname: parseName('ns1.test'), rname: parseName('hostmaster.test'), serial: 1, ...times }
    const current = { ...STANDARD, ...settings.get(apex), ...given }
    settings.set(apex, current)
    const { multiProvider } = current
    const serial = table.serial(apex) ?? 1
    const authority = { soa: { ...soa, serial }, nameServers: ['ns1.test'], nsTtl: 86_400, multiProvider }
    return { zoneId: apex, apex: parseName(apex), authority, settings: current }
  }

  /** Zones by apex: their records and settings. */
  function load(
    zones: Readonly<Record<string, readonly string[]>>,
    given: Partial<WorldSettings> = {},
  ): void {
    publication.load(
      Object.entries(zones).map(([apex, lines]) => ({
        zone: zoneOf(apex, given),
        records: lines.map((line) => storedRecord(line, parseName(apex))),
      })),
    )
  }

  /** Lines to remove and to add. */
  function change(apex: string, removed: readonly string[], added: readonly string[]): void {
    const records = (lines: readonly string[]) => lines.map((line) => storedRecord(line, parseName(apex)))
    const serial = (table.serial(apex) ?? 0) + 1
    publication.apply({ zoneId: apex, serial, removed: records(removed), added: records(added) })
  }

  function configure(apex: string, given: Partial<WorldSettings>): void {
    publication.configure(zoneOf(apex, given))
  }

  /** "A 300 192.0.2.1 | …", sorted; NODATA or the response code if there are none. */
  function ask(question: string): string {
    const [name = '', type = 'A'] = question.split(' ')
    const code = typeCode(type) ?? 0
    const query = encodeMessage(
      plainMessage({ id: 1, questions: [{ name: parseName(name), type: code, class: CLASS.IN }] }),
    )
    const out = new Uint8Array(MAX_REPLY_OCTETS)
    const reply = decodeMessage(
      out.subarray(0, respond(query, query.length, { transport: 'tcp', address: '192.0.2.1' }, out)),
    )
    const lines = reply.answers.map(({ name: owner, type, ttl, rdata }) => {
      const text = `${typeText(type)} ${ttl} ${rdataTextByCode(type, rdata)}`
      return owner === reply.questions[0]?.name ? text : `${owner} ${text}`
    })
    if (reply.rcode !== 0) return [...lines, rcodeText(reply.rcode)].join(' | ')
    if (lines.length > 0) return lines.toSorted().join(' | ')
    return reply.aa ? 'NODATA' : 'REFERRAL'
  }

  /** Delivers pending answers, after that many seconds. */
  async function pass(seconds = 0): Promise<void> {
    for (let i = 0; i <= seconds; i += 1) {
      if (i > 0) clock.advance(1000)
      resolver?.sweep()
      // A chain may need several lookups, one after the other.
      for (let turn = 0; turn < (i === seconds ? 10 : 2); turn += 1)
        await new Promise<void>((done) => setImmediate(done))
    }
  }
}

function resolverOver(
  outside: Outside,
  asked: string[],
  clock: { now(): number; timestamp(): string },
): Resolver {
  const limits = { ...DEFAULT_RESOLVER_LIMITS }
  return createResolver({
    clock,
    log: silentLog,
    limits,
    ask: (name, type, signal) => {
      asked.push(`${name} ${typeText(type)}`)
      const answer = outside[name] ?? 'fail'
      if (answer === 'silent')
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new NoAnswer('stopped')))
        })
      if (answer === 'fail') return Promise.reject(new NoAnswer('test'))
      return Promise.resolve(answerFrom(outside, name, type))
    },
  })
}

/** Answers like a recursive server: the whole chain, as far as the outside has it. */
function answerFrom(outside: Outside, name: Name, type: number) {
  const links: { target: Name; ttlSeconds: number }[] = []
  for (let at: string = name; ;) {
    const answer = outside[at]
    const lines = typeof answer === 'object' ? answer.map((line) => line.split(' ')) : []
    const alias = lines.find(([, lineType]) => lineType === 'CNAME')
    const found = lines.filter(([, lineType]) => lineType === typeText(type))
    const isOpen = typeof answer !== 'object' && answer !== 'no'
    if (alias === undefined) {
      const rdatas = found.map(([, , address = '']) => encodeRdata(type === 28 ? 'AAAA' : 'A', { address }))
      const ttls = [...links.map(({ ttlSeconds }) => ttlSeconds), ...found.map(([ttl]) => Number(ttl))]
      return {
        links,
        rdatas,
        ttlSeconds: Math.min(rdatas.length === 0 && !isOpen ? 60 : 9999, ...ttls),
        isOpen,
      }
    }
    at = alias[2] ?? ''
    links.push({ target: parseName(at), ttlSeconds: Number(alias[0]) })
  }
}
