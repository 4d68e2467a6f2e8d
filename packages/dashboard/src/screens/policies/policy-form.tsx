// The form of a policy, and beside it what the policy would do.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useCrumbDetail } from '../../app/crumb-detail.tsx'
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
import { TextField } from '../../parts/text-field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { strings } from '../../strings.ts'
import { policyStrings } from '../../strings/policies.ts'
import { ExpressionField } from '../rules/expression-field.tsx'
import { problemOf, RESPONSE_SCHEME } from '../rules/expression-problem.ts'
import { DirectiveList, SourceForm, type SourceUses } from './directive-list.tsx'
import { isEdited as isEditedSince, obstacleOf, withoutValue, type Obstacle } from './policy-draft.ts'
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
  /** Called with what a save will store. */
  readonly onSave?: (draft: PolicyDraft) => void
}

export function PolicyForm(props: PolicyFormProps) {
  const { zone, title, start, stored, leftOut } = props
  useCrumbDetail(title)
  const { draft, edit, discard, discards, isEdited, nameField } = usePolicyDraft(start)
  const { action, save } = useSaving({ ...props, nameField })
  const { value } = draft
  const listed = useMemo(
    () => listPolicy(value, stored === undefined ? value : stored.value),
    [value, stored],
  )
  const problem = useMemo(() => responseProblem(draft.expression), [draft.expression])
  const obstacle = obstacleOf(draft, { inPolicy: listed.hasErrors, inExpression: problem !== undefined })
  const hasErrors = problem !== undefined || obstacle === 'policy'
  const { outcome, error, isOld } = useSimulation(zone, draft, obstacle)
  const isChanged = stored === undefined || isEdited
  const blocked = outcome === undefined ? 0 : outcome.blocked.length
  return (
    <>
      <FormHead
        zone={zone}
        title={title}
        stored={stored}
        isDisabled={hasErrors || !isChanged || action.isPending}
        onSave={() => save(draft)}
        onDiscard={stored !== undefined && isEdited ? discard : undefined}
      />
      <div className="split even">
        <div>
          <PolicyHead isNew={stored === undefined} isEdited={isEdited} />
          <div className="pad stack lg">
            <Problem error={action.error} />
            <Settings draft={draft} nameField={nameField} onChange={edit}>
              <ExpressionField
                // Its editor has the text, so that a new one begins with what is stored.
                key={discards}
                label={text.pages}
                start={start.expression}
                written={draft.expression}
                problem={problem}
                problemIn={responseProblem}
                onEdited={(written) => edit({ expression: written })}
              />
              {outcome !== undefined && (
                <span className={isOld ? 'small soft old' : 'small soft'}>
                  {text.matching(outcome.pages.matching, outcome.pages.total)}
                </span>
              )}
            </Settings>
            {obstacle !== 'reporting' && (
              <ValueEditor
                value={value}
                listed={listed}
                uses={outcome?.sources}
                isOld={isOld}
                onValue={(next) => edit({ value: next })}
              />
            )}
            {draft.action === 'allow' && draft.enabled && isChanged && blocked > 0 && (
              <p className="warn">{text.enforces(blocked)}</p>
            )}
            {stored !== undefined && <Removal zone={zone} policy={stored} />}
          </div>
        </div>
        <div className="pane">
          <SimulationPane
            draft={draft}
            obstacle={obstacle}
            simulation={outcome}
            isOld={isOld}
            error={error}
            leftOut={leftOut}
            onAllow={(directive, source) => edit({ value: withSource(value, directive, source) })}
          />
        </div>
      </div>
    </>
  )
}

const PolicyHead = ({ isNew, isEdited }: { readonly isNew: boolean; readonly isEdited: boolean }) => (
  <div className="phead pad">
    <h2>{text.policy}</h2>
    <span className="dim">
      {isNew && text.isNew}
      {!isNew && isEdited && text.isChanged}
    </span>
  </div>
)

function usePolicyDraft(start: PolicyDraft) {
  const [draft, setDraft] = useState(start)
  const [discards, setDiscards] = useState(0)
  const nameField = useRef<HTMLInputElement>(null)
  const edit = (change: Partial<PolicyDraft>): void => setDraft((current) => ({ ...current, ...change }))
  const discard = (): void => {
    setDraft(start)
    setDiscards(discards + 1)
    // Its button is gone now.
    nameField.current?.focus()
  }
  return { draft, edit, discard, discards, isEdited: isEditedSince(draft, start), nameField }
}

/** The simulation of what is written, once it has been still for a moment. */
function useSimulation(zone: WireZone, draft: PolicyDraft, obstacle: Obstacle | undefined) {
  const canSimulate = obstacle === undefined
  const settled = useDelayed(draft, TYPING_MILLIS)
  const isSettled = settled.value === draft.value && settled.expression === draft.expression
  const simulation = useQuery({ ...simulationOf(zone.id, settled), enabled: canSimulate && isSettled })
  return {
    outcome: canSimulate ? simulation.data : undefined,
    error: canSimulate ? simulation.error : null,
    isOld: simulation.isPlaceholderData || !isSettled,
  }
}

