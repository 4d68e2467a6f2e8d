// SPF policies (RFC 7208): checks terms, the limit of look-ups, and policies that let everyone send.

import { parseIpv4, parseIpv6 } from '../address.ts'
import type { EmailWarning } from './warning.ts'

/** Maximum number of terms that need a DNS look-up, in one policy and those that it includes (RFC 7208 §4.6.4). */
export const MAX_SPF_LOOKUPS = 10

const WITH_LOOKUP = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])

/** Whether the text is an SPF policy at all (RFC 7208 §4.5). */
export function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text)
}

/**
 * All problems of an SPF policy. Only look-ups in this record are counted: included policies are not fetched.
 * `others` are the other TXT strings at the name.
 */
export function checkSpf(text: string, others: readonly string[] = []): EmailWarning[] {
  const terms = [...text.slice('v=spf1'.length).matchAll(/[^ ]+/g)].map((match) =>
    readTerm(match[0], match.index + 'v=spf1'.length),
  )
  const warnings: EmailWarning[] = terms.flatMap(({ warning }) => (warning === undefined ? [] : [warning]))
  const warn = (rule: string, message: string) => void warnings.push({ rule: `spf.${rule}`, message })
  const names = terms.map(({ name }) => name)
  const lookups = names.filter((name) => WITH_LOOKUP.has(name)).length

  if (others.some(isSpf))
    warn('two-records', 'there is another SPF record at this name: verifiers reject both')
  if (lookups > MAX_SPF_LOOKUPS)
    warn('lookups', `${lookups} terms need a look-up; verifiers stop after ${MAX_SPF_LOOKUPS}`)
  if (terms.some(({ name, qualifier }) => name === 'all' && qualifier === '+'))
    warn('all', '+all lets everyone send')
  for (const name of ['redirect', 'exp']) {
    if (names.filter((each) => each === name).length > 1) warn('duplicate-modifier', `${name}= stands twice`)
  }
  const all = names.indexOf('all')
  if (all !== -1 && names.includes('redirect'))
    warn('redirect-ignored', 'redirect= has no effect together with all')
  if (all !== -1 && names.slice(all + 1).some((name) => MECHANISMS.has(name))) {
    warn('after-all', 'mechanisms after all have no effect')
  }
  if (all === -1 && !names.includes('redirect'))
    warn('no-end', 'without all or redirect=, the result for all other senders is neutral')
  if (names.includes('ptr')) warn('ptr', 'ptr should not be used')
  return warnings
}

interface Term {
  readonly name: string
  readonly qualifier: string
  readonly warning: EmailWarning | undefined
}

/** `[qualifier] mechanism [":" argument] ["/" length]` or `modifier=value`. */
function readTerm(text: string, offset: number): Term {
  const oddly = (rule: string, what: string): EmailWarning => ({
    rule: `spf.${rule}`,
    message: `at ${offset}: ${text}: ${what}`,
  })
  const [, modifier, value] = /^([a-z][a-z0-9_.-]*)=(.*)$/i.exec(text) ?? []
  if (modifier !== undefined && value !== undefined) {
    const name = modifier.toLowerCase()
    if (name !== 'redirect' && name !== 'exp') {
      return {
        name,
        qualifier: '',
        warning: oddly('unknown-modifier', 'an unknown modifier is ignored'),
      }
    }
    const warning = isDomainSpec(value) ? undefined : oddly('syntax', 'a domain must follow')
    return { name, qualifier: '', warning }
  }
  const [, qualifier = '', mechanism = '', rest = ''] = /^([+?~-]?)([a-z0-9]*)(.*)$/i.exec(text) ?? []
  const name = mechanism.toLowerCase()
  const takes = MECHANISMS.get(name)
  const sign = qualifier === '' ? '+' : qualifier
  if (takes === undefined)
    return { name: '', qualifier: sign, warning: oddly('unknown-mechanism', 'unknown mechanism') }
  return {
    name,
    qualifier: sign,
    warning: takes(rest) ? undefined : oddly('syntax', 'the part after the name is malformed'),
  }
}

/** What may follow each mechanism (RFC 7208 §5). */
const MECHANISMS: ReadonlyMap<string, (rest: string) => boolean> = new Map([
  ['all', (rest) => rest === ''],
  ['include', (rest) => rest.startsWith(':') && isDomainSpec(rest.slice(1))],
  ['a', isHostsSpec],
  ['mx', isHostsSpec],
  ['ptr', (rest) => rest === '' || (rest.startsWith(':') && isDomainSpec(rest.slice(1)))],
  ['ip4', (rest) => isNetwork(rest, 32, (text) => parseIpv4(text) !== undefined)],
  ['ip6', (rest) => isNetwork(rest, 128, (text) => parseIpv6(text) !== undefined)],
  ['exists', (rest) => rest.startsWith(':') && isDomainSpec(rest.slice(1))],
])

/** `[:domain][/length][//length]`. */
function isHostsSpec(rest: string): boolean {
  const [, domain, four, six] = /^(?::([^]*?))?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/.exec(rest) ?? [
    undefined,
    '',
  ]
  // Without a length, no limit is exceeded.
  return (domain === undefined || isDomainSpec(domain)) && Number(four ?? 0) <= 32 && Number(six ?? 0) <= 128
}

function isNetwork(rest: string, bits: number, isAddress: (text: string) => boolean): boolean {
  const [, address = '', length = '0'] = /^:([^/]+)(?:\/(\d{1,3}))?$/.exec(rest) ?? []
  return isAddress(address) && Number(length) <= bits
}

/** Visible characters and macros, with a top label or a macro at the end (RFC 7208 §7.1). */
function isDomainSpec(text: string): boolean {
  const isVisible = /^(?:%\{[slodiphcrtv]\d{0,3}r?[.+,/_=-]*\}|%%|%_|%-|[\x21-\x24\x26-\x7e])+$/i.test(text)
  return isVisible && /(?:\.[a-z0-9-]*[a-z][a-z0-9-]*\.?|%\{[^}]+\})$/i.test(text)
}
