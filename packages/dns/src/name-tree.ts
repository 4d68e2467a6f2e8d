// Relations between names: labels, parents, ancestors, relative forms and the canonical order.

import { elementAt } from './checked-reads.ts'
import { NameError } from './errors.ts'
import { characterLength, MAX_NAME_OCTETS, nameWireLength, octetAt, parseName, ROOT } from './name.ts'
import type { Name } from './name.ts'

/** The labels from left to right, each in canonical form with its escapes; none for the root. */
export function labelsOf(name: Name): string[] {
  if (name === ROOT) return []
  if (!name.includes('\\')) return name.split('.')
  const labels: string[] = []
  let start = 0
  for (let at = 0; at < name.length; at += characterLength(name, at)) {
    if (name[at] !== '.') continue
    labels.push(name.slice(start, at))
    start = at + 1
  }
  labels.push(name.slice(start))
  return labels
}

/** The name without its leftmost label; undefined for the root. */
export function parentOf(name: Name): Name | undefined {
  if (name === ROOT) return undefined
  for (let at = 0; at < name.length; at += characterLength(name, at)) {
    if (name[at] === '.') return name.slice(at + 1) as Name // a suffix at a label boundary is canonical
  }
  return ROOT
}

/** Whether `name` is `ancestor` or a descendant of it (RFC 8499 §7, "subdomain"). */
export function isAtOrBelow(name: Name, ancestor: Name): boolean {
  if (ancestor === ROOT || name === ancestor) return true
  if (!name.endsWith(`.${ancestor}`)) return false
  // The dot before the suffix separates labels unless an odd number of backslashes precedes it.
  let backslashes = 0
  for (let at = name.length - ancestor.length - 2; name[at] === '\\'; at -= 1) backslashes += 1
  return backslashes % 2 === 0
}

/** Whether the leftmost label is exactly `*` (RFC 4592 §2.1.1). */
export function isWildcard(name: Name): boolean {
  return name === '*' || name.startsWith('*.')
}

/**
 * Reads a name as zone files do (RFC 1035 §5.1): `@` is the origin, a trailing dot makes it absolute, anything else is
 * put below the origin.
 * @throws NameError as parseName; offsets count from the start of `relative`.
 */
export function joinName(relative: string, origin: Name): Name {
  if (relative === '@') return origin
  const name = parseName(relative)
  if (endsWithDot(relative) || origin === ROOT) return name
  if (nameWireLength(name) + nameWireLength(origin) - 1 > MAX_NAME_OCTETS) {
    throw new NameError('name.too-long', relative.length, `below ${origin} the name is too long`)
  }
  return `${name}.${origin}` as Name // two canonical names within the length limit
}

/** The inverse of joinName, short form: `@` for the origin itself, without the origin below it, else with a trailing dot. */
export function relativeName(name: Name, origin: Name): string {
  if (name === origin) return '@'
  if (name === ROOT) return '.'
  if (origin === ROOT) return name
  return isAtOrBelow(name, origin) ? name.slice(0, -origin.length - 1) : `${name}.`
}

/** Canonical order of DNSSEC (RFC 4034 §6.1): negative, zero or positive, as Array.sort wants it. */
export function compareNames(a: Name, b: Name): number {
  if (a === b) return 0
  const left = labelsOf(a)
  const right = labelsOf(b)
  const common = Math.min(left.length, right.length)
  for (let fromRight = 1; fromRight <= common; fromRight += 1) {
    const x = labelOctets(elementAt(left, left.length - fromRight))
    const y = labelOctets(elementAt(right, right.length - fromRight))
    if (x !== y) return x < y ? -1 : 1
  }
  return left.length - right.length
}

/** The label with one code unit per octet, so that comparing strings compares octets. */
function labelOctets(label: string): string {
  if (!label.includes('\\')) return label
  let octets = ''
  for (let at = 0; at < label.length; at += characterLength(label, at)) {
    octets += String.fromCharCode(octetAt(label, at))
  }
  return octets
}

function endsWithDot(text: string): boolean {
  if (!text.endsWith('.')) return false
  let last = -1
  for (let at = 0; at < text.length; at += characterLength(text, at)) last = at
  return text[last] === '.'
}
