// DMARC policies (RFC 7489 §6.3, RFC 9091 §4): known tags, and values that receivers act on.

import { duplicateTags, readTagList } from './tag-list.ts'
import type { EmailWarning } from './warning.ts'

const POLICY = /^(?:none|quarantine|reject)$/i
const ALIGNMENT = /^[rs]$/i
const REPORT_URIS =
  /^\s*mailto:[^\s,!@]+@[^\s,!@]+(?:!\d+[kmgt]?)?\s*(?:,\s*mailto:[^\s,!@]+@[^\s,!@]+(?:!\d+[kmgt]?)?\s*)*$/i

/** The tags with their allowed values. `np` and `psd` are from RFC 9091, `t` from its successor. */
const TAGS: ReadonlyMap<string, { readonly fits: RegExp; readonly description: string }> = new Map([
  ['v', { fits: /^DMARC1$/, description: 'DMARC1' }],
  ['p', { fits: POLICY, description: 'none, quarantine or reject' }],
  ['sp', { fits: POLICY, description: 'none, quarantine or reject' }],
  ['np', { fits: POLICY, description: 'none, quarantine or reject' }],
  ['psd', { fits: /^[ynu]$/i, description: 'y, n or u' }],
  ['t', { fits: /^[yn]$/i, description: 'y or n' }],
  ['adkim', { fits: ALIGNMENT, description: 'r or s' }],
  ['aspf', { fits: ALIGNMENT, description: 'r or s' }],
  ['pct', { fits: /^(?:100|[1-9]?\d)$/, description: 'a number from 0 to 100' }],
  ['fo', { fits: /^[01ds](?:\s*:\s*[01ds])*$/i, description: '0, 1, d and s, separated by colons' }],
  ['rf', { fits: /^afrf(?:\s*:\s*afrf)*$/i, description: 'afrf' }],
  ['ri', { fits: /^\d{1,10}$/, description: 'a number of seconds' }],
  ['rua', { fits: REPORT_URIS, description: 'mailto: addresses separated by commas' }],
  ['ruf', { fits: REPORT_URIS, description: 'mailto: addresses separated by commas' }],
])

/** All problems of a TXT record at a `_dmarc` name. */
export function checkDmarc(text: string): EmailWarning[] {
  const { tags, malformed } = readTagList(text)
  const warnings: EmailWarning[] = malformed.map((offset) => ({
    rule: 'dmarc.syntax',
    message: `at ${offset}: not tag=value`,
  }))
  const warn = (rule: string, message: string) => void warnings.push({ rule: `dmarc.${rule}`, message })
  const has = (name: string) => tags.some((tag) => tag.name === name)

  if (tags[0]?.name !== 'v') warn('version', 'the first tag must be v=DMARC1')
  for (const name of duplicateTags(tags)) warn('duplicate-tag', `the tag ${name} occurs twice`)
  for (const { name, value, offset } of tags) {
    const known = TAGS.get(name)
    if (known === undefined) warn('unknown-tag', `at ${offset}: the tag ${name} is unknown`)
    else if (!known.fits.test(value)) warn('value', `at ${offset}: ${name}= must be ${known.description}`)
  }
  if (!has('p')) warn('policy-missing', 'there is no policy (p=)')
  if (has('ruf') === false && has('fo')) warn('unused', 'fo= has no effect without ruf=')
  return warnings
}
