// Rules of one record: an input becomes a valid record, or every broken rule is reported in one reply.
import { type Name, byteAt, uint16At } from '@zonereeve/dns'
import ipaddr from 'ipaddr.js'
import { type ErrorCode, escapePointer, type Issue } from '@zonereeve/platform'
import { recordName } from './record-name.rules.ts'
import { withContentIssue } from './types/content-form.ts'
import {
  isRecordType,
  isStoredType,
  mayHaveMember,
  membersOfData,
  wireTypeOf,
  type RecordTypeName,
} from './types/registry.ts'
import type { ShownValue, ValueType } from './types/wire-type.ts'

/** A record as a client describes it; undefined = not given. */
export interface RecordInput {
  readonly type: string
  readonly name: string | undefined
  readonly content: string | undefined
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly priority: number | undefined
  readonly ttl: number | undefined
  readonly proxied: boolean | undefined
  readonly settings: Readonly<Record<string, unknown>> | undefined
  readonly comment: string | undefined
  readonly tags: readonly string[] | undefined
  readonly privateRouting: boolean | undefined
  /** What `name`, `content` and `priority` are the text of, if they were made of it: then they need not be read. */
  readonly decoded?: DecodedRecord
}

/** Name and value of a record in a zone file. */
export interface DecodedRecord {
  readonly name: Name
  readonly rdata: Uint8Array
  /** Of the type's `decode`. */
  readonly value: unknown
}

/** Defaults to spread a partial input over. */
export const NO_INPUT: Omit<RecordInput, 'type'> = {
  name: undefined,
  content: undefined,
  data: undefined,
  priority: undefined,
  ttl: undefined,
  proxied: undefined,
  settings: undefined,
  comment: undefined,
  tags: undefined,
  privateRouting: undefined,
}

/** Fields of a valid input; ids and times are added later. */
export interface RecordFields {
  readonly name: Name
  readonly type: RecordTypeName
  readonly content: string
  readonly data?: Readonly<Record<string, string | number>>
  readonly priority?: number
  /** Wire form of the value, names uncompressed. */
  readonly rdata: Uint8Array
  /** TXT: the text without quotes and escapes, decoded as UTF-8 where valid. Null for other types. */
  readonly text: string | null
  readonly ttl: number
  readonly proxied: boolean
  readonly proxiable: boolean
  readonly settings: Readonly<Record<string, boolean>>
  readonly comment: string | null
  readonly tags: readonly string[]
}

/** The zone and the profile that a record is checked against. */
export interface RecordContext {
  readonly apex: Name
  readonly minimumTtlSeconds: number
  /** Profile: names of A, AAAA and CNAME must begin with a letter. */
  readonly lettersFirst: boolean
  /** Profile: TXT content without quotes is stored with quotes. */
  readonly quoteTxt: boolean
  /** Profile: members of `data` that the type does not have are rejected. */
  readonly rejectsUnknown: boolean
  /** Addresses of the service itself, canonical. No record may point to them. */
  readonly edgeAddresses: readonly string[]
  /** Whether the edge has addresses of both families for `ipv4_only` and `ipv6_only` to choose from. */
  readonly offersFamilies: boolean
  /** The record is already stored: rules introduced after it was written do not apply. */
  readonly isStored?: boolean
}

export const AUTOMATIC_TTL = 1
/** TTL served for "automatic" and for every proxied record (specification §8). */
export const AUTOMATIC_TTL_SECONDS = 300
export const MAX_TTL_SECONDS = 86_400
export const MAX_COMMENT_CHARACTERS = 500
export const MAX_TAGS = 20
export const MAX_RDATA_BYTES = 4_096

