// What webhooks and e-mail alerts have in common: the list of a zone, the kinds of events that they get, and whether these
// arrive.
import type { ReactNode } from 'react'
import { Field } from '../../parts/field.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
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

/** Kinds of events that exist. */
const ALL_KINDS = 24

export const kindsText = (kinds: readonly string[]): string =>
  kinds.length >= ALL_KINDS ? text.allEvents : text.someEvents(kinds.length)

interface DeliveriesProps {
  readonly texts: {
    readonly headline: string
    readonly note: string
    readonly none: string
    readonly add: string
    /** Read out above the actions of the rows, which are the last column. */
    readonly actions: string
  }
  readonly columns: readonly (readonly [label: string, className?: string])[]
  readonly actionsWidth: string
  /** undefined = not loaded. */
  readonly rows: readonly ReactNode[] | undefined
  readonly listError: Error | null
  readonly actionError: Error | null
  readonly form: (close: () => void) => ReactNode
}

export function Deliveries({
  texts,
  columns,
  actionsWidth,
  rows,
  listError,
  actionError,
  form,
}: DeliveriesProps) {
  return (
    <Section title={texts.headline} note={texts.note}>
      <div className="stack">
        <Problem error={listError} />
        {rows?.length === 0 && <p className="soft">{texts.none}</p>}
        {rows !== undefined && rows.length > 0 && (
          <table className="plain stacked">
            <thead>
              <tr>
                {columns.map(([label, className]) => (
                  <th key={label} className={className}>
                    {label}
                  </th>
                ))}
                <th className={`${actionsWidth} num`}>
                  <span className="vh">{texts.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>{rows}</tbody>
          </table>
        )}
        <Problem error={actionError} />
        <FormButton label={texts.add} form={form} />
      </div>
    </Section>
  )
}

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
