// The state of the server: what needs attention first, then storage, backups, queues and jobs.
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/call.ts'
import { healthOfServer, type WireHealth } from '../../api/server-health.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { Age, Exact } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'
import { bytesText, healthStrings as text } from '../../strings/server-health.ts'
import { HealthCallouts } from './health-callouts.tsx'

export function HealthScreen() {
  const { data: health, error, refetch, isPending } = useQuery(healthOfServer)
  const isForbidden = error instanceof ApiError && error.status === 403
  return (
    <>
      <title>{`${text.title} · ${strings.product}`}</title>
      <PageHead
        title={text.title}
        intro={health !== undefined && text.summary(health.version, health.node_version)}
      />
      {isForbidden && <p className="pad soft">{text.forbidden}</p>}
      {error !== null && !isForbidden && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {health !== undefined && (
        <>
          <HealthCallouts health={health} />
          <ServerSection health={health} />
          <StorageSection health={health} />
          <BackupSection health={health} />
          <QueueSection queues={health.queues} />
          <JobSection jobs={health.jobs} />
        </>
      )}
    </>
  )
}

interface SectionProps {
  readonly health: WireHealth
}

function ServerSection({ health }: SectionProps) {
  return (
    <Section title={text.server}>
      <dl className="kv">
        <dt>{text.writes}</dt>
        <dd>
          {health.ready ? (
            <StatusWord tone="normal">{text.accepted}</StatusWord>
          ) : (
            <StatusWord tone="wrong">{text.refused}</StatusWord>
          )}
        </dd>
        <dt>{text.version}</dt>
        <dd>{health.version}</dd>
        <dt>{text.started}</dt>
        <dd>
          <Exact at={health.started_at} />
        </dd>
        <dt>{text.memory}</dt>
        <dd>{bytesText(health.memory_bytes)}</dd>
      </dl>
    </Section>
  )
}

function StorageSection({ health: { database, disk } }: SectionProps) {
  return (
    <Section title={text.storage} note={text.storageNote}>
      <dl className="kv">
        <dt>{text.database}</dt>
        <dd>
          {text.engines[database.engine]}
          {database.bytes !== null && `, ${bytesText(database.bytes)}`}
        </dd>
        {database.log_bytes !== null && (
          <>
            <dt>{text.log}</dt>
            <dd>{bytesText(database.log_bytes)}</dd>
          </>
        )}
        <dt>{text.disk}</dt>
        <dd className={disk === null ? 'soft' : undefined}>
          {disk === null
            ? text.elsewhere
            : text.diskText(bytesText(disk.free_bytes), bytesText(disk.total_bytes))}
        </dd>
      </dl>
    </Section>
  )
}

function BackupSection({ health: { backup, database } }: SectionProps) {
  return (
    <Section title={text.backups} note={text.backupsNote}>
      {backup === null ? (
        <div className="stack">
          <p className="soft">{database.engine === 'postgres' ? text.outside : text.noBackup}</p>
        </div>
      ) : (
        <dl className="kv">
          <dt>{text.lastBackup}</dt>
          <dd>
            <Exact at={backup.created_at} />
          </dd>
          <dt>{text.size}</dt>
          <dd>
            {bytesText(backup.bytes)}, {backup.encrypted ? text.encrypted : text.plain}
          </dd>
          <dt>{text.place}</dt>
          <dd className="mono">{backup.path}</dd>
        </dl>
      )}
    </Section>
  )
}

function QueueSection({ queues }: { readonly queues: WireHealth['queues'] }) {
  return (
    <Section title={text.queues} note={text.queuesNote}>
      <table className="plain facts">
        <thead>
          <tr>
            <th>{text.queueColumns.name}</th>
            <th className="w88 num">{text.queueColumns.waiting}</th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ name, waiting }) => (
            <tr key={name}>
              <td>{text.queueNames[name]}</td>
              <td className="num mono">{numberText(waiting)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function JobSection({ jobs }: { readonly jobs: WireHealth['jobs'] }) {
  const isAnyFailing = jobs.some(({ failed }) => failed)
  return (
    <Section title={text.jobs} note={text.jobsNote} mark={isAnyFailing ? 'warning' : undefined}>
      {jobs.length === 0 ? (
        <p className="soft">{text.noJobs}</p>
      ) : (
        <table className="plain facts">
          <thead>
            <tr>
              <th>{text.jobColumns.name}</th>
              <th className="w88 num">{text.jobColumns.ended}</th>
              <th className="w88 num">{text.jobColumns.took}</th>
              <th className="w88 num">{text.jobColumns.failures}</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map(({ name, ended_at: endedAt, seconds, failed, failures }) => (
              <tr key={name}>
                <td>{text.jobName(name)}</td>
                <td className="num mono soft">
                  <Age at={endedAt} />
                </td>
                <td className="num mono">{text.seconds(seconds)}</td>
                <td className={failed ? 'num mono warn' : 'num mono'}>{numberText(failures)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
