// What webhooks and e-mail alerts have in common: the kinds of events that they get, and whether these arrive.
import { Field } from '../../parts/field.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'

export const ALERTS = [
  'script.reported',
  'script.changed',
  'script.unfetched',
  'script.analysis_ended',
  'connection.reported',
  'frame.reported',
  'image.reported',
  'form.reported',
  'page.headers_changed',
  'page.scripts_changed',
  'page.policy_drift',
  'page.failed',
] as const

/** Kinds of events that there are: who gets as many gets all. */
const ALL_KINDS = 24

export const kindsText = (kinds: readonly string[]): string =>
  kinds.length >= ALL_KINDS ? text.allEvents : text.someEvents(kinds.length)

interface KindsFieldProps {
  readonly isAll: boolean
  readonly onChange: (isAll: boolean) => void
}

export function KindsField({ isAll, onChange }: KindsFieldProps) {
  return (
    <Field label={text.kinds}>
      {(ids) => (
        <select
          {...ids}
          className="sel"
          value={isAll ? 'all' : 'alerts'}
          onChange={({ target }) => onChange(target.value === 'all')}
        >
          <option value="all">{text.kindOptions.all}</option>
          <option value="alerts">{text.kindOptions.alerts}</option>
        </select>
      )}
    </Field>
  )
}

interface DeliveryStateProps {
  readonly enabled: boolean
  readonly problem: string | null
  /** The word for one without a problem. */
  readonly delivered: string
}

export function DeliveryState({ enabled, problem, delivered }: DeliveryStateProps) {
  if (!enabled) return <StatusWord tone="off">{text.waiting}</StatusWord>
  if (problem !== null) return <StatusWord tone="warning">{text.failing(problem)}</StatusWord>
  return <StatusWord tone="normal">{delivered}</StatusWord>
}
