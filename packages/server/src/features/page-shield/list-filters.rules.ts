// Filters of lists: comma-separated texts with `*` at their ends, as queries carry them.

export type Place = 'whole' | 'at-start' | 'at-end' | 'anywhere'

export interface TextPattern {
  readonly place: Place
  readonly text: string
}

/** `*` at the start, the end or both stands for anything; elsewhere it is a character like others. */
export function readPattern(text: string): TextPattern {
  const open = text.startsWith('*')
  const inner = open ? text.slice(1) : text
  const close = inner.endsWith('*') || (open && inner === '')
  const bare = inner.endsWith('*') ? inner.slice(0, -1) : inner
  if (open) return { place: close ? 'anywhere' : 'at-end', text: bare }
  return { place: close ? 'at-start' : 'whole', text: bare }
}

/**
 * The parts of a comma list. A part whose own commas are percent-encoded stands for itself and for what it decodes to:
 * URLs have percent signs of their own.
 */
export function readList(text: string | undefined): readonly string[] {
  const parts = (text ?? '').split(',').flatMap((part) => bothReadings(part.trim()))
  return [...new Set(parts)].filter((part) => part !== '')
}

function bothReadings(part: string): readonly string[] {
  try {
    return [part, decodeURIComponent(part)]
  } catch {
    return [part] // a percent sign that encodes nothing is only a percent sign
  }
}

export const readHostPatterns = (text: string | undefined): readonly TextPattern[] =>
  readList(text).map((part) => readPattern(part.toLowerCase()))

/** Pages have no scheme here, and at least a slash behind their host. */
export function readPagePatterns(text: string | undefined): readonly TextPattern[] {
  return readList(text).map((part) => {
    const pattern = readPattern(part.replace(/^https?:\/\//i, ''))
    return pattern.place === 'whole' && !pattern.text.includes('/')
      ? { ...pattern, text: `${pattern.text}/` }
      : pattern
  })
}