/** @returns the record's fields, or every broken rule. */
export function readRecord(input: RecordInput, around: RecordContext): RecordFields | readonly Issue[] {
  if (!(around.isStored === true ? isStoredType : isRecordType)(input.type)) {
    return [{ reason: 'record.type', pointer: '/type', values: { type: input.type } }]
  }
  const { type } = input
  const wireType = wireTypeOf(type)
  const name = recordName(input, around)
  const read = readValue(wireType, input, around)
  const valueIssues = 'value' in read ? NO_ISSUES : withContentIssue(type, input, read)
  const others = [
    around.rejectsUnknown && input.data !== undefined ? unknownDataIssues(type, input.data) : NO_ISSUES,
    ttlIssues(input, around),
    settingsIssues(input, around),
    annotationIssues(input, around),
  ]
  if (typeof name !== 'string' || !('value' in read) || others.some(({ length }) => length > 0))
    return [...(typeof name === 'string' ? [] : [name]), ...valueIssues, ...others.flat()]

  const { rdata = wireType.encode(read.value), shown = wireType.show(read.value) } = read
  const content = read.content ?? shown.content
  const proxiable = wireType.proxiable && isProxiableContent(type, rdata)
  const service = isAddressType(type) ? serviceAddressIssues(input, content, around) : NO_ISSUES
  const late = [
    sizeIssues(rdata),
    service.length > 0 ? service : proxyIssues(input, wireType.proxiable, proxiable, content),
    selfIssues(type, name, content),
  ]
  if (late.some(({ length }) => length > 0)) return late.flat()

  const proxied = input.proxied === true
  const fields: Settable<RecordFields> = {
    name,
    type,
    content,
    rdata,
    text: type === 'TXT' ? joinedStrings(rdata).toString('utf8') : null,
    // A proxied record is always automatic, whatever TTL the client sent.
    ttl: proxied ? AUTOMATIC_TTL : (input.ttl ?? AUTOMATIC_TTL),
    proxied,
    proxiable,
    settings: settingsOf(input),
    comment: input.comment === undefined || input.comment === '' ? null : input.comment,
    tags: input.tags ?? [], // none unless sent
  }
  // Set afterwards, because spreading takes several times as long as all the rest.
  if (shown.data !== undefined) fields.data = shown.data
  if (shown.priority !== undefined) fields.priority = shown.priority
  return fields
}

/** Its optional members are set after it is made. */
export type Settable<Fields extends RecordFields> = Omit<Fields, 'data' | 'priority'> & {
  -readonly [Member in 'data' | 'priority']?: NonNullable<Fields[Member]>
}

interface ReadRecordValue {
  readonly value: unknown
  readonly content?: string
  readonly rdata?: Uint8Array
  readonly shown?: ShownValue
}

function readValue(
  wireType: ValueType<unknown>,
  input: RecordInput,
  around: RecordContext,
): ReadRecordValue | readonly Issue[] {
  const { decoded, content, priority } = input
  if (decoded === undefined || wireType.judge === undefined || content === undefined)
    return wireType.read(input, around)
  const issues = wireType.judge(decoded.value, around)
  const shown = priority === undefined ? { content } : { content, priority }
  return issues.length > 0 ? issues : { value: decoded.value, rdata: decoded.rdata, shown }
}

export const servedTtlSeconds = (ttl: number): number => (ttl === AUTOMATIC_TTL ? AUTOMATIC_TTL_SECONDS : ttl)

function unknownDataIssues(type: RecordTypeName, data: Readonly<Record<string, unknown>>): Issue[] {
  const known = membersOfData(type)
  const others = known.length === 0 ? `none are allowed for ${type}` : `known: ${known.join(', ')}`
  return Object.entries(data)
    .filter(([name, value]) => !mayHaveMember(type, name, value))
    .map(([name]) => {
      const at = `data/${escapePointer(name)}`
      return {
        reason: 'request.invalid',
        pointer: `/${at}`,
        values: { problem: `${at} is unknown; ${others}` },
      }
    })
}