interface Saving extends Pick<PolicyFormProps, 'zone' | 'stored' | 'onSave'> {
  readonly nameField: RefObject<HTMLInputElement | null>
}

function useSaving({ zone, stored, onSave, nameField }: Saving) {
  const navigate = useNavigate()
  const action = useZoneAction(zone.id)
  const save = (draft: PolicyDraft): void => {
    const written = withoutValue(draft)
    onSave?.(written)
    action.mutate(
      {
        run: () => savePolicy(zone.id, stored?.id, written),
        done: stored === undefined ? text.created : text.saved,
      },
      {
        onSuccess: () => {
          if (stored === undefined)
            void navigate({ to: '/zones/$zone/policies', params: { zone: zone.name } })
          // The button that was pressed is disabled, and has lost the focus; the reader may have gone on since.
          else if (document.activeElement === document.body) nameField.current?.focus({ preventScroll: true })
        },
      },
    )
  }
  return { action, save }
}

interface FormHeadProps {
  readonly zone: WireZone
  readonly title: string
  readonly stored: WirePolicy | undefined
  readonly isDisabled: boolean
  readonly onSave: () => void
  /** undefined if there is nothing to discard. */
  readonly onDiscard: (() => void) | undefined
}

function FormHead({ zone, title, stored, isDisabled, onSave, onDiscard }: FormHeadProps) {
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
      {onDiscard !== undefined && (
        <button type="button" className="btn bare" onClick={onDiscard}>
          {text.discard}
        </button>
      )}
      <button type="button" className="btn primary" disabled={isDisabled} onClick={onSave}>
        {stored === undefined ? text.create : text.save}
      </button>
    </PageHead>
  )
}

interface SettingsProps {
  readonly draft: PolicyDraft
  readonly nameField: RefObject<HTMLInputElement | null>
  readonly onChange: (change: Partial<PolicyDraft>) => void
  /** The expression. */
  readonly children: ReactNode
}

function Settings({ draft, nameField, onChange, children }: SettingsProps) {
  return (
    <>
      <TextField
        label={text.name}
        ref={nameField}
        isProse
        value={draft.description}
        onChange={(typed) => onChange({ description: typed })}
      />
      <div className="g2 g2p">
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
        <div>{children}</div>
      </div>
    </>
  )
}

interface ValueEditorProps {
  readonly value: string
  readonly listed: ReturnType<typeof listPolicy>
  readonly uses: SourceUses | undefined
  readonly isOld: boolean
  readonly onValue: (value: string) => void
}

/** The list is beside the text, never instead of it. */
function ValueEditor({ value, listed, uses, isOld, onValue }: ValueEditorProps) {
  const [shown, setShown] = useState<'list' | 'form' | 'text'>('list')
  // What is pressed goes: the focus comes to the button that leads back.
  const [left, setLeft] = useState<typeof shown>()
  const show = (next: typeof shown): void => {
    setLeft(shown)
    setShown(next)
  }
  const ofSources = listed.directives.flatMap(({ sources }) => sources.flatMap((one) => one.problems))
  if (shown === 'text')
    return (
      <div className="stack">
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
        <Problems problems={[...listed.problems, ...ofSources]} />
        <div className="row">
          <button key="list" type="button" className="btn bare" autoFocus onClick={() => show('list')}>
            {text.asList}
          </button>
        </div>
      </div>
    )
  return (
    <div className="stack">
      <DirectiveList value={value} listed={listed} uses={uses} isOld={isOld} onValue={onValue} />
      <Problems problems={listed.problems} />
      {shown === 'form' ? (
        <SourceForm
          first={listed.directives[0]?.name ?? 'script-src'} // none yet
          onAdd={(name, source) => {
            onValue(withSource(value, name, source))
            show('list')
          }}
          onClose={() => show('list')}
        />
      ) : (
        <div className="row">
          <button
            key="form"
            type="button"
            className="btn"
            autoFocus={left === 'form'}
            onClick={() => show('form')}
          >
            {text.addSource}
          </button>
          <button
            key="text"
            type="button"
            className="btn bare"
            autoFocus={left === 'text'}
            onClick={() => show('text')}
          >
            {text.asText}
          </button>
        </div>
      )}
    </div>
  )
}

const PROBLEM_CLASSES = { error: 'bad small', warning: 'warn small', note: 'soft small' } as const

const Problems = ({ problems }: { readonly problems: ReturnType<typeof listPolicy>['problems'] }) =>
  problems.map(({ id, level, start, message }) => (
    <p key={`${id}${start}`} className={PROBLEM_CLASSES[level]}>
      {message}.
    </p>
  ))

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
          {strings.deletion.confirm}
        </button>
        <button type="button" className="btn" autoFocus onClick={() => setAsked(false)}>
          {strings.deletion.keep}
        </button>
      </div>
    </div>
  )
}
