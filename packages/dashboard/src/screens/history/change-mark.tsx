// The mark of a change set in the margin: added, changed, deleted, or something other than records.
import type { WireChangeSummary } from '@zonereeve/contract'
import { Icon } from '../../parts/icon.tsx'
import { changeMark } from './change-text.ts'

const TONES = { add: 'add', remove: 'del', change: 'dim', info: 'dim' } as const

export function ChangeMarkIcon({ change }: { readonly change: Pick<WireChangeSummary, 'kinds'> }) {
  const mark = changeMark(change)
  return (
    <span className={`mk ${TONES[mark]}`}>
      <Icon name={mark} />
    </span>
  )
}
