// The records of a zone after two change sets, and what differs.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useMemo } from 'react'
import type { WireChangeSummary, WireStateDiff } from '@zonereeve/contract'
import { stateDiff } from '../../api/history.ts'
import type { WireZone } from '../../api/zones.ts'
import { Failure, Loading } from '../../parts/states.tsx'
import { dateTime } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'
import { historyStrings } from '../../strings/history.ts'
import { changeText, kindText } from './change-text.ts'
import { DiffList } from './diff-list.tsx'
import { recordLines } from './diff-lines.ts'

const text = historyStrings.compare

interface ComparisonProps {
  readonly zone: WireZone
  /** Numbers of change sets. */
  readonly from: string
  readonly to: string
  /** Change sets to choose from, newest first. */
  readonly changes: readonly WireChangeSummary[]
  /** Whether it was opened by a button that is gone since. */
  readonly hasFocus: boolean
}

export function Comparison({ zone, from, to, changes, hasFocus }: ComparisonProps) {
  const { data: diff, error, refetch, isPlaceholderData } = useQuery(stateDiff(zone.id, from, to))
  return (
    <section className="pane" aria-label={text.title}>
      <div className="phead">
        <div>
          <h2>{text.title}</h2>
          <p className="small soft">{text.intro}</p>
          <Link
            className="link back"
            to="/zones/$zone/history"
            params={{ zone: zone.name }}
            search={(last) => ({ ...last, from: undefined, to: undefined })}
          >
            {strings.history.back}
          </Link>
        </div>
        <div className="acts">
          <Link
            className="btn"
            to="/zones/$zone/history"
            params={{ zone: zone.name }}
            search={(last) => ({ ...last, from: to, to: from })}
            resetScroll={false}
          >
            {text.swap}
          </Link>
        </div>
      </div>
      <div className="body stack compared">
        <PointChoice
          member="from"
          label={text.from}
          value={from}
          zone={zone}
          changes={changes}
          hasFocus={hasFocus}
        />
        <PointChoice member="to" label={text.to} value={to} zone={zone} changes={changes} hasFocus={false} />
      </div>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {diff === undefined && error === null && <Loading />}
      {diff !== undefined && error === null && (
        <div className={isPlaceholderData ? 'old' : undefined}>
          <Difference zone={zone} diff={diff} />
        </div>
      )}
    </section>
  )
}

interface PointChoiceProps {
  readonly member: 'from' | 'to'
  readonly label: string
  readonly value: string
  readonly zone: WireZone
  readonly changes: readonly WireChangeSummary[]
  readonly hasFocus: boolean
}

function PointChoice({ member, label, value, zone, changes, hasFocus }: PointChoiceProps) {
  const id = useId()
  const navigate = useNavigate({ from: '/zones/$zone/history' })
  const isListed = changes.some(({ number }) => String(number) === value)
  return (
    <div className="row nowrap">
      <label className="soft" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="sel"
        autoFocus={hasFocus}
        value={value}
        onChange={({ target }) =>
          void navigate({ search: (last) => ({ ...last, [member]: target.value }), resetScroll: false })
        }
      >
        {!isListed && <option value={value}>{text.unlisted(value)}</option>}
        {changes.map((change) => (
          <option key={change.number} value={String(change.number)}>
            {text.point(
              change.serial === null ? strings.history.change(change.number) : String(change.serial),
              dateTime(change.at),
              changeText(change, zone.name),
            )}
          </option>
        ))}
      </select>
    </div>
  )
}

function Difference({ zone, diff }: { readonly zone: WireZone; readonly diff: WireStateDiff }) {
  const { records, others } = diff
  const lines = useMemo(() => recordLines(records, zone.name), [records, zone.name])
  const added = records.filter(({ before }) => before === null).length
  const removed = records.filter(({ after }) => after === null).length
  return (
    <>
      <div className="body stack">
        <p role="status">
          {records.length === 0
            ? text.same
            : text.counts(
                numberText(added),
                numberText(removed),
                numberText(records.length - added - removed),
              )}
        </p>
        {others.length > 0 && (
          <p className="small soft">
            {text.others(others.map((kind, index) => kindText(kind, index === 0)).join(', '))}
          </p>
        )}
      </div>
      {lines.length > 0 && <DiffList lines={lines} />}
    </>
  )
}
