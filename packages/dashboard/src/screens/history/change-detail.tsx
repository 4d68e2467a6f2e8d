// One change set: what it changed as a diff, who made it, and its undo with a preview.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { changeNumbered } from '../../api/history.ts'
import type { WireZone } from '../../api/zones.ts'
import { Failure, Loading } from '../../parts/states.tsx'
import { Exact } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { changeText, summaryOf } from './change-text.ts'
import { DiffList } from './diff-list.tsx'
import { diffLines } from './diff-lines.ts'
import { PlannedChange } from './planned-change.tsx'

interface ChangeDetailProps {
  readonly zone: WireZone
  readonly number: string
  /** The newest state is the one that there is. */
  readonly isNewest: boolean
}

export function ChangeDetail({ zone, number, isNewest }: ChangeDetailProps) {
  const { data: change, error, refetch } = useQuery(changeNumbered(zone.id, number))
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (change === undefined) return <Loading />
  const lines = diffLines(change.ops, zone.name)
  const isUndoable = change.ops.every(({ kind }) => kind.startsWith('dns_record.'))
  return (
    <section className="pane" aria-label={strings.history.change(change.number)}>
      <div className="phead">
        <div>
          <h2>{changeText(summaryOf(change.ops), zone.name)}</h2>
          <p className="small soft">
            {strings.history.change(change.number)}, {change.actor.name}, <Exact at={change.at} />
          </p>
          <Link
            className="link back"
            to="/zones/$zone/history"
            params={{ zone: zone.name }}
            search={(last) => ({ ...last, change: undefined })}
          >
            {strings.history.back}
          </Link>
        </div>
        <PlannedChange zone={zone} number={number} isUndoable={isUndoable} isRestorable={!isNewest} />
      </div>
      <DiffList lines={lines} />
      <div className="body">
        <dl className="kv">
          <dt>{strings.history.serial}</dt>
          <dd className="mono">{change.serial === null ? strings.history.noSerial : change.serial}</dd>
          <dt>{strings.history.actor}</dt>
          <dd>
            {change.actor.name} <span className="dim">({change.actor.kind})</span>
          </dd>
          {change.request_id !== '' && (
            <>
              <dt>{strings.history.request}</dt>
              <dd>
                <code>{change.request_id}</code>
              </dd>
            </>
          )}
        </dl>
      </div>
    </section>
  )
}
