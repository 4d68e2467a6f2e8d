// Rules of keys, ACLs and peers.
import { isIP, isIPv6 } from 'node:net'
import {
  isHostname,
  type Name,
  NameError,
  octetsFromBase64,
  parseName,
  ROOT,
  tsigAlgorithm,
} from '@zonereeve/dns'
import { DomainError, type Issue, throwIfIssues } from '@zonereeve/platform'
import type { PeerTls, StoredAcl, StoredPeer, StoredTsig } from './transfer-object.ts'

/**
 * Octets of the shortest secret that cannot be guessed (RFC 8945 §8 asks for the length of the hash, old keys are
 * shorter).
 */
export const MIN_SECRET_OCTETS = 16
/** The widest ranges of an ACL. */
export const MIN_PREFIX = { ipv4: 24, ipv6: 64 }
export const DNS_PORT = 53
/** RFC 9103 §8. */
export const DNS_TLS_PORT = 853
/** Octets of SHA-256. */
const PIN_OCTETS = 32

export interface TsigDefinition {
  readonly name: string
  readonly secret: string
  readonly algorithm: string
}

export type AclDefinition = Omit<StoredAcl, 'kind' | 'id' | 'accountId'>
export type PeerDefinition = Omit<StoredPeer, 'kind' | 'id' | 'accountId'>

/** @throws DomainError: every broken rule. */
export function readTsig({ name, secret, algorithm }: TsigDefinition): Omit<StoredTsig, 'id' | 'accountId'> {
  const issues: Issue[] = []
  const canonical = readName(name)
  const known = tsigAlgorithm(algorithm)
  const octets = octetsFromBase64(secret)
  if (canonical === undefined) issues.push({ reason: 'tsig.name', pointer: '/name' })
  if (octets === undefined || octets.length < MIN_SECRET_OCTETS)
    issues.push({ reason: 'tsig.secret', pointer: '/secret', values: { octets: MIN_SECRET_OCTETS } })
  if (known === undefined) issues.push({ reason: 'tsig.algorithm', pointer: '/algo' })
  throwIfIssues(issues)
  if (canonical === undefined || known === undefined) throw new DomainError({ reason: 'tsig.name' })
  return {
    kind: 'tsig',
    name: canonical,
    displayName: name,
    algorithm: known,
    displayAlgorithm: algorithm,
    secret,
  }
}

function readName(text: string): Name | undefined {
  try {
    const name = parseName(text)
    return name === ROOT ? undefined : name
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** @throws DomainError: acl.ip_range. */
export function readAcl({ name, ipRange }: AclDefinition): Omit<StoredAcl, 'id' | 'accountId'> {
  const [address = '', prefix, ...rest] = ipRange.split('/')
  const isSix = isIPv6(address)
  const most = isSix ? 128 : 32
  const length = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  const least = isSix ? MIN_PREFIX.ipv6 : MIN_PREFIX.ipv4
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0 || length < least || length > most)
    throw new DomainError({ reason: 'acl.ip_range', pointer: '/ip_range', values: MIN_PREFIX })
  return { kind: 'acl', name, ipRange }
}

/** @throws DomainError: peer.ip, peer.tls. */
export function readPeer(definition: PeerDefinition): Omit<StoredPeer, 'id' | 'accountId'> {
  const { ip, tls } = definition
  const issues: Issue[] = []
  if (ip !== null && (isIP(ip) === 0 || ip.includes('%'))) issues.push({ reason: 'peer.ip', pointer: '/ip' })
  if (tls !== null) issues.push(...tlsIssues(tls))
  throwIfIssues(issues)
  return { kind: 'peer', ...definition }
}

/** Without a name and without pins, any certificate would be accepted. */
function tlsIssues({ serverName, pins }: PeerTls): Issue[] {
  const issue = (member: string, problem: string): Issue => ({
    reason: 'peer.tls',
    pointer: `/tls${member}`,
    values: { problem },
  })
  if (serverName === null && pins.length === 0) return [issue('', 'one of the two is required')]
  const issues = pins.flatMap((pin, index) =>
    octetsFromBase64(pin)?.length === PIN_OCTETS
      ? []
      : [issue(`/pins/${index}`, `"${pin}" is not ${PIN_OCTETS} octets in base64`)],
  )
  const name = serverName === null ? undefined : readName(serverName)
  if (serverName !== null && (name === undefined || isIP(serverName) !== 0 || !isHostname(name)))
    issues.push(issue('/server_name', `"${serverName}" is not a host name`))
  return issues
}
