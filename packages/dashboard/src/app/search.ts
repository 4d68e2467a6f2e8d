// The query of a URL as plain text: `?q=type:MX&sort=name`, without JSON in it.

export function readSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') written.set(name, value)
  // These characters mean nothing special in a query, and filters are made of them.
  const text = written.toString().replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

/** The parameters of these names that have a text; others mean nothing here. */
export function pickSearch<const Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [N in Name]?: string | undefined } {
  const entries = names.map((name) => [name, search[name]] as const)
  // One text for each name that has one.
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && value !== '')) as {
    readonly [N in Name]?: string
  }
}
