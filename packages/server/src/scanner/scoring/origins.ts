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

const MIN_LABEL = 4
/** Names by which scripts load, lead elsewhere and write, in small letters. */
const OPEN_CODE =
  /createelement|\.src\b|\blocation\b|document\.write|\bfetch\s*\(|xmlhttprequest|window\.open/u

/** Whether the name of a host is decoded, in code that says openly what it does with it. `codes`: the script and what it runs, in small letters. */
export function isHostHidden(host: string, codes: readonly string[]): boolean {
  const label = host.split('.').at(-2) ?? ''
  if (label.length < MIN_LABEL || codes.some((code) => code.includes(label))) return false
  return codes.some((code) => OPEN_CODE.test(code))
}
