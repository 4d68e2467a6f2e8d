// The destination of an address, relative to the page.

export type Origin = 'own' | 'other' | 'unknown'

/** The host of an address in lower case, if it has one. */
export function hostOf(address: string): string | null {
  const match = /^\s*(?:(?:https?|wss?|ftp):)?\\?\/\\?\/([^/?#\\\s:@"']+)/iu.exec(address)
  const host = match?.[1]?.toLowerCase()
  return host !== undefined && /^(?:[\w.-]+\.[\w-]+|localhost)$/u.test(host) ? host : null
}

/** Whether an address has a host that matches. */
export function hasHost(address: string, pattern: RegExp): boolean {
  const host = hostOf(address)
  return host !== null && pattern.test(host)
}

const MESSENGER = /\/bot\d*:?[\w-]*\/?sendMessage|api\.telegram\.org\/bot|\/api\/webhooks\//iu

/** Whether what is sent there arrives as a message of a messenger. */
export const isMessenger = (address: string): boolean => MESSENGER.test(address)

/** The label before the last one, as in `example` of `www.example.com`. `host`: a result of hostOf. */
export function domainLabel(host: string): string {
  const [last, label = last] = host.split('.').toReversed()
  if (label === undefined) throw new Error('the host is empty')
  return label
}

/** own: a path, or one of the given hosts. other: another named host. unknown: it could not be determined. */
export function originOf(address: string, ownHosts: readonly string[]): Origin {
  const host = hostOf(address)
  if (host !== null) {
    return ownHosts.some((own) => host === own || host.endsWith(`.${own}`)) ? 'own' : 'other'
  }
  if (address === '' || /^(?:https?:|wss?:|\/\/)/u.test(address)) return 'unknown'
  return 'own'
}

const MIN_LABEL = 4
/** Lower-case names with which scripts load, redirect and write. */
const OPEN_CODE =
  /createelement|\.src\b|\blocation\b|document\.write|\bfetch\s*\(|xmlhttprequest|window\.open/u

/**
 * Whether a host name is decoded, in code whose actions are not hidden. `codes`: the script and the code it runs, in
 * lower case.
 */
export function isHostHidden(host: string, codes: readonly string[]): boolean {
  const label = domainLabel(host)
  if (label.length < MIN_LABEL || codes.some((code) => code.includes(label))) return false
  return codes.some((code) => OPEN_CODE.test(code))
}
