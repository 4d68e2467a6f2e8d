// Hotlink protection: images of the zone that pages of other sites show.
import { asciiLower, type RequestFacts } from '@zonereeve/expr'

/** What is checked, for traces and events: no expression can compare the referring host with the zone. */
export const HOTLINKED =
  'http.request.uri.path.extension in {"gif" "ico" "jpeg" "jpg" "png"} and http.referer ne ""'

const IMAGE = /\.(?:gif|ico|jpe?g|png)$/
/** Images in such a folder may be shown by everybody, as at the vendor. */
const SHARED_FOLDER = '/hotlink-ok/'
const REFERRING_HOST = /^https?:\/\/(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:]*)/

/** Requests without a Referer pass: browsers and proxies leave it out for privacy. */
export function isHotlinked({ target, headers, zone }: RequestFacts): boolean {
  const path = asciiLower(target.replace(/\?.*$/s, ''))
  if (!IMAGE.test(path) || path.includes(SHARED_FOLDER)) return false
  const referer = headers.find(([name]) => asciiLower(name) === 'referer')?.[1].trim()
  if (referer === undefined || referer === '') return false
  const host = REFERRING_HOST.exec(asciiLower(referer))?.[1]?.replace(/\.$/, '')
  if (zone === undefined) return false
  const apex = asciiLower(zone.name)
  return host === undefined || (host !== apex && !host.endsWith(`.${apex}`))
}
