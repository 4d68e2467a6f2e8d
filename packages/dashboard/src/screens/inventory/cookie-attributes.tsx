// What protects a cookie. What is missing is a reason to look.
import type { WireCookie } from '../../api/monitoring.ts'
import { Icon } from '../../parts/icon.tsx'
import { monitoringStrings } from '../../strings/monitoring.ts'

const text = monitoringStrings.cookieAttributes

export function CookieAttributes({ cookie }: { readonly cookie: WireCookie }) {
  // What browsers send has no attributes.
  if (cookie.type === 'unknown') return <span className="dim">{text.unknown}</span>
  const site = cookie.same_site_attribute
  const good = [
    ...(cookie.secure_attribute === true ? [text.secure] : []),
    ...(cookie.http_only_attribute === true ? [text.httpOnly] : []),
    ...(site === undefined ? [] : [text.sameSite[site]]),
  ]
  const missing = [
    ...(cookie.secure_attribute === false ? [text.notSecure] : []),
    ...(cookie.http_only_attribute === false ? [text.notHttpOnly] : []),
  ]
  return (
    <>
      {missing.length > 0 && (
        <span className="st warn">
          <Icon name="warning" />
          {missing.join(', ')}
        </span>
      )}
      {missing.length > 0 && good.length > 0 && ', '}
      {good.join(', ')}
    </>
  )
}
