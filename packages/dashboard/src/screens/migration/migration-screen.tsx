// The migration wizard. The server alone knows the state; the address says which step is looked at.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLoaderData, useNavigate, useParams } from '@tanstack/react-router'
import { useToast } from '../../app/toasts.tsx'
import { ApiError } from '../../api/call.ts'
import { migrationChanges, migrationStatus, type MigrationState } from '../../api/migration.ts'
import { currentSession } from '../../api/session.ts'
import { zoneKeys, zoneNamed, type WireZone } from '../../api/zones.ts'
import { useConfirmation } from '../../parts/confirmation.tsx'
import { Icon } from '../../parts/icon.tsx'
import { mayWriteZone } from '../../parts/may-write.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Failure, Loading, sentenceOf } from '../../parts/states.tsx'
import { dateTime } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { migrationStrings as text } from '../../strings/migration.ts'
import { DeployStep } from './deploy-step.tsx'
import { FinishedRecord } from './finished-record.tsx'
import { ReadyStep } from './ready-step.tsx'
import { currentStep, isStep, leadsTo, STEPS, type Step } from './steps.ts'
import { TurnOffStep } from './turn-off-step.tsx'

export interface Action {
  readonly run: () => Promise<unknown>
  readonly done: string
}

export interface StepProps {
  readonly zone: WireZone
  readonly mayWrite: boolean
  readonly isPending: boolean
  /** Makes a step; if it is refused, the state is read again. */
  readonly onAct: (action: Action) => void
}

export function MigrationScreen() {
  const loaded = useLoaderData({ from: '/frame/zones/$zone' })
  // The plan may have changed since the zone was loaded.
  const { data } = useQuery({ ...zoneNamed(loaded.name), staleTime: 0 })
  const zone = data ?? loaded
  const status = useQuery({ ...migrationStatus(zone.id), enabled: zone.plan.legacy_id !== 'free' })
  return (
    <>
      <title>{`${text.page} · ${zone.name} · ${strings.product}`}</title>
      {zone.plan.legacy_id === 'free' && <NoLegacy zone={zone} />}
      {status.error !== null && <Failure error={status.error} onRetry={() => void status.refetch()} />}
      {status.isLoading && <Loading />}
      {status.data !== undefined && <Wizard zone={zone} state={status.data.migration_state} />}
    </>
  )
}

function NoLegacy({ zone }: { readonly zone: WireZone }) {
  return (
    <>
      <PageHead title={text.title} />
      <Empty
        headline={text.none}
        detail={text.noneDetail(zone.plan.name)}
        command={`zonereeve waf status ${zone.name}`}
      />
    </>
  )
}

interface WizardProps {
  readonly zone: WireZone
  readonly state: MigrationState
}

function Wizard({ zone, state }: WizardProps) {
  const given = useParams({ strict: false }).step
  const isFinal = leadsTo(zone) === 'done'
  const step = isStep(given) && state !== 'done' ? given : currentStep(state)
  const { data: session } = useQuery(currentSession)
  const { data: changes } = useQuery(migrationChanges(zone.id))
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { confirmed, dialog } = useConfirmation()
  const action = useMutation({
    mutationFn: ({ run }: Action) => confirmed(run),
    onSuccess: async (_, { done }) => {
      toast({ text: done })
      await readAgain()
      await navigate({ to: '/zones/$zone/migration', params: { zone: zone.name } })
    },
    onError: () => readAgain(),
  })
  const readAgain = (): Promise<unknown> =>
    Promise.all([
      queries.invalidateQueries({ queryKey: zoneKeys.of(zone.id) }),
      queries.invalidateQueries({ queryKey: zoneKeys.named(zone.name) }),
    ])
  const props: StepProps = {
    zone,
    mayWrite: mayWriteZone(session, zone.id),
    isPending: action.isPending,
    onAct: action.mutate,
  }
  return (
    <>
      <PageHead title={text.title} intro={introOf(state, step, zone, changes?.[0]?.at)} />
      <StepStrip zone={zone} state={state} step={step} isFinal={isFinal} />
      {action.error !== null && <Refused error={action.error} />}
      {session !== undefined && !props.mayWrite && state !== 'done' && <ReadOnly />}
      {state === 'done' && <FinishedRecord zone={zone} />}
      {state !== 'done' && step === 'deploy' && <DeployStep {...props} state={state} />}
      {state === 'start' && step !== 'deploy' && <Ahead zone={zone} step={step} />}
      {state === 'validation' && step === 'ready' && <ReadyStep {...props} />}
      {state === 'validation' && step === 'turn-off' && <TurnOffStep {...props} />}
      {dialog}
    </>
  )
}

