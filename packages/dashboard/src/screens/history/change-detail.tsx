// One change set: what it changed as a diff, who made it, and its undo with a preview.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useToast } from '../../app/toasts.tsx'
import { changeNumbered, revertChange } from '../../api/history.ts'
import { zoneKeys, type WireZone } from '../../api/zones.ts'
import { Failure, Loading, sentenceOf } from '../../parts/states.tsx'
import { exactTime } from '../../parts/time.tsx'
import { strings } from '../../strings.ts'
import { diffLines } from './diff-lines.ts'

interface ChangeDetailProps {
  readonly zone: WireZone
  readonly number: string
}

export function ChangeDetail({ zone, number }: ChangeDetailProps) {
  const { data: change, error, refetch } = useQuery(changeNumbered(zone.id, number))
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (change === undefined) return <Loading />
  const lines = diffLines(change.ops, zone.name)
  const isUndoable = change.ops.every(({ kind }) => kind.startsWith('dns_record.'))
  return (
    <section className="pane" aria-label={strings.history.change(change.number)}>
      <div className="phead">
        <div>
          <h2>{strings.history.change(change.number)}</h2>
          <p className="small soft">
            {change.actor.name}, {exactTime(change.at)}
          </p>
          <Link className="link back" to="/zones/$zone/history" params={{ zone: zone.name }}>
            {strings.history.back}
          </Link>
        </div>
        {isUndoable && <UndoButton zone={zone} number={number} />}
      </div>
      <ol className="diff" tabIndex={0} aria-label={strings.history.diff}>
        {lines.map(({ mark, text }, index) => (
          <li key={`${index}${text}`} className={{ '+': 'a', '−': 'd', ' ': 'h' }[mark]}>
            <span>{mark}</span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
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

function UndoButton({ zone, number }: Pick<ChangeDetailProps, 'zone' | 'number'>) {
  const queries = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const preview = useMutation({ mutationFn: () => revertChange(zone.id, number, { isRehearsal: true }) })
  const undo = useMutation({
    mutationFn: () => revertChange(zone.id, number, { isRehearsal: false }),
    onSuccess: async () => {
      toast({ text: strings.history.undone(number) })
      preview.reset()
      await queries.invalidateQueries({ queryKey: zoneKeys.of(zone.id) })
      await navigate({ to: '/zones/$zone/history', params: { zone: zone.name } })
    },
  })
  const failure = undo.error ?? preview.error
  if (failure !== null)
    return (
      <p className="bad small" role="alert">
        {sentenceOf(failure)}
      </p>
    )
  if (preview.data === undefined)
    return (
      <div className="acts">
        <button type="button" className="btn" disabled={preview.isPending} onClick={() => preview.mutate()}>
          {strings.history.undo}
        </button>
      </div>
    )
  const { restored, changed, removed } = preview.data.result
  return (
    <div className="acts" role="status">
      <span>{strings.history.would(restored, changed, removed)}</span>
      <button type="button" className="btn primary" disabled={undo.isPending} onClick={() => undo.mutate()}>
        {strings.history.apply}
      </button>
      <button type="button" className="btn" onClick={() => preview.reset()}>
        {strings.records.cancel}
      </button>
    </div>
  )
}