function ttlIssues({ ttl }: RecordInput, around: RecordContext): readonly Issue[] {
  const { minimumTtlSeconds: minimum, isStored = false } = around
  // A primary may use any.
  if (isStored || ttl === undefined || ttl === AUTOMATIC_TTL || (ttl >= minimum && ttl <= MAX_TTL_SECONDS))
    return NO_ISSUES
  return [{ reason: 'record.ttl', pointer: '/ttl', values: { minimum } }]
}

/** Options that choose among the edge's addresses. */
export const FAMILY_OPTIONS = ['ipv4_only', 'ipv6_only'] as const

const NO_ISSUES: readonly Issue[] = []

function settingsIssues(input: RecordInput, around: RecordContext): readonly Issue[] {
  const { settings, privateRouting } = input
  if (settings === undefined && privateRouting !== true) return NO_ISSUES
  return requestedSettingsIssues(settings ?? {}, privateRouting, input, around)
}

function requestedSettingsIssues(
  settings: NonNullable<RecordInput['settings']>,
  privateRouting: RecordInput['privateRouting'],
  input: RecordInput,
  around: RecordContext,
): Issue[] {
  const requestedSettings = Object.entries(settings).filter(([, value]) => value !== false && value !== null)
  const issues = requestedSettings.flatMap(([option, value]): Issue[] => {
    const reason = optionReason(option, value, input, around)
    return reason === undefined ? [] : [{ reason, pointer: `/settings/${option}`, values: { option } }]
  })
  if (issues.length === 0 && FAMILY_OPTIONS.every((option) => settings[option] === true)) {
    issues.push({ reason: 'record.families', pointer: '/settings/ipv6_only' })
  }
  // Private networks are not supported: accepting the option would look as if they were.
  if (privateRouting !== true) return issues
  const option = 'private_routing'
  return [...issues, { reason: 'record.option_unsupported', pointer: `/${option}`, values: { option } }]
}

/** Why a requested option cannot be set. */
function optionReason(
  option: string,
  value: unknown,
  { type, proxied }: RecordInput,
  { offersFamilies }: RecordContext,
): ErrorCode | undefined {
  if (value !== true) return 'record.option_unsupported'
  if (option === 'flatten_cname') return type === 'CNAME' ? undefined : 'record.settings'
  if (!FAMILY_OPTIONS.some((family) => family === option)) return 'record.option_unsupported'
  if (proxied !== true) return 'record.settings'
  return offersFamilies ? undefined : 'record.option_unsupported'
}

// Shared: a zone may have a great many records.
const NO_SETTINGS = {}
const FLATTENED = { flatten_cname: true }
const NOT_FLATTENED = { flatten_cname: false }

/** Settings shown in replies: `flatten_cname` for every CNAME, the others only where they are on. */
function settingsOf({ type, settings }: RecordInput): Readonly<Record<string, boolean>> {
  if (settings === undefined) return type === 'CNAME' ? NOT_FLATTENED : NO_SETTINGS
  const families = FAMILY_OPTIONS.filter((option) => settings[option] === true)
  if (families.length === 0) {
    if (type !== 'CNAME') return NO_SETTINGS
    return settings['flatten_cname'] === true ? FLATTENED : NOT_FLATTENED
  }
  return {
    ...(type === 'CNAME' ? { flatten_cname: settings['flatten_cname'] === true } : {}),
    ...Object.fromEntries(families.map((option) => [option, true])),
  }
}

const TAG = /^(?!cf-)[A-Za-z0-9_-]{1,32}(?::.{0,100})?$/su

function annotationIssues(input: RecordInput, { isStored = false }: RecordContext): readonly Issue[] {
  const { comment = '', tags = [] } = input
  if (comment === '' && tags.length === 0) return NO_ISSUES
  const issues: Issue[] = []
  const unwanted = isStored ? /[\r\n]/ : /\p{Cc}/u
  if (unwanted.test(comment) || [...comment].length > MAX_COMMENT_CHARACTERS) {
    issues.push({ reason: 'record.comment', pointer: '/comment', values: { limit: MAX_COMMENT_CHARACTERS } })
  }
  // If there are too many, they are not checked one by one.
  if (tags.length > MAX_TAGS) {
    const values = { count: tags.length, limit: MAX_TAGS }
    return [...issues, { reason: 'record.tags_quota', pointer: '/tags', values }]
  }
  for (const [index, tag] of tags.entries()) {
    if (TAG.test(tag) && !unwanted.test(tag)) continue
    issues.push({ reason: 'record.tag', pointer: `/tags/${index}`, values: { tag: JSON.stringify(tag) } })
  }
  return issues
}

