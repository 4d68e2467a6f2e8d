// Managed rules of a zone: which rulesets are executed, and a threshold chosen by the zone's own traffic.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData } from '@tanstack/react-router'
import {
  changeExecution,
  entryPoint,
  execute,
  executing,
  managedRulesetsOf,
  overrideCount,
  type EntryPoint,
} from '../../api/managed-rules.ts'
import { migrationStatus, type MigrationState } from '../../api/migration.ts'
import type { WireZone } from '../../api/zones.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { numberText, strings } from '../../strings.ts'
import { managedRuleStrings as text } from '../../strings/managed-rules.ts'
import { Phases } from '../rules/phases.tsx'
import { OrdinaryStringsSection } from './ordinary-strings-section.tsx'
import { ThresholdSection } from './threshold-section.tsx'

export function ManagedRulesScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const status = useQuery(migrationStatus(zone.id))
  const rulesets = useQuery(managedRulesetsOf(zone.id))
  const entry = useQuery(entryPoint(zone.id))
  const failed = [status, rulesets, entry].find(({ error }) => error !== null)
  const isWhole = status.data !== undefined && rulesets.data !== undefined && entry.data !== undefined
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro} />
      <Phases zone={zone} />
      {failed !== undefined && failed.error !== null && (
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {failed === undefined && !isWhole && <Loading />}
      {isWhole && (
        <>
          <Legacy zone={zone} state={status.data.migration_state} />
          <Rulesets
            zone={zone}
            rulesets={rulesets.data}
            entry={entry.data}
            isOffered={status.data.migration_state !== 'start'}
          />
          <ThresholdSection zone={zone} entry={entry.data} />
          <OrdinaryStringsSection zoneId={zone.id} />
        </>
      )}
    </>
  )
}

/** Before the end of the migration the previous rules decide, too. */
function Legacy({ zone, state }: { readonly zone: WireZone; readonly state: MigrationState }) {
  if (state === 'done') return null
  const isBoth = state === 'validation'
  return (
    <div className="callout n">
      <span className="note">
        <Icon name="expected" />
      </span>
      <span>
        <b>{isBoth ? text.both : text.legacy}</b> {isBoth ? text.bothDetail : text.legacyDetail}
      </span>
      <Link className="btn" to="/zones/$zone/migration" params={{ zone: zone.name }}>
        {text.toMigration}
      </Link>
    </div>
  )
}

interface RulesetsProps {
  readonly zone: WireZone
  readonly rulesets: readonly { readonly id: string; readonly name: string; readonly description: string }[]
  readonly entry: EntryPoint | null
  /** Whether rulesets can be turned on: before the migration the previous rules decide. */
  readonly isOffered: boolean
}

function Rulesets({ zone, rulesets, entry, isOffered }: RulesetsProps) {
  const action = useZoneAction(zone.id)
  const exceptions = entry === null ? 0 : entry.rules.filter((rule) => rule.action === 'skip').length
  return (
    <Section title={text.rulesets} note={text.rulesetsNote}>
      <div className="stack">
        <table className="plain rulesets">
          <thead>
            <tr>
              <th>{text.columns.name}</th>
              <th className="w320">{text.columns.state}</th>
              <th className="w104 num">{text.columns.overrides}</th>
              {isOffered && (
                <th className="w104 num">
                  <span className="vh">{text.columns.action}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rulesets.map(({ id, name, description }) => (
              <RulesetRow
                key={id}
                id={id}
                name={name}
                description={description}
                entry={entry}
                zone={zone}
                action={isOffered ? action : undefined}
              />
            ))}
          </tbody>
        </table>
        <Problem error={action.error} />
        {exceptions > 0 && (
          <p>
            <Link to="/zones/$zone/rules/managed" params={{ zone: zone.name }}>
              {text.exceptions(exceptions)}
            </Link>
          </p>
        )}
      </div>
    </Section>
  )
}

interface RulesetRowProps {
  readonly zone: WireZone
  readonly id: string
  readonly name: string
  readonly description: string
  readonly entry: EntryPoint | null
  /** undefined if it cannot be changed. */
  readonly action: ReturnType<typeof useZoneAction> | undefined
}

function RulesetRow({ zone, id, name, description, entry, action }: RulesetRowProps) {
  const rule = executing(entry, id)
  const isOn = rule?.enabled === true
  const state = rule === undefined ? text.never : isOn ? stateOf(rule.expression) : text.off
  const change = (): void =>
    action?.mutate({
      run: () =>
        rule === undefined || entry === null
          ? execute(zone.id, entry, id)
          : changeExecution(zone.id, entry, rule, { enabled: !isOn }),
      done: isOn ? text.turnedOff(name) : text.turnedOn(name),
    })
  const verb = isOn ? text.turnOff : text.turnOn
  return (
    <tr>
      <td title={description}>
        <b>{name}</b>
      </td>
      <td>
        <StatusWord tone={isOn ? 'normal' : 'off'}>{state}</StatusWord>
      </td>
      <td className="num">{rule === undefined ? '' : numberText(overrideCount(rule))}</td>
      {action !== undefined && (
        <td className="num">
          <RowButton text={verb} label={text.of(verb, name)} isBusy={action.isPending} onPress={change} />
        </td>
      )}
    </tr>
  )
}

const stateOf = (expression: string | undefined): string =>
  expression === 'true' ? text.on : text.conditional
