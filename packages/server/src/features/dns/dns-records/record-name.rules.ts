// The name of a record: relative, fully qualified, or `@`. Where the profile says so, addresses and aliases begin
// with a letter.
import { domainToASCII } from 'node:url'
import {
  isAtOrBelow,
  joinName,
  labelsOf,
  NameError,
  parseName,
  relativeName,
  type Name,
} from '@zonereeve/dns'
import type { Issue } from '@zonereeve/platform'
import type { RecordInput, RecordContext } from './dns-records.rules.ts'

const invalid = (detail: string): Issue => ({ reason: 'record.name', pointer: '/name', detail })

/** Returns the record's full name in canonical form, or the issue with it. */
export function recordName(input: RecordInput, around: RecordContext): Name | Issue {
  const { decoded, type } = input
  if (decoded !== undefined && isAtOrBelow(decoded.name, around.apex))
    return labelIssue(decoded.name, type, around) ?? decoded.name
  const text = nameText(input)
  if (text === undefined || text.trim() === '') return invalid('It is missing; "@" is the apex.')
  try {
    const name = qualifyName(text.trim(), around.apex)
    if (name === undefined) return invalid(`It ends in a dot and is not in the zone ${around.apex}.`)
    return labelIssue(name, type, around) ?? name
  } catch (error) {
    if (error instanceof NameError) return invalid(sentence(error.message))
    throw error
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** SRV names were sent in parts in the past. */
function nameText({ name, data, type }: RecordInput): string | undefined {
  if (name !== undefined || type !== 'SRV' || data === undefined) return name
  const { service, proto, name: host } = data
  const parts = [service, proto, host].filter(
    (part) => typeof part === 'string' && part !== '' && part !== '@',
  )
  return parts.length < 2 ? undefined : parts.join('.')
}

/**
 * Qualifies a name: a name in the zone is kept; any other is put below the apex, unless a trailing dot marks it as
 * complete.
 *
 * @returns undefined for a complete name outside the zone. @throws NameError for an invalid name.
 */
export function qualifyName(text: string, apex: Name): Name | undefined {
  if (text === '@') return apex
  const ascii = asciiName(text)
  const name = parseName(ascii)
  if (isAtOrBelow(name, apex)) return name
  return ascii.endsWith('.') && !ascii.endsWith('\\.') ? undefined : joinName(ascii, apex)
}

/** Converts U-labels to A-labels; empty if that is impossible. ASCII names are returned unchanged. */
export const asciiName = (text: string): string => (/^[\p{ASCII}]*$/u.test(text) ? text : domainToASCII(text))

const LABEL = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/
const ENDS_WELL = /[a-z0-9]$/
const BEGINS_WITH_LETTER = /^_?[a-z]/

/**
 * RFC 4592 §4.2 leaves the meaning of NS at a wildcard undefined, and BIND rejects every transfer of a zone that has
 * one.
 */
const WILDCARD_NS = 'NS records are not allowed at a wildcard: delegate each name separately.'

function labelIssue(name: Name, type: string, around: RecordContext): Issue | undefined {
  const { apex, lettersFirst, isStored = false } = around
  const labels = name === apex ? [] : labelsOf(relativeName(name, apex) as Name) // relative names have labels too
  if (labels[0] === '*' && type === 'NS' && !isStored) return invalid(WILDCARD_NS)
  const host = type === 'A' || type === 'AAAA' || type === 'CNAME'
  for (const [index, label] of labels.entries()) {
    if (label === '*' && index === 0) continue
    if (!LABEL.test(label)) {
      return invalid(
        `The label "${label}" may have letters, digits, hyphens and underscores, hyphens only inside.`,
      )
    }
    if (host && !ENDS_WELL.test(label))
      return invalid(`The label "${label}" must end with a letter or digit.`)
    if (host && lettersFirst && !BEGINS_WITH_LETTER.test(label)) {
      return invalid(`The label "${label}" must begin with a letter (profile "vendor" lifts this).`)
    }
  }
  return undefined
}
