// The form of a policy, and beside it what the policy would do.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import {
  deletePolicy,
  savePolicy,
  simulationOf,
  type PolicyDraft,
  type WirePolicy,
  type WireSuggestion,
} from '../../api/policies.ts'
import type { WireZone } from '../../api/zones.ts'
import { useDelayed } from '../../parts/delayed.ts'
import { Field } from '../../parts/field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { policyStrings } from '../../strings/policies.ts'
import { ExpressionField } from '../rules/expression-field.tsx'
import { problemOf, RESPONSE_SCHEME } from '../rules/expression-problem.ts'
import { DirectiveList } from './directive-list.tsx'
import { listPolicy, MAX_POLICY_CHARACTERS, withSource } from './policy-text.ts'
import { SimulationPane } from './simulation-pane.tsx'

const text = policyStrings.form
const TYPING_MILLIS = 400
const ACTIONS = ['log', 'allow', 'add_reporting_directives'] as const

const responseProblem = (expression: string) => problemOf(expression, RESPONSE_SCHEME)

interface PolicyFormProps {
  readonly zone: WireZone
  readonly title: string
  readonly start: PolicyDraft
  /** undefined for a policy that is not saved yet. */
  readonly stored: WirePolicy | undefined
  readonly leftOut?: WireSuggestion['left_out']
}

export function PolicyForm({ zone, title, start, stored, leftOut }: PolicyFormProps) {
  const [draft, setDraft] = useState(start)
  const { action, save } = useSaving(zone, stored)
  const { value, expression } = draft
  const isReporting = draft.action === 'add_reporting_directives'
  const listed = useMemo(
    () => listPolicy(value, stored === undefined ? value : stored.value),
    [value, stored],
  )
  const problem = useMemo(() => responseProblem(expression), [expression])
  const canSimulate = !isReporting && !listed.hasErrors
  const settled = useDelayed(value, TYPING_MILLIS)
  const simulation = useQuery({
    ...simulationOf(zone.id, settled),
    enabled: canSimulate && settled === value,
  })
  const isWrong = problem !== undefined || (!isReporting && listed.hasErrors)
  const isChanged = stored === undefined || JSON.stringify(draft) !== JSON.stringify(start)
  const blocked = simulation.data?.blocked.length
  return (
    <>
      <FormHead
        zone={zone}
        title={title}
        stored={stored}
        isDisabled={isWrong || !isChanged || action.isPending}
        onSave={() => save(draft)}
      />
      <div className="split even">
        <div>
          <div className="pad stack lg policy">
            <Problem error={action.error} />
            <Settings draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
            <ExpressionField
              label={text.pages}
              start={start.expression}
              written={expression}
              problem={problem}
              problemIn={responseProblem}
              onEdited={(written) => setDraft((current) => ({ ...current, expression: written }))}
            />
            {!isReporting && (
              <ValueEditor
                value={value}
                listed={listed}
                onValue={(next) => setDraft((current) => ({ ...current, value: next }))}
              />
            )}
            {draft.action === 'allow' &&
              draft.enabled &&
              isChanged &&
              blocked !== undefined &&
              blocked > 0 && <p className="warn">{text.enforces(blocked)}</p>}
            {stored !== undefined && <Removal zone={zone} policy={stored} />}
          </div>
        </div>
        <div className="pane">
          <SimulationPane
            draft={draft}
            simulation={canSimulate ? simulation.data : undefined}
            isOld={simulation.isPlaceholderData || settled !== value}
            error={canSimulate ? simulation.error : null}
            leftOut={leftOut}
            onAllow={(directive, source) =>
              setDraft((current) => ({ ...current, value: withSource(current.value, directive, source) }))
            }
          />
        </div>
      </div>
    </>
  )
}

function useSaving(zone: WireZone, stored: WirePolicy | undefined) {
  const navigate = useNavigate()
  const action = useZoneAction(zone.id)
  const save = (draft: PolicyDraft): void =>
    action.mutate(
      {
        run: () => savePolicy(zone.id, stored?.id, withoutValue(draft)),
        done: stored === undefined ? text.created : text.saved,
      },
      {
        onSuccess: () => {
          if (stored === undefined)
            void navigate({ to: '/zones/$zone/policies', params: { zone: zone.name } })
        },
      },
    )
  return { action, save }
}

/** A policy that only adds reporting has no text of its own. */
const withoutValue = (draft: PolicyDraft): PolicyDraft =>
  draft.action === 'add_reporting_directives' ? { ...draft, value: '' } : draft