function introOf(state: MigrationState, step: Step, zone: WireZone, since: string | undefined): string {
  if (state === 'done') return text.intros.done
  if (state === 'start')
    return leadsTo(zone) === 'done' ? text.intros.final(zone.name) : text.intros.start(zone.name)
  if (step === 'turn-off') return text.intros.last
  return since === undefined ? text.intros.both : text.intros.since(dateTime(since))
}

/** Where Deploy is permanent. */
const FINAL_NOTES: Readonly<Record<Step, string>> = {
  deploy: text.deployFinalStep,
  ready: text.notOnPlan,
  'turn-off': text.steps['turn-off'].note,
}

interface StepStripProps extends WizardProps {
  readonly step: Step
  readonly isFinal: boolean
}

function StepStrip({ zone, state, step, isFinal }: StepStripProps) {
  const reached = STEPS.indexOf(currentStep(state))
  return (
    <ol className="wizard" aria-label={text.stepsLabel}>
      {STEPS.map((each, index) => {
        const isBehind = state === 'done' || index < reached || (index < STEPS.indexOf(step) && reached > 0)
        const isNow = each === step && state !== 'done'
        const note = isFinal && state !== 'validation' ? FINAL_NOTES[each] : text.steps[each].note
        return (
          <li
            key={each}
            className={isNow ? 'now' : isBehind ? 'was' : undefined}
            aria-current={isNow ? 'step' : undefined}
          >
            <Link to="/zones/$zone/migration/$step" params={{ zone: zone.name, step: each }}>
              <b>
                {isBehind && !isNow && <Icon name="check" />}
                {text.steps[each].name}
                {isBehind && !isNow && <span className="vh">{text.done}</span>}
              </b>
              <span className="small">{note}</span>
            </Link>
          </li>
        )
      })}
    </ol>
  )
}

/** The codes of steps that somebody else has made. */
const MOVED = new Set([19581, 19582, 19590])
const OTHER_PLAN = new Set([19580, 20350])

function Refused({ error }: { readonly error: Error }) {
  const code = error instanceof ApiError ? error.issues[0]?.code : undefined
  const { moved, plan, other } = text.staleDetail
  const advice =
    code !== undefined && MOVED.has(code) ? moved : code !== undefined && OTHER_PLAN.has(code) ? plan : other
  const isKnown = !(error instanceof ApiError) || error.status !== 0
  return (
    <div className="callout b" role="alert">
      <span className="bad">
        <Icon name="wrong" />
      </span>
      <span>
        {isKnown && <b>{text.stale} </b>}
        {sentenceOf(error)} {advice}
      </span>
    </div>
  )
}

function ReadOnly() {
  return (
    <div className="callout n">
      <span className="note">
        <Icon name="info" />
      </span>
      <span>
        <b>{text.viewer}</b> {text.viewerDetail}
      </span>
    </div>
  )
}

/** A step that cannot be made yet, but can be read. */
function Ahead({ zone, step }: { readonly zone: WireZone; readonly step: Exclude<Step, 'deploy'> }) {
  return (
    <Section title={text.steps[step].name.slice(2)} note={text.steps[step].note} kind="flush">
      <div className="stack">
        <p className="prose">
          <b>{text.notYet}</b>{' '}
          {leadsTo(zone) === 'done' ? text.intros.final(zone.name) : text.readAhead[step]}
        </p>
        <div className="row">
          <Link
            className="btn"
            to="/zones/$zone/migration/$step"
            params={{ zone: zone.name, step: 'deploy' }}
          >
            {text.toDeploy}
          </Link>
        </div>
      </div>
    </Section>
  )
}
