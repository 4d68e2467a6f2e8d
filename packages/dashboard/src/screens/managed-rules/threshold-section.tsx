// The threshold of the OWASP ruleset: how many of the zone's requests each one stops, and a choice.
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import {
  anomalyScoresOf,
  changeExecution,
  executing,
  OWASP_RULESET_ID,
  thresholdOf,
  type EntryPoint,
  type Threshold,
  type ThresholdAction,
  type WireAnomalyScores,
} from '../../api/managed-rules.ts'
import type { WireZone } from '../../api/zones.ts'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { useStoredDraft } from '../../parts/stored-draft.ts'
import { useZoneAction } from '../../parts/zone-action.ts'
import { numberText } from '../../strings.ts'
import { managedRuleStrings as text } from '../../strings/managed-rules.ts'

const DAYS = 7

interface ThresholdSectionProps {
  readonly zone: WireZone
  readonly entry: EntryPoint | null
}

export function ThresholdSection({ zone, entry }: ThresholdSectionProps) {
  const scores = useQuery(anomalyScoresOf(zone.id, DAYS))
  const rule = executing(entry, OWASP_RULESET_ID)
  const stored = rule === undefined ? undefined : thresholdOf(rule)
  return (
    <Section title={text.threshold} note={text.thresholdNote}>
      <div className="stack">
        <p className="prose">{text.thresholdIntro}</p>
        {scores.error !== null && <Failure error={scores.error} onRetry={() => void scores.refetch()} />}
        {scores.isPending && <Loading />}
        {scores.data !== undefined && <p className="prose">{text.counted(DAYS, scores.data.requests)}</p>}
        {scores.data !== undefined && (rule === undefined || entry === null || stored === undefined) && (
          <p className="prose">{text.thresholdOff}</p>
        )}
        {scores.data !== undefined && rule !== undefined && entry !== null && stored !== undefined && (
          <ThresholdForm
            key={zone.id}
            zone={zone}
            scores={scores.data}
            stored={stored}
            save={(threshold) => changeExecution(zone.id, entry, rule, { threshold })}
          />
        )}
      </div>
    </Section>
  )
}

interface ThresholdFormProps {
  readonly zone: WireZone
  readonly scores: WireAnomalyScores
  readonly stored: Threshold
  readonly save: (threshold: Threshold) => Promise<void>
}

function ThresholdForm({ zone, scores, stored, save }: ThresholdFormProps) {
  const { draft, base, change, setSaved } = useStoredDraft(stored)
  const action = useZoneAction(zone.id)
  const isChanged = draft.score !== base.score || draft.action !== base.action
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    action.mutate({ run: () => save(draft).then(() => setSaved(draft)), done: text.saved(draft.score) })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <table className="plain thresholds">
        <thead>
          <tr>
            <th>{text.scoreColumns.threshold}</th>
            <th>{text.scoreColumns.meaning}</th>
            <th className="num">{text.scoreColumns.requests}</th>
          </tr>
        </thead>
        <tbody>
          {offered(scores, stored.score).map(({ threshold, requests }) => (
            <tr key={threshold}>
              <td>
                <label className="opt">
                  <input
                    type="radio"
                    name="threshold"
                    className="ck"
                    checked={draft.score === threshold}
                    onChange={() => change({ score: threshold })}
                  />
                  {threshold}
                  {threshold === stored.score && <span className="dim">{text.now}</span>}
                </label>
              </td>
              <td>{text.meaning(threshold)}</td>
              <td className="num">{numberText(requests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Field
        label={text.action}
        hint={draft.score < stored.score && draft.action !== 'log' ? text.logFirst : undefined}
      >
        {(ids) => (
          <select
            {...ids}
            className="sel"
            value={draft.action}
            onChange={({ target }) => change({ action: target.value as ThresholdAction })} // its options
          >
            {Object.entries(text.actions).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="row">
        <button type="submit" className="btn primary" disabled={!isChanged || action.isPending}>
          {text.save}
        </button>
      </div>
      <Problem error={action.error} />
    </form>
  )
}

/** The offered thresholds, and the zone's own if it is another one. */
function offered({ thresholds, scores }: WireAnomalyScores, own: number): WireAnomalyScores['thresholds'] {
  if (thresholds.some(({ threshold }) => threshold === own)) return thresholds
  const requests = scores.filter(({ score }) => score >= own).reduce((sum, one) => sum + one.requests, 0)
  return [...thresholds, { threshold: own, requests }].toSorted((a, b) => a.threshold - b.threshold)
}
