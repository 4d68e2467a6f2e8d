// Patterns of paths: `*` is one segment, `**` the rest.

/** Whether `path`, without query, matches `pattern`: `/client/v4/zones/*` or `/client/v4/**`. */
export function matchesPath(pattern: string, path: string): boolean {
  const patternSegments = pattern.split('/')
  const segments = path.split('/')
  const isOpen = patternSegments.at(-1) === '**'
  if (isOpen ? segments.length < patternSegments.length : segments.length !== patternSegments.length)
    return false
  return (isOpen ? patternSegments.slice(0, -1) : patternSegments).every((part, i) =>
    part === '*' ? segments[i] !== '' : part === segments[i],
  )
}
