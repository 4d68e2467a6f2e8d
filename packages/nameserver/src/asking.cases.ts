// For tests: zones written as text, queries as bytes, answers as lines.
import {
  CLASS,
  decodeMessage,
  encodeRdata,
  genericText,
  isTypeName,
  joinName,
  type Message,
  type Name,
  octetsFromHex,
  parseName,
  rcodeText,
  rdataFromText,
  rdataTextByCode,
  type ResourceRecord,
  typeCode,
  typeText,
} from '@zonereeve/dns'
import * as dnsPacket from 'dns-packet'
import { silentLog } from './silent-log.cases.ts'
import {
  createZoneTable,
  DEFAULT_LIMITS,
  type NameserverLimits,
  type Transport,
  type ZoneContents,
  type ZoneRecord,
} from './index.ts'
import { noMetrics } from './metrics.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import type { Respond } from './responder.ts'

/** Lines of `name ttl type rdata` with names relative to the apex; rdata of unknown types as hexadecimal. */
export function zoneOf(apex: string, lines: string, given: Partial<ZoneContents> = {}): ZoneContents {
  const origin = parseName(apex)
  return {
    zoneId: `zone-${apex}`,
    apex: origin,
    soa: {
      mname: parseName('ns1.example.net'),
      rname: parseName('hostmaster.example.net'),
      serial: 1,
      refresh: 10_000,
      retry: 2400,
      expire: 604_800,
      minimum: 1800,
      ttl: 3600,
    },
    nameServers: [parseName('ns1.example.net'), parseName('ns2.example.net')],
    nsTtl: 86_400,
    multiProvider: false,
    records: lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line, i) => recordOf(line, origin, `r${i}`)),
    ...given,
  }
}

export function recordOf(line: string, origin: Name, id: string): ZoneRecord {
  const [, name = '', ttl = '', type = '', rdata = ''] = /^(\S+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
  return {
    id,
    name: joinName(name, origin),
    type: typeCode(type) ?? 0,
    ttl: Number(ttl),
    rdata: isTypeName(type)
      ? encodeRdata(type, rdataFromText(type, rdata, { origin }))
      : (octetsFromHex(rdata) ?? new Uint8Array()),
  }
}

export interface QueryOptions {
  readonly id?: number
  /** The 16 bits after the ID; RD by default. */
  readonly flags?: number
  readonly class?: number
  /** Octets after the question; `additionals` has their record count. */
  readonly tail?: readonly number[]
  readonly counts?: readonly [questions: number, answers: number, authorities: number, additionals: number]
}

/** An OPT record as octets. */
export function opt(
  payload: number,
  { version = 0, flags = 0, rdata = [] as readonly number[] } = {},
): number[] {
  return [
    0,
    0,
    41,
    payload >> 8,
    payload & 255,
    0,
    version,
    flags >> 8,
    flags & 255,
    rdata.length >> 8,
    rdata.length & 255,
    ...rdata,
  ]
}

/** Builds a query and keeps the case of the name; `question` is `name TYPE`. */
export function queryOf(question: string, options: QueryOptions = {}): Uint8Array {
  const [name = '', type = 'A'] = question.split(' ')
  const { id = 0x1234, flags = 0x0100, class: questionClass = CLASS.IN, tail = [], counts } = options
  const numbers = counts ?? [1, 0, 0, tail.length > 0 ? 1 : 0]
  const labels = name === '.' ? [] : name.replace(/\.$/, '').split('.')
  const code = typeCode(type) ?? 0
  return Uint8Array.from([
    ...[id, flags, ...numbers].flatMap((number) => [number >> 8, number & 255]),
    ...labels.flatMap((label) => [label.length, ...Buffer.from(label, 'latin1')]),
    0,
    ...[code, questionClass].flatMap((number) => [number >> 8, number & 255]),
    ...tail,
  ])
}

/** The parts of an answer that zones decide. Sections are lines of `name ttl TYPE rdata`. */
export interface CapturedAnswer {
  readonly rcode: string
  /** The flags that are set, of AA, TC, RA, AD and CD. RD is checked elsewhere. */
  readonly flags: string
  readonly answer: readonly string[]
  readonly authority: readonly string[]
  readonly additional: readonly string[]
}

/** Queries a table of zones through a responder. */
export function client(zones: readonly ZoneContents[], limits: Partial<NameserverLimits> = {}) {
  const table = createZoneTable()
  for (const zone of zones) table.load(zone)
  const respond = createResponder({
    table,
    log: silentLog,
    limits: { ...DEFAULT_LIMITS, ...limits },
    metrics: noMetrics,
  })
  return {
    table,
    respond,
    ask: (question: string, how: How = {}) => seen(decoded(respond, queryOf(question, how), how.transport)),
  }
}

export interface How extends QueryOptions {
  readonly transport?: Transport
}

/** The client's address in these tests. */
export const CLIENT = '198.51.100.100'

/** The answer's bytes, which both codecs must be able to read. Undefined if there is none. */
export function answerTo(
  respond: Respond,
  query: Uint8Array,
  transport: Transport = 'udp',
): Uint8Array | undefined {
  const out = Buffer.alloc(MAX_REPLY_OCTETS)
  const octets = respond(query, query.length, { transport, address: CLIENT }, out)
  if (octets === 0) return undefined
  const answer = out.subarray(0, octets)
  dnsPacket.decode(answer)
  decodeMessage(answer)
  return answer
}

export function decoded(respond: Respond, query: Uint8Array, transport: Transport = 'udp'): Message {
  const answer = answerTo(respond, query, transport)
  if (answer === undefined) throw new Error('no answer')
  return decodeMessage(answer)
}

export function seen(message: Message): CapturedAnswer {
  const flags = (['aa', 'tc', 'ra', 'ad', 'cd'] as const).filter((flag) => message[flag])
  return {
    rcode: rcodeText(message.rcode),
    flags: flags.join(' '),
    answer: message.answers.map(lineOf),
    authority: message.authorities.map(lineOf),
    additional: message.additionals.map(lineOf),
  }
}

function lineOf({ name, ttl, type, rdata }: ResourceRecord): string {
  const text = READABLE.has(typeText(type)) ? rdataTextByCode(type, rdata) : genericText(rdata)
  return `${name} ${ttl} ${READABLE.has(typeText(type)) ? typeText(type) : `TYPE${type}`} ${text}`
}

/** Types that these tests write as text; all others stay hexadecimal, even if the registry knows them. */
const READABLE: ReadonlySet<string> = new Set([
  'A',
  'AAAA',
  'CNAME',
  'DNAME',
  'HINFO',
  'HTTPS',
  'MX',
  'NS',
  'SOA',
  'SRV',
  'SVCB',
  'TXT',
])
