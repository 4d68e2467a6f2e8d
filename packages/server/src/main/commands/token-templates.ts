// Templates of tokens by which the command line creates them: their permission groups.
type IsGroup = (name: string, scope: string) => boolean

/** Each of them can be limited to a zone. */
export const GROUPS: Readonly<Record<string, IsGroup>> = {
  'dns-edit': (name) => ['Zone Read', 'DNS Read', 'DNS Write'].includes(name),
  'read-only': (name, scope) => scope === 'zone' && name.endsWith(' Read'),
  edge: (name) => name === 'Edge Decide',
}

export const TEMPLATES = `admin, ${Object.keys(GROUPS)
  .map((name) => `${name}[:ZONE]`)
  .join(', ')}`
