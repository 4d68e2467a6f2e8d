// Which records may coexist at one name (RFC 1034 §3.6.2, RFC 2181 §10.1, and the live API's own rules).
import { parseIpv4, type Name } from '@zonereeve/dns'
import type { Issue, Notice } from '@zonereeve/platform'
import type { RecordFields } from './dns-records.rules.ts'

/** Another record at the same name. */
export interface Sibling {
  readonly type: string
  readonly identity: string
  readonly rdataBytes: number
  /** TXT: the text in lower case. Null for other types. */
  readonly searchText: string | null
  readonly proxied: boolean
  readonly settings: Readonly<Record<string, boolean>>
}

/** The API has no mnemonic for DNAME. */
export const DNAME = 'TYPE39'

/** Limit for the octets of all TXT values at one name. */
export const MAX_TXT_BYTES_PER_NAME = 8_192

/**
 * Returns the rules that `record` (with its `identity`) would break beside `siblings`. The identical record is
 * reported first.
 */
export function coexistenceIssues(
  record: RecordFields,
  identity: string,
  siblings: readonly Sibling[],
  zone: { readonly apex: Name; readonly nameServers: readonly string[] },
): Issue[] {
  const has = (...types: string[]) => siblings.some(({ type }) => types.includes(type))
  const atApex = record.name === zone.apex
  if (siblings.some((sibling) => sibling.type === record.type && sibling.identity === identity)) {
    return [{ reason: 'record.identical' }]
  }
  // The zone's own name servers exist at its apex without being listed.
  if (record.type === 'NS' && atApex && zone.nameServers.includes(record.content)) {
    return [{ reason: 'record.identical' }]
  }
  const issues: Issue[] = []
  // DS is allowed only beside the NS of its delegation (RFC 4034 §5, RFC 4035 §2.4).
  if (!atApex && record.type === 'DS' && !has('NS'))
    issues.push({ reason: 'record.ds_without_ns', pointer: '/name' })
  if (!atApex && record.type !== 'NS' && record.type !== 'DS' && has('NS'))
    issues.push({ reason: 'record.ns_exclusive', pointer: '/name' })
  if (!atApex && record.type === 'NS' && siblings.some(({ type }) => type !== 'NS' && type !== 'DS')) {
    issues.push({
      reason: 'record.ns_exclusive',
      pointer: '/name',
      detail: 'There are other records at this name.',
    })
  }
  if (record.type === 'CNAME' && has('A', 'AAAA', 'CNAME')) {
    issues.push({ reason: 'record.cname_exclusive', pointer: '/name' })
  }
  if ((record.type === 'A' || record.type === 'AAAA') && has('CNAME')) {
    issues.push({ reason: 'record.cname_exists', pointer: '/name' })
  }
  // A name has at most one DNAME, and no CNAME beside it (RFC 6672 §2.4).
  if ((record.type === DNAME && has(DNAME, 'CNAME')) || (record.type === 'CNAME' && has(DNAME)))
    issues.push({ reason: 'record.dname_exclusive', pointer: '/name' })
  if (record.type === 'TXT' && txtBytes(siblings) + record.rdata.length > MAX_TXT_BYTES_PER_NAME) {
    issues.push({ reason: 'record.txt_combined', pointer: '/content' })
  }
  return issues
}

const txtBytes = (siblings: readonly Sibling[]): number =>
  siblings.filter(({ type }) => type === 'TXT').reduce((sum, { rdataBytes }) => sum + rdataBytes, 0)

/** Returns warnings about the resulting set of records at the name. */
export function coexistenceNotices(
  record: RecordFields,
  siblings: readonly Sibling[],
  {
    apex,
    hasEdge,
    multiProvider,
  }: { readonly apex: Name; readonly hasEdge: boolean; readonly multiProvider: boolean },
): Notice[] {
  const cname = [record, ...siblings].find(({ type }) => type === 'CNAME')
  const hasOthers = siblings.some(({ type }) => type !== record.type)
  const notices: Notice[] = []
  // A flattened CNAME is answered as addresses, which may coexist with anything.
  if (cname !== undefined && hasOthers && !isFlattened(cname) && record.name !== apex) {
    notices.push({ notice: 'record.cname_beside_others', values: { name: record.name } })
  }
  if (record.type === 'NS' && record.name === apex && !multiProvider)
    notices.push({ notice: 'record.apex_ns' })
  if (record.type === 'NS' && parseIpv4(record.content) !== undefined)
    notices.push({ notice: 'record.ns_address', values: { content: record.content } })
  if (record.proxied && !hasEdge) {
    notices.push({ notice: 'record.no_edge_addresses', values: { name: record.name } })
  }
  return notices
}

const isFlattened = ({ proxied, settings }: Pick<Sibling, 'proxied' | 'settings'>): boolean =>
  proxied || settings['flatten_cname'] === true
