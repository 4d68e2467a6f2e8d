// What a threat feed says about a host or a URL.
import type { WireConnection } from '../../api/monitoring.ts'
import { Icon } from '../../parts/icon.tsx'
import { monitoringStrings } from '../../strings/monitoring.ts'

const text = monitoringStrings.detail

export function FeedCallout({ item }: { readonly item: WireConnection }) {
  if (item.domain_reported_malicious !== true && item.url_reported_malicious !== true) return null
  const lists = [item.malicious_domain_categories, item.malicious_url_categories]
  const categories = new Set(lists.flatMap((list) => (list === undefined ? [] : list)))
  return (
    <div className="callout b">
      <span className="bad">
        <Icon name="wrong" />
      </span>
      <span>
        <b>{text.maliciousHead}</b> {text.listed([...categories].join(', '))}
      </span>
    </div>
  )
}
