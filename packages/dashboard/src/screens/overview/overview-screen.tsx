// A zone at a glance: what needs attention, name servers, signing, last changes.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useNavigate } from '@tanstack/react-router'
import type { WireChangeSummary } from '@zonereeve/contract'
import { togglePin, usePinnedZones } from '../../app/pinned-zones.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { currentSession } from '../../api/session.ts'
import { dnssecOf, lastChanges, recordUsage, type WireZone } from '../../api/zones.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { mayWriteZone } from '../../parts/may-write.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure } from '../../parts/states.tsx'
import { Age, Exact } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'
import { changeText } from '../history/change-text.ts'
import { AnswersSection } from './answers-section.tsx'
import { LegacyRules, MigrationCallout } from './migration-callout.tsx'
import { LaggingSecondaries, Secondaries } from './secondaries.tsx'

const CHANGES_SHOWN = 8

export function OverviewScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const navigate = useNavigate()
  const { data: count } = useQuery(recordUsage(zone.id))
  const isPinned = usePinnedZones().includes(zone.name)
  const add = { to: '/zones/$zone/records', params: { zone: zone.name }, search: { edit: 'new' } } as const
  useShortcuts({ n: () => void navigate(add) })
  return (
    <>
      <title>{`${zone.name} · ${strings.product}`}</title>
      <PageHead
        name={zone.name}
        intro={count !== undefined && strings.overview.summary(count, zone.name_servers.length)}
      >
        <button type="button" className="btn wide" onClick={() => togglePin(zone.name)}>
          {isPinned ? strings.zones.unpin : strings.zones.pin}
        </button>
        <Link className="btn" to="/zones/$zone/query" params={{ zone: zone.name }}>
          {strings.dnsPages.query}
        </Link>
        <Link className="btn primary" {...add}>
          {strings.overview.addRecord} <kbd>n</kbd>
        </Link>
      </PageHead>
      <Callouts zone={zone} />
      <MigrationCallout zone={zone} />
      <LaggingSecondaries zone={zone} />
      <AnswersSection zone={zone} />
      <NameServers zone={zone} />
      <Secondaries zone={zone} />
      <Signing zone={zone} />
      <LegacyRules zone={zone} />
      <LastChanges zone={zone} />
      <Facts zone={zone} />
    </>
  )
}

function Callouts({ zone }: { readonly zone: WireZone }) {
  if (zone.paused)
    return (
      <div className="callout w">
        <span className="warn">
          <Icon name="warning" />
        </span>
        <span>
          <b>{strings.overview.paused}</b>
        </span>
      </div>
    )
  if (zone.status === 'active') return null
  return (
    <div className="callout n">
      <span className="note">
        <Icon name="expected" />
      </span>
      <span>
        <b>{strings.overview.pending}</b> {strings.overview.pendingDetail}
      </span>
    </div>
  )
}

function NameServers({ zone }: { readonly zone: WireZone }) {
  return (
    <Section title={strings.overview.servers} note={strings.overview.serversNote}>
      <div className="row beside">
        <ul className="mono grow">
          {zone.name_servers.map((server) => (
            <li key={server}>{server}</li>
          ))}
        </ul>
        <CopyButton text={zone.name_servers.join('\n')} label={strings.overview.copyAll} />
      </div>
    </Section>
  )
}

function Signing({ zone }: { readonly zone: WireZone }) {
  const { data: signing, error, refetch } = useQuery(dnssecOf(zone.id))
  const { data: session } = useQuery(currentSession)
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (signing === undefined) return null
  const isSigned = signing.ds !== null
  return (
    <Section
      title={strings.overview.dnssec}
      note={strings.status.signing(signing.status, null)}
      mark={isSigned ? 'ring' : 'off'}
    >
      {isSigned ? (
        <dl className="kv">
          <dt>{strings.overview.keyTag}</dt>
          <dd>
            <code>{signing.key_tag}</code>
          </dd>
          <dt>{strings.overview.algorithm}</dt>
          <dd>{signing.algorithm}</dd>
          <dt>{strings.overview.ds}</dt>
          <dd className="row">
            <code>{signing.ds}</code> <CopyButton text={String(signing.ds)} />
          </dd>
        </dl>
      ) : (
        <p className="soft">
          {strings.overview.dnssecOff}{' '}
          {mayWriteZone(session, zone.id) && (
            <Link className="link" to="/zones/$zone/dnssec" params={{ zone: zone.name }}>
              {strings.overview.sign}
            </Link>
          )}
        </p>
      )}
    </Section>
  )
}

function LastChanges({ zone }: { readonly zone: WireZone }) {
  const { data, error, refetch } = useQuery(lastChanges(zone.id, CHANGES_SHOWN))
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <Section
      title={strings.overview.changes}
      note={
        data?.info !== undefined && (
          <Link className="link" to="/zones/$zone/history" params={{ zone: zone.name }}>
            {strings.overview.allChanges(numberText(data.info.total_count))}
          </Link>
        )
      }
    >
      {data?.result.length === 0 && <p className="soft">{strings.overview.noChanges}</p>}
      <table className="plain">
        <tbody>
          {data?.result.map((change) => (
            <ChangeRow key={change.number} zone={zone.name} change={change} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function ChangeRow({ zone, change }: { readonly zone: string; readonly change: WireChangeSummary }) {
  return (
    <tr>
      <td className="w88 mono dim">
        <Age at={change.at} />
      </td>
      <td className="grows">
        <b>{changeText(change, zone)}</b>
      </td>
      <td className="w232 opt2 soft">{change.actor.name}</td>
      <td className="w120 num mono dim">{change.serial ?? '–'}</td>
    </tr>
  )
}

function Facts({ zone }: { readonly zone: WireZone }) {
  return (
    <Section title={strings.overview.facts}>
      <dl className="kv">
        <dt>{strings.overview.type}</dt>
        <dd>{strings.zone.types[zone.type]}</dd>
        <dt>{strings.overview.plan}</dt>
        <dd>{zone.plan.name}</dd>
        <dt>{strings.overview.created}</dt>
        <dd>
          <Exact at={zone.created_on} />
        </dd>
        <dt>{strings.overview.changed}</dt>
        <dd>
          <Exact at={zone.modified_on} />
        </dd>
        <dt>{strings.overview.id}</dt>
        <dd>
          <code>{zone.id}</code>
        </dd>
      </dl>
    </Section>
  )
}
