// Step 1: what blocks, what is carried over and what is not, what would be decided differently, and Deploy.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  configPath,
  deploy,
  deployAgain,
  entryPoint,
  migrationCheck,
  migrationConfig,
  owaspPackage,
  type ConfigRule,
  type MigrationState,
} from '../../api/migration.ts'
import type { WireZone } from '../../api/zones.ts'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { migrationStrings as text } from '../../strings/migration.ts'
import { Comparison } from './comparison.tsx'
import { FinalForm, NoWayBack } from './final-form.tsx'
import { mappingOf, rulesetName } from './mapping.ts'
import type { StepProps } from './migration-screen.tsx'
import { leadsTo } from './steps.ts'

interface DeployStepProps extends StepProps {
  readonly state: Exclude<MigrationState, 'done'>
}

export function DeployStep(props: DeployStepProps) {
  const { zone, state } = props
  const check = useQuery(migrationCheck(zone.id))
  const isCompatible = check.data?.result.compatible === true
  const config = useQuery({ ...migrationConfig(zone.id), enabled: isCompatible })
  const isFinal = state === 'start' && leadsTo(zone) === 'done'
  if (check.error !== null) return <Failure error={check.error} onRetry={() => void check.refetch()} />
  if (check.data === undefined) return <Loading />
  return (
    <>
      <Section
        title={text.check}
        note={
          <button type="button" className="link" onClick={() => void check.refetch()}>
            {text.checkAgain}
          </button>
        }
        kind="flush"
        mark={isCompatible ? 'ring' : 'wrong'}
      >
        {isCompatible ? (
          <p>
            <b>{text.noObstacles}</b> {state === 'start' ? text.nothingChanged : text.bothRun}
          </p>
        ) : (
          <div className="stack">
            <p>
              <b>{text.obstacles(check.data.messages.length)}</b> {state === 'start' && text.nothingChanged}
            </p>
            <ul className="stack tight">
              {check.data.messages.map(({ code, message }) => (
                <li key={`${code} ${message}`}>
                  {message} <span className="soft">({code})</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Section>
      {config.error !== null && <Failure error={config.error} onRetry={() => void config.refetch()} />}
      {config.data !== undefined && isCompatible && (
        <>
          <Mapping zone={zone} rules={config.data.result.rules} />
          <LeftOut messages={config.data.messages} />
          <Comparison zone={zone} isPlanned />
        </>
      )}
      {isFinal && <NoWayBack />}
      <Act {...props} isCompatible={isCompatible} rules={config.data?.result.rules} />
    </>
  )
}

interface MappingProps {
  readonly zone: WireZone
  readonly rules: readonly ConfigRule[]
}

function Mapping({ zone, rules }: MappingProps) {
  const { data: owasp } = useQuery(owaspPackage(zone.id))
  const { columns } = text
  return (
    <Section title={text.mapping} note={text.mappingNote(rules.length)}>
      <table className="plain">
        <thead>
          <tr>
            <th>{columns.now}</th>
            <th>{columns.after}</th>
            <th className="w88 num">{columns.rules}</th>
          </tr>
        </thead>
        <tbody>
          {mappingOf(rules, owasp ?? undefined).map(({ now, after, count }) => (
            <tr key={now}>
              <td>{now}</td>
              <td>{after}</td>
              <td className="num mono">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function LeftOut({ messages }: { readonly messages: readonly { code: number; message: string }[] }) {
  const isNone = messages.length === 0
  return (
    <Section title={text.leftOut} note={text.leftOutNote} mark={isNone ? 'ring' : 'warning'}>
      {isNone ? (
        <p className="soft">{text.nothingLeftOut}</p>
      ) : (
        <ul className="stack tight">
          {messages.map(({ code, message }) => (
            <li key={code} className="long">
              {message} <span className="soft">({code})</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

interface ActProps extends DeployStepProps {
  readonly isCompatible: boolean
  readonly rules: readonly ConfigRule[] | undefined
}

function Act({ zone, state, mayWrite, isPending, onAct, isCompatible, rules }: ActProps) {
  const { data: current } = useQuery(entryPoint(zone.id))
  const [isShown, setShown] = useState(false)
  const isAgain = state === 'validation'
  const next = leadsTo(zone)
  const isFinal = !isAgain && next === 'done'
  const head = isAgain ? text.deployAgainHead : isFinal ? text.deployFinal : text.deploy
  const note = (isAgain ? text.deployAgainNote : isFinal ? text.deployFinalNote : text.deployNote)(
    current?.version,
  )
  const start = (): void => {
    if (rules === undefined) return
    if (isAgain) onAct({ run: () => deployAgain(zone.id, rules), done: text.deployAgainDone })
    else
      onAct({
        run: () => deploy(zone.id, next),
        done: next === 'done' ? text.turnedOff : text.deployDone,
      })
  }
  const isReady = isCompatible && rules !== undefined
  return (
    <Section title={head} kind="end">
      <div className="stack">
        <p className="prose">{isCompatible ? note : text.blocked}</p>
        {isFinal && isReady && (
          <FinalForm
            zone={zone}
            label={text.deployFinal}
            isDisabled={!mayWrite}
            isPending={isPending}
            onConfirmed={start}
          />
        )}
        <div className="row">
          {!isFinal && (
            <button
              type="button"
              className="btn primary"
              disabled={!isReady || !mayWrite || isPending}
              onClick={start}
            >
              {isAgain ? text.deployAgain : text.deploy}
            </button>
          )}
          {rules !== undefined && (
            <>
              <button
                type="button"
                className="btn"
                aria-expanded={isShown}
                onClick={() => setShown(!isShown)}
              >
                {isShown ? text.hideRules : text.showRules(rules.length)}
              </button>
              <a className="btn bare" href={configPath(zone.id)} download={`${zone.name}-rulesets.json`}>
                {text.download}
              </a>
            </>
          )}
        </div>
        {isShown && rules !== undefined && <RuleTable rules={rules} />}
      </div>
    </Section>
  )
}

function RuleTable({ rules }: { readonly rules: readonly ConfigRule[] }) {
  const { columns } = text
  return (
    <table className="plain">
      <thead>
        <tr>
          <th className="w40 num opt2">#</th>
          <th className="w104">{columns.action}</th>
          <th>{columns.expression}</th>
          <th className="w232 opt2">{columns.description}</th>
          <th className="w104">{columns.state}</th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule, index) => (
          // The rules have no ids yet; their order does not change.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <td className="num mono opt2">{index + 1}</td>
            <td className="mono">{rule.action}</td>
            <td className="mono expr">{rule.expression}</td>
            <td className="opt2 soft">{rule.description || rulesetName(rule)}</td>
            <td>
              <StatusWord tone={rule.enabled ? 'normal' : 'off'}>
                {rule.enabled ? 'active' : 'off'}
              </StatusWord>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
