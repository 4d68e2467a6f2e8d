// The first and the last day of a filter. The URL keeps them.
import { strings } from '../strings.ts'

interface DayFieldsProps {
  /** What assistive technology reads: each begins with the word in sight. */
  readonly labels: { readonly since: string; readonly before: string }
  readonly days: { readonly since?: string | undefined; readonly before?: string | undefined }
  readonly onChange: (days: DayFieldsProps['days']) => void
}

export function DayFields({ labels, days, onChange }: DayFieldsProps) {
  const field = (member: 'since' | 'before') => (
    <label className="day-field">
      <span className="dim">{strings.days[member]}</span>
      <input
        type="date"
        className="in day"
        aria-label={labels[member]}
        value={days[member] ?? ''} // no limit
        onChange={({ target }) => onChange({ [member]: target.value === '' ? undefined : target.value })}
      />
    </label>
  )
  return (
    <>
      {field('since')}
      {field('before')}
    </>
  )
}