const sizeIssues = (rdata: Uint8Array): readonly Issue[] =>
  rdata.length > MAX_RDATA_BYTES ? [{ reason: 'record.too_long', pointer: '/content' }] : NO_ISSUES

function proxyIssues(
  input: RecordInput,
  typeProxiable: boolean,
  proxiable: boolean,
  target: string,
): readonly Issue[] {
  if (input.proxied !== true || proxiable) return NO_ISSUES
  return typeProxiable
    ? [{ reason: 'record.proxied_target', pointer: '/content', values: { target } }]
    : [{ reason: 'record.proxied_type', pointer: '/proxied' }]
}

/** No record may point to the service itself: proxied, it would loop; unproxied, it would bypass the proxy (§2.2). */
function serviceAddressIssues(
  { proxied }: RecordInput,
  target: string,
  { edgeAddresses }: RecordContext,
): Issue[] {
  if (edgeAddresses.length === 0) return []
  // This includes an IPv4 address written as an IPv6 address.
  if (!edgeAddresses.includes(target) && !edgeAddresses.includes(ipaddr.process(target).toString())) return []
  const reason = proxied === true ? 'record.proxied_target' : 'record.service_address'
  return [{ reason, pointer: '/content', values: { target } }]
}

const selfIssues = (type: RecordTypeName, name: Name, content: string): readonly Issue[] =>
  type === 'CNAME' && content === name ? [{ reason: 'record.cname_self', pointer: '/content' }] : NO_ISSUES

/**
 * Ranges that no edge can reach. 192.0.2.0/24 and 100::/64 stay allowed as placeholders for origins without an
 * address.
 */
const UNREACHABLE = new Set([
  'unspecified',
  'broadcast',
  'multicast',
  'linkLocal',
  'loopback',
  'carrierGradeNat',
  'private',
  'uniqueLocal',
])

function isProxiableContent(type: RecordTypeName, rdata: Uint8Array): boolean {
  if (type !== 'A' && type !== 'AAAA') return true
  const first = uint16At(rdata, 0)
  // All ranges below are decided by the first 16 bits, but for addresses that begin like these.
  const isDecided = type === 'A' ? first < 0xff00 : first !== 0
  if (!isDecided) return isReachable(rdata)
  const known = REACHABLE[type][first]
  if (known !== undefined && known !== UNKNOWN) return known === YES
  const reachable = isReachable(rdata)
  REACHABLE[type][first] = reachable ? YES : NO
  return reachable
}

const UNKNOWN = 0
const YES = 1
const NO = 2
/** By the first 16 bits of an address: a zone file has a great many. */
const REACHABLE = { A: new Uint8Array(0x1_0000), AAAA: new Uint8Array(0x1_0000) }

function isReachable(rdata: Uint8Array): boolean {
  const address = ipaddr.fromByteArray([...rdata])
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return !UNREACHABLE.has((isMapped ? address.toIPv4Address() : address).range())
}

/** Returns the octets of a TXT value, its strings joined. */
export function joinedStrings(rdata: Uint8Array): Buffer {
  const strings: Uint8Array[] = []
  for (let at = 0; at < rdata.length;) {
    const end = at + 1 + byteAt(rdata, at)
    strings.push(rdata.subarray(at + 1, end))
    at = end
  }
  return Buffer.concat(strings)
}

/** True for A and AAAA. */
export const isAddressType = (type: string): boolean => type === 'A' || type === 'AAAA'
