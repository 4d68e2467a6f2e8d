// List filters: comma-separated strings with `*` at their ends, as in queries.
import { DomainError } from '@zonereeve/platform'

export type MatchPosition = 'whole' | 'at-start' | 'at-end' | 'anywhere'

export interface TextPattern {
  readonly place: MatchPosition
  readonly text: string
}

/** A query parameter: error messages contain its name. */
export interface Parameter {
  readonly name: string
  readonly text: string | undefined
}

/**
 * Parses a single pattern without percent-encoding: `*` at the start, the end or both matches anything.
 * @throws DomainError: page_shield.wildcard, if a `*` is anywhere else.
 */
export function readPattern({ name, text = '' }: Parameter): TextPattern {
  const pattern = patternOf(text)
  if (pattern.text.includes('*')) throw misplacedWildcard(name, text, AT_ENDS)
  return pattern
}

/**
 * Parses a comma-separated list without wildcards. A percent-encoded part matches both literally and decoded:
 * URLs contain percent signs of their own. `?*` at the end is the inventory's form of collapsed queries.
 * @throws DomainError: page_shield.wildcard, page_shield.escape.
 */
export function readStrings(parameter: Parameter): readonly string[] {
  const { name } = parameter
  return unique(
    partsOf(parameter).flatMap((part) => {
      if (part.replace(/\?\*$/, '').includes('*')) throw misplacedWildcard(name, part, NOWHERE)
      return bothReadings(part)
    }),
  )
}

/** @throws DomainError: page_shield.wildcard, page_shield.escape: host names are valid UTF-8. */
export function readHostPatterns(parameter: Parameter): readonly TextPattern[] {
  const broken = partsOf(parameter).find((part) => decodePart(part) === undefined)
  if (broken !== undefined) throw wrongEscape(parameter.name, broken)
  return readPatterns(parameter, (part) => part.toLowerCase())
}

/** Page patterns have no scheme, and at least a slash after the host. */
export const readPagePatterns = (parameter: Parameter): readonly TextPattern[] =>
  readPatterns(parameter, (part) => part.replace(/^https?:\/\//i, '')).map((pattern) =>
    pattern.place === 'whole' && !pattern.text.includes('/')
      ? { ...pattern, text: `${pattern.text}/` }
      : pattern,
  )

/** The items of a list that the schema has validated. */
export const readWords = (text: string): readonly string[] => text.split(',').map((word) => word.trim())

/** A percent-encoded `*` at the ends is a wildcard too: clients encode each part as a whole. */
function readPatterns(parameter: Parameter, normal: (part: string) => string): readonly TextPattern[] {
  return partsOf(parameter).flatMap((part) => {
    if (patternOf(part).text.includes('*')) throw misplacedWildcard(parameter.name, part, AT_ENDS)
    return unique(bothReadings(part).map(normal)).map(patternOf)
  })
}

function patternOf(text: string): TextPattern {
  const open = text.startsWith('*')
  const inner = open ? text.slice(1) : text
  const close = inner.endsWith('*') || (open && inner === '')
  const bare = inner.endsWith('*') ? inner.slice(0, -1) : inner
  if (open) return { place: close ? 'anywhere' : 'at-end', text: bare }
  return { place: close ? 'at-start' : 'whole', text: bare }
}

function partsOf({ name, text = '' }: Parameter): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  const broken = parts.find((part) => /%(?![0-9a-f]{2})/i.test(part))
  if (broken !== undefined) throw wrongEscape(name, broken)
  return parts.filter((part) => part !== '')
}

const wrongEscape = (name: string, text: string): DomainError =>
  new DomainError({ reason: 'page_shield.escape', pointer: `/${name}`, values: { name, text } })

/** Bytes that are not UTF-8 match only literally: URLs may contain them. */
const bothReadings = (part: string): readonly string[] => [part, decodePart(part) ?? part]

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined // the caller decides what that means
  }
}

const AT_ENDS = 'it may only be at the start or the end of a string'
const NOWHERE = 'parts of URLs have no wildcards'

const misplacedWildcard = (name: string, text: string, places: string): DomainError =>
  new DomainError({ reason: 'page_shield.wildcard', pointer: `/${name}`, values: { name, text, places } })

const unique = (strings: readonly string[]): readonly string[] => [...new Set(strings)]
