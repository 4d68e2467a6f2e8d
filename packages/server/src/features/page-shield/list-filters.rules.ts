// Filters of lists: comma-separated texts with `*` at their ends, as queries carry them.
import { DomainError } from '../../platform/domain-error.ts'

export type Place = 'whole' | 'at-start' | 'at-end' | 'anywhere'

export interface TextPattern {
  readonly place: Place
  readonly text: string
}

/** A parameter of the query: its name stands in what is refused. */
export interface Parameter {
  readonly name: string
  readonly text: string | undefined
}

/**
 * A pattern that is no list, without percent-encoding: `*` at the start, the end or both stands for anything.
 *
 * @throws DomainError: page_shield.wildcard, where a `*` is anywhere else.
 */
export function readPattern({ name, text = '' }: Parameter): TextPattern {
  const pattern = patternOf(text)
  if (pattern.text.includes('*')) throw misplaced(name, text, AT_ENDS)
  return pattern
}

/**
 * The parts of a comma list, without wildcards. A part whose own characters are percent-encoded stands for itself and for
 * what it decodes to: URLs have percent signs of their own. `?*` at the end is how the inventory writes many queries.
 *
 * @throws DomainError: page_shield.wildcard, page_shield.escape.
 */
export function readTexts(parameter: Parameter): readonly string[] {
  const { name } = parameter
  return unique(
    partsOf(parameter).flatMap((part) => {
      if (part.replace(/\?\*$/, '').includes('*')) throw misplaced(name, part, NOWHERE)
      return bothReadings(part)
    }),
  )
}

/** @throws DomainError: page_shield.wildcard, page_shield.escape: what decodes to no UTF-8 is no host's name, either. */
export function readHostPatterns(parameter: Parameter): readonly TextPattern[] {
  const broken = partsOf(parameter).find((part) => decoded(part) === undefined)
  if (broken !== undefined) throw wrongEscape(parameter.name, broken)
  return readPatterns(parameter, (part) => part.toLowerCase())
}

/** Pages have no scheme here, and at least a slash behind their host. */
export const readPagePatterns = (parameter: Parameter): readonly TextPattern[] =>
  readPatterns(parameter, (part) => part.replace(/^https?:\/\//i, '')).map((pattern) =>
    pattern.place === 'whole' && !pattern.text.includes('/')
      ? { ...pattern, text: `${pattern.text}/` }
      : pattern,
  )

/** The words of a list that the schema has checked. */
export const readWords = (text: string): readonly string[] => text.split(',').map((word) => word.trim())

/** A `*` that is percent-encoded stands for anything at the ends, too: clients encode each part as a whole. */
function readPatterns(parameter: Parameter, normal: (part: string) => string): readonly TextPattern[] {
  return partsOf(parameter).flatMap((part) => {
    if (patternOf(part).text.includes('*')) throw misplaced(parameter.name, part, AT_ENDS)
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

/** Octets that are no UTF-8 stand for themselves: URLs may have them. */
const bothReadings = (part: string): readonly string[] => [part, decoded(part) ?? part]

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined // the caller says what that means
  }
}

const AT_ENDS = 'it stands at the start and at the end of a text, and only there'
const NOWHERE = 'parts of URLs have no wildcards'

const misplaced = (name: string, text: string, places: string): DomainError =>
  new DomainError({ reason: 'page_shield.wildcard', pointer: `/${name}`, values: { name, text, places } })

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]