interface FormHeadProps {
  readonly zone: WireZone
  readonly title: string
  readonly stored: WirePolicy | undefined
  readonly isDisabled: boolean
  readonly onSave: () => void
}

function FormHead({ zone, title, stored, isDisabled, onSave }: FormHeadProps) {
  return (
    <PageHead
      title={title}
      intro={
        stored !== undefined && (
          <Link
            className="link"
            to="/zones/$zone/violations"
            params={{ zone: zone.name }}
            search={{ q: `policy:${stored.id}` }}
          >
            {policyStrings.violationsOf}
          </Link>
        )
      }
    >
      <button type="button" className="btn primary" disabled={isDisabled} onClick={onSave}>
        {stored === undefined ? text.create : text.save}
      </button>
    </PageHead>
  )
}

interface SettingsProps {
  readonly draft: PolicyDraft
  readonly onChange: (change: Partial<PolicyDraft>) => void
}

function Settings({ draft, onChange }: SettingsProps) {
  return (
    <>
      <Field label={text.name}>
        {(ids) => (
          <input
            {...ids}
            className="in sans"
            value={draft.description}
            onChange={({ target }) => onChange({ description: target.value })}
          />
        )}
      </Field>
      <fieldset className="choice">
        <legend className="small soft">{text.does}</legend>
        {ACTIONS.map((name) => (
          <label key={name} className="opt">
            <input
              type="radio"
              name="action"
              className="ck"
              checked={draft.action === name}
              onChange={() => onChange({ action: name })}
            />
            <span>{text.actions[name]}</span>
          </label>
        ))}
        <label className="opt">
          <input
            type="checkbox"
            role="switch"
            className="ck"
            checked={draft.enabled}
            onChange={({ target }) => onChange({ enabled: target.checked })}
          />
          <span>{text.enabled}</span>
        </label>
      </fieldset>
    </>
  )
}

interface ValueEditorProps {
  readonly value: string
  readonly listed: ReturnType<typeof listPolicy>
  readonly onValue: (value: string) => void
}

/** The list is beside the text, never instead of it. */
function ValueEditor({ value, listed, onValue }: ValueEditorProps) {
  const [isText, setText] = useState(false)
  return (
    <div className="stack">
      {!isText && <DirectiveList value={value} listed={listed} onValue={onValue} />}
      {isText && (
        <Field label={text.text} hint={text.characters(value.length, MAX_POLICY_CHARACTERS)}>
          {(ids) => (
            <textarea
              {...ids}
              className="in"
              rows={8}
              spellCheck={false}
              value={value}
              onChange={({ target }) => onValue(target.value)}
            />
          )}
        </Field>
      )}
      {(isText
        ? [
            ...listed.problems,
            ...listed.directives.flatMap(({ sources }) => sources.flatMap((one) => one.problems)),
          ]
        : listed.problems
      ).map(({ id, level, start, message }) => (
        <p
          key={`${id}${start}`}
          className={level === 'error' ? 'bad small' : level === 'warning' ? 'warn small' : 'soft small'}
        >
          {message}.
        </p>
      ))}
      <div className="row">
        <button type="button" className="btn bare" onClick={() => setText(!isText)}>
          {isText ? text.asList : text.asText}
        </button>
      </div>
    </div>
  )
}

function Removal({ zone, policy }: { readonly zone: WireZone; readonly policy: WirePolicy }) {
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const action = useZoneAction(zone.id)
  const remove = (): void =>
    action.mutate(
      { run: () => deletePolicy(zone.id, policy.id), done: text.deleted },
      { onSuccess: () => void navigate({ to: '/zones/$zone/policies', params: { zone: zone.name } }) },
    )
  if (!isAsked)
    return (
      <div className="row">
        <button type="button" className="btn danger" onClick={() => setAsked(true)}>
          {text.delete}
        </button>
      </div>
    )
  return (
    <div className="stack hi-form" onKeyDown={(event) => event.key === 'Escape' && setAsked(false)}>
      <p>{text.deleteAsk}</p>
      <Problem error={action.error} />
      <div className="row">
        <button type="button" className="btn final" disabled={action.isPending} onClick={remove}>
          {text.reallyDelete}
        </button>
        <button type="button" className="btn" autoFocus onClick={() => setAsked(false)}>
          {text.keep}
        </button>
      </div>
    </div>
  )
}
