// Where an address leads, seen from the page.

export type Origin = 'own' | 'other' | 'unknown'

/** The host of an address that names one, in lower case. */
export function hostOf(address: string): string | null {
  const found = /^\s*(?:(?:https?|wss?|ftp):)?\\?\/\\?\/([^/?#\\\s:@"']+)/iu.exec(address)
  const host = found?.[1]?.toLowerCase()
  return host !== undefined && /^[\w.-]+\.[\w-]+$/u.test(host) ? host : null
}

/** own: a path, or one of the hosts given. other: a host that is named. unknown: nothing of it could be told. */
export function originOf(address: string, ownHosts: readonly string[]): Origin {
  const host = hostOf(address)
  if (host !== null) {
    return ownHosts.some((own) => host === own || host.endsWith(`.${own}`)) ? 'own' : 'other'
  }
  if (address === '' || /^(?:https?:|wss?:|\/\/)/u.test(address)) return 'unknown'
  return 'own'
}
