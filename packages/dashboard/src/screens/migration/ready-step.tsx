// Step 2: both versions run; what each of them ended, over time and by request.
import { Link } from '@tanstack/react-router'
import { EVENTS_READ } from '../../api/migration.ts'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import type { WireZone } from '../../api/zones.ts'
import { Age, age, exactTime } from '../../parts/time.tsx'
import { numberText } from '../../strings.ts'
import { migrationStrings as text } from '../../strings/migration.ts'
import { useBothEvents } from './both-events.ts'
import { Comparison } from './comparison.tsx'
import { barsOf, endsRequest, requestText, type EventGroup } from './event-groups.ts'
import { HourBars } from './hour-bars.tsx'
import type { StepProps } from './migration-screen.tsx'

const ROWS_SHOWN = 20

export function ReadyStep({ zone, mayWrite }: StepProps) {
  const { since, groups, fresh, legacy, isCut, error, refetch } = useBothEvents(zone.id)
  return (
    <>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && groups === undefined && <Loading />}
      {groups !== undefined && fresh !== undefined && legacy !== undefined && since !== undefined && (
        <>
          <Figures
            since={since}
            fresh={fresh.filter(endsRequest).length}
            legacy={legacy.filter(endsRequest).length}
            lastAlone={legacy.find(endsRequest)?.occurred_at}
            isCut={isCut}
          />
          {groups.length > 0 && (
            <HourBars bars={barsOf(fresh, legacy, { since: Date.parse(since), now: Date.now() })} />
          )}
          <LegacyOnly
            zone={zone}
            mayWrite={mayWrite}
            groups={groups.filter((group) => group.legacy > 0 && group.fresh === 0)}
          />
          {groups.length > 0 && <SideBySide groups={groups} />}
        </>
      )}
      <Comparison zone={zone} isPlanned={false} />
      <Section title={text.ready} kind="end">
        <div className="stack">
          <p>{text.readyNote}</p>
          <div className="row">
            <Link
              className="btn primary"
              to="/zones/$zone/migration/$step"
              params={{ zone: zone.name, step: 'turn-off' }}
            >
              {text.ready}
            </Link>
            <Link
              className="btn"
              to="/zones/$zone/migration/$step"
              params={{ zone: zone.name, step: 'deploy' }}
            >
              {text.deployOther}
            </Link>
          </div>
        </div>
      </Section>
    </>
  )
}

const MINUTE_MILLIS = 60_000

const passed = (at: string): string => (Date.now() - Date.parse(at) < MINUTE_MILLIS ? text.justNow : age(at))

interface FiguresProps {
  readonly since: string
  readonly fresh: number
  readonly legacy: number
  readonly lastAlone: string | undefined
  readonly isCut: boolean
}

function Figures({ since, fresh, legacy, lastAlone, isCut }: FiguresProps) {
  return (
    <Section
      title={text.soFar}
      note={<span title={exactTime(since)}>{isCut ? text.newest(EVENTS_READ) : passed(since)}</span>}
      kind="flush"
      mark="ring"
    >
      {fresh + legacy === 0 ? (
        <div className="stack tight">
          <p>
            <b>{text.noEvents}</b>
          </p>
          <p className="soft">{text.noEventsDetail}</p>
        </div>
      ) : (
        <div className="trio">
          <div>
            <span className="figure">{numberText(fresh)}</span>
            <p className="soft">{text.endedByNew}</p>
          </div>
          <div>
            <span className="figure">{numberText(legacy)}</span>
            <p className="soft">{text.endedByLegacy}</p>
          </div>
          <div>
            <span className="figure">{lastAlone === undefined ? text.never : passed(lastAlone)}</span>
            <p className="soft">{text.sinceLegacy}</p>
          </div>
        </div>
      )}
    </Section>
  )
}

interface LegacyOnlyProps {
  readonly zone: WireZone
  /** Without it, no rules are offered. */
  readonly mayWrite: boolean
  readonly groups: readonly EventGroup[]
}

function LegacyOnly({ zone, mayWrite, groups }: LegacyOnlyProps) {
  const { columns } = text
  return (
    <Section
      title={text.legacyOnly}
      note={text.legacyOnlyNote}
      mark={groups.length === 0 ? 'ring' : 'warning'}
    >
      {groups.length === 0 ? (
        <p className="soft">{text.nothingLegacy}</p>
      ) : (
        <div className="stack">
          <table className="plain">
            <thead>
              <tr>
                <th>{columns.request}</th>
                <th className="w232 opt2">{columns.stoppedBy}</th>
                <th className="w64 num">{columns.times}</th>
                <th className="w88 num opt2">{columns.last}</th>
                {mayWrite && (
                  <th className="w104">
                    <span className="vh">{text.writeRule}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {groups.slice(0, ROWS_SHOWN).map((group) => (
                <tr key={group.key}>
                  <td className="mono" title={`${group.host}${group.path}`}>
                    {requestText(group)}
                  </td>
                  <td className="opt2 soft">
                    {text.legacyRule(group.newest.rule_id, group.newest.description)}
                  </td>
                  <td className="num mono">{numberText(group.legacy)}</td>
                  <td className="num opt2 soft">
                    <Age at={group.last} />
                  </td>
                  {mayWrite && (
                    <td className="num">
                      <Link
                        className="link"
                        to="/zones/$zone/rules"
                        params={{ zone: zone.name }}
                        search={{ legacy: group.newest.ray_id }}
                      >
                        {text.writeRule}
                        <span className="vh"> {text.insteadOf(requestText(group))}</span>
                      </Link>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          {groups.length > ROWS_SHOWN && (
            <p className="small dim">{text.shownOf(ROWS_SHOWN, groups.length)}</p>
          )}
        </div>
      )}
    </Section>
  )
}

function SideBySide({ groups }: { readonly groups: readonly EventGroup[] }) {
  const { columns } = text
  return (
    <Section title={text.sideBySide} note={text.sideBySideNote}>
      <div className="stack">
        <table className="plain">
          <thead>
            <tr>
              <th>{columns.request}</th>
              <th className="w104 num">{columns.newRules}</th>
              <th className="w104 num">{columns.legacy}</th>
              <th className="w88 num opt2">{columns.last}</th>
            </tr>
          </thead>
          <tbody>
            {groups.slice(0, ROWS_SHOWN).map((group) => (
              <tr key={group.key}>
                <td className="mono" title={`${group.host}${group.path}`}>
                  {requestText(group)}
                </td>
                <td className="num mono">{numberText(group.fresh)}</td>
                <td className="num mono">{numberText(group.legacy)}</td>
                <td className="num opt2 soft">
                  <Age at={group.last} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {groups.length > ROWS_SHOWN && <p className="small dim">{text.shownOf(ROWS_SHOWN, groups.length)}</p>}
      </div>
    </Section>
  )
}
