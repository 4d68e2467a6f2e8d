// Cells that lists of what was detected share: mark, URL, pages, status.
import type { WireConnection, WireScript } from '../../api/monitoring.ts'
import { Icon } from '../../parts/icon.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { monitoringStrings as text } from '../../strings/monitoring.ts'
import { pagesOf } from './inventory-url.ts'

const MALICIOUS_BELOW = 10

/** By a threat feed, or by the score of a script. */
export function isMalicious(item: WireConnection | WireScript): boolean {
  const score = 'js_integrity_score' in item ? item.js_integrity_score : undefined
  return (
    item.domain_reported_malicious === true ||
    item.url_reported_malicious === true ||
    (typeof score === 'number' && score < MALICIOUS_BELOW)
  )
}

export function MaliciousMark({ isShown }: { readonly isShown: boolean }) {
  if (!isShown) return null
  return (
    <span className="bad">
      <Icon name="wrong" />
    </span>
  )
}

interface PagesProps {
  readonly host: string
  readonly first_page_url?: string
  readonly page_urls?: readonly string[]
}

export function Pages({ item }: { readonly item: PagesProps }) {
  const [first, ...others] = pagesOf(item)
  if (first === undefined) return null
  return <span title={[first, ...others].join('\n')}>{text.pages(first, others.length)}</span>
}

const TONES: Readonly<Record<keyof typeof text.statuses, Tone>> = {
  active: 'normal',
  infrequent: 'expected',
  inactive: 'off',
}

interface StatusProps {
  readonly status: keyof typeof text.statuses
  readonly isBad?: boolean
}

export function ItemStatus({ status, isBad = false }: StatusProps) {
  if (isBad) return <StatusWord tone="wrong">{text.malicious}</StatusWord>
  return <StatusWord tone={TONES[status]}>{text.statuses[status]}</StatusWord>
}
