// The result of a trace: the decision, then each phase in the order of evaluation.
import type { TraceStep, WireFirewallTrace } from '../../api/firewall-trace.ts'
import { ActionWord } from '../../parts/action-word.tsx'
import { LoggedList } from '../../parts/logged-list.tsx'
import { Section } from '../../parts/section.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { actionName } from '../../strings/actions.ts'
import { traceStrings as text } from '../../strings/trace.ts'

interface TraceResultProps {
  readonly trace: WireFirewallTrace
}

export function TraceResult({ trace }: TraceResultProps) {
  return (
    <div role="status">
      <Decision trace={trace} />
      {phasesOf(trace.new.steps).map((steps) => (
        <Phase key={`${steps[0]?.level} ${steps[0]?.phase}`} steps={steps} />
      ))}
      <Legacy legacy={trace.old} />
    </div>
  )
}

function Decision({ trace: { effective, new: verdict } }: Pick<TraceResultProps, 'trace'>) {
  const { ended_by: by, response } = verdict
  const isLegacy = effective.by === 'old'
  const rule = isLegacy ? text.legacyRule(String(effective.rule_id)) : (by?.description ?? by?.rule_id)
  return (
    <Section title={text.decision} kind="hi">
      <dl className="kv">
        <dt>
          {effective.action === 'allow' ? (
            <StatusWord tone="normal">{effective.action}</StatusWord>
          ) : (
            <ActionWord action={effective.action} />
          )}
        </dt>
        <dd>
          <b>{sentenceOf(effective.action)}</b>
        </dd>
        {rule !== undefined && (
          <>
            <dt>{text.by}</dt>
            <dd>{rule}</dd>
          </>
        )}
        {response !== null && (
          <>
            <dt>{text.response}</dt>
            <dd>
              {response.location === undefined ? (
                <>{text.status(response.status_code)}</>
              ) : (
                <>
                  {text.status(response.status_code)} {text.location} <code>{response.location}</code>
                </>
              )}
            </dd>
          </>
        )}
        <LoggedList fields={verdict.logged_fields} />
        {verdict.skipped_products.length > 0 && (
          <>
            <dt>{text.skipped}</dt>
            <dd>{verdict.skipped_products.join(', ')}</dd>
          </>
        )}
      </dl>
    </Section>
  )
}

function sentenceOf(action: string): string {
  if (action === 'allow') return text.allowed
  return action === 'log' ? text.allowedLogged : text.ended(actionName(action))
}

/** Steps that follow each other in the same phase of the same level. */
function phasesOf(steps: readonly TraceStep[]): readonly (readonly TraceStep[])[] {
  const phases: TraceStep[][] = []
  for (const step of steps) {
    const last = phases.at(-1)
    if (last?.[0]?.phase === step.phase && last[0].level === step.level) last.push(step)
    else phases.push([step])
  }
  return phases
}

const TONES: Readonly<Record<TraceStep['outcome'], Tone>> = {
  passed: 'normal',
  matched: 'warning',
  counted: 'expected',
  skipped: 'off',
}

function Phase({ steps }: { readonly steps: readonly TraceStep[] }) {
  const [first] = steps
  if (first === undefined) return null
  const shown = steps.filter(({ outcome }) => outcome !== 'passed')
  return (
    <Section
      title={text.phaseOf(first.phase)}
      note={first.level === 'account' ? text.account : text.evaluated(steps.length)}
    >
      <div className="stack">
        {shown.length > 0 && (
          <table className="plain steps">
            <thead>
              <tr>
                <th className="w136">{text.columns.outcome}</th>
                <th>{text.columns.rule}</th>
                <th className="w152">{text.columns.action}</th>
                <th>{text.columns.because}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((step) => (
                <tr key={`${step.ruleset_id} ${step.rule_id}`}>
                  <td>
                    <StatusWord tone={TONES[step.outcome]}>{text.outcomes[step.outcome]}</StatusWord>
                  </td>
                  <td title={step.rule_id}>{nameOf(step)}</td>
                  <td>{actionName(step.action)}</td>
                  <td className="because">
                    {becauseOf(step).map((line) => (
                      <code key={line}>{line}</code>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {shown.length < steps.length && (
          <p className="soft">{text.notMatched(steps.length - shown.length)}</p>
        )}
      </div>
    </Section>
  )
}

const nameOf = ({ description, rule_id: id }: TraceStep): string =>
  description === undefined || description === '' ? id : description

function becauseOf({ because, detected, score, outcome }: TraceStep): string[] {
  if (outcome === 'skipped') return [text.skippedBefore]
  return [
    ...(because ?? []), // a managed rule has none
    ...(detected === undefined ? [] : [text.found(detected.excerpt, detected.field)]),
    ...(score === undefined ? [] : [text.score(score)]),
  ]
}

function Legacy({ legacy }: { readonly legacy: WireFirewallTrace['old'] }) {
  return (
    <Section title={text.legacy}>
      <div className="stack">
        {legacy.inactive !== null && <p className="soft">{text.legacyInactive[legacy.inactive]}</p>}
        {legacy.inactive === null && legacy.matches.length === 0 && <p className="soft">{text.legacyNone}</p>}
        {legacy.matches.length > 0 && (
          <>
            <p>{text.legacyScore(legacy.total, legacy.threshold)}</p>
            <table className="plain steps">
              <thead>
                <tr>
                  <th className="w136">{text.columns.action}</th>
                  <th>{text.columns.rule}</th>
                  <th>{text.columns.because}</th>
                </tr>
              </thead>
              <tbody>
                {legacy.matches.map(({ rule_id: id, description, effect, score, detected }) => (
                  <tr key={id}>
                    <td>{effect}</td>
                    <td title={id}>{description}</td>
                    <td className="because">
                      <code>{text.found(detected.excerpt, detected.field)}</code>
                      {score !== undefined && <code>{text.score(score)}</code>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </div>
    </Section>
  )
}
