// DKIM keys (RFC 6376 §3.6.1, RFC 8301, RFC 8463): known tags, and a key that verifiers can use.

import { octetsFromBase64 } from '../base64.ts'
import { rsaModulusBits } from './der.ts'
import { duplicateTags, readTagList } from './tag-list.ts'
import type { EmailWarning } from './warning.ts'

const TAGS = new Set(['v', 'h', 'k', 'n', 'p', 's', 't', 'g'])
/**
 * Signers must use at least the minimum, and verifiers need not support longer keys than the maximum (RFC 8301 §3.2).
 */
const MIN_RSA_BITS = 1024
const MAX_RSA_BITS = 4096
/** RFC 8463 §4. */
const ED25519_OCTETS = 32

/** All problems of a TXT record at a `_domainkey` name. */
export function checkDkim(text: string): EmailWarning[] {
  const { tags, malformed } = readTagList(text)
  const value = (name: string) => tags.find((tag) => tag.name === name)?.value
  const warnings: EmailWarning[] = malformed.map((offset) => ({
    rule: 'dkim.syntax',
    message: `at ${offset}: not tag=value`,
  }))
  const warn = (rule: string, message: string) => void warnings.push({ rule: `dkim.${rule}`, message })

  for (const name of duplicateTags(tags)) warn('duplicate-tag', `the tag ${name} occurs twice`)
  for (const { name, offset } of tags)
    if (!TAGS.has(name)) warn('unknown-tag', `at ${offset}: the tag ${name} is unknown`)
  const version = value('v')
  if (version !== undefined && (version !== 'DKIM1' || tags[0]?.name !== 'v')) {
    warn('version', 'the version must be v=DKIM1, and the first tag')
  }
  const hashes = value('h')
    ?.split(':')
    .map((hash) => hash.trim())
  if (hashes !== undefined && !hashes.includes('sha256'))
    warn('hash', 'h= does not include sha256, which all signatures use')
  const services = value('s')
    ?.split(':')
    .map((service) => service.trim())
  if (services?.some((service) => service !== '*' && service !== 'email') === true) {
    warn('service', 's= accepts only * and email')
  }
  const flags = value('t')
    ?.split(':')
    .map((flag) => flag.trim())
  if (flags?.some((flag) => flag !== 'y' && flag !== 's') === true) warn('flag', 't= accepts only y and s')
  const key = value('p')
  if (key === undefined) warn('key-missing', 'there is no key (p=)')
  else if (key !== '') warnings.push(...keyWarnings(value('k') ?? 'rsa', key.replaceAll(/\s/g, '')))
  return warnings
}

/** An empty key means that it is revoked; it is not checked here. */
function keyWarnings(type: string, key: string): EmailWarning[] {
  if (type !== 'rsa' && type !== 'ed25519') {
    return [{ rule: 'dkim.key-type', message: `k=${type} is unknown; use rsa or ed25519` }]
  }
  const octets = octetsFromBase64(key)
  if (octets === undefined) return [{ rule: 'dkim.key', message: 'the key is not base64 with its padding' }]
  if (type === 'ed25519') {
    if (octets.length === ED25519_OCTETS) return []
    return [
      { rule: 'dkim.key', message: `an Ed25519 key has ${ED25519_OCTETS} octets, not ${octets.length}` },
    ]
  }
  const bits = rsaModulusBits(octets)
  if (bits === undefined) return [{ rule: 'dkim.key', message: 'the key is not an RSA public key' }]
  if (bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS) return []
  return [
    {
      rule: 'dkim.key-length',
      message: `an RSA key must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits; got ${bits}`,
    },
  ]
}
