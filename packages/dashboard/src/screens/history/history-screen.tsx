// The history of a zone: change sets at the left, the chosen one at the right.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useSearch } from '@tanstack/react-router'
import type { WireChangeSummary } from '@zonereeve/contract'
import { changeList } from '../../api/history.ts'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { Clock, dayOf } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'
import { ChangeDetail } from './change-detail.tsx'
import { changeText } from './change-text.ts'
import { ChangeMarkIcon } from './change-mark.tsx'

export function HistoryScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { change } = useSearch({ from: '/frame/zones/$zone/history' })
  const list = useInfiniteQuery(changeList(zone.id))
  const changes = list.data?.pages.flatMap(({ result }) => result)
  const total = list.data?.pages[0]?.info?.total_count
  const newest = changes?.[0]
  const shown = change ?? (newest === undefined ? undefined : String(newest.number))
  return (
    <>
      <title>{`${strings.history.title} · ${zone.name} · ${strings.product}`}</title>
      <div className="head">
        <div>
          <h1>{strings.history.title}</h1>
          <p>{strings.history.intro}</p>
        </div>
        {total !== undefined && <span className="acts soft">{strings.history.count(numberText(total))}</span>}
      </div>
      {list.error !== null && changes === undefined && (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Loading />}
      {changes?.length === 0 && (
        <Empty headline={strings.overview.noChanges} detail={strings.history.noneDetail} />
      )}
      {changes !== undefined && shown !== undefined && (
        <div className={change === undefined ? 'split' : 'split chosen'}>
          <div>
            <ol className="tl">
              {changes.map((item, index) => (
                <ChangeItem
                  key={item.number}
                  zone={zone.name}
                  change={item}
                  above={changes[index - 1]}
                  shown={shown}
                />
              ))}
            </ol>
            {list.hasNextPage && (
              <p className="pad older">
                <button
                  type="button"
                  className="btn"
                  disabled={list.isFetchingNextPage}
                  onClick={() => void list.fetchNextPage()}
                >
                  {strings.history.older}
                </button>
              </p>
            )}
          </div>
          <ChangeDetail key={shown} zone={zone} number={shown} />
        </div>
      )}
    </>
  )
}

interface ChangeItemProps {
  readonly zone: string
  readonly change: WireChangeSummary
  readonly above: WireChangeSummary | undefined
  readonly shown: string
}

function ChangeItem({ zone, change, above, shown }: ChangeItemProps) {
  const day = dayOf(change.at)
  const isNewDay = above === undefined || dayOf(above.at) !== day
  const isShown = String(change.number) === shown
  return (
    <>
      {isNewDay && <li className="small dim">{day}</li>}
      <li aria-current={isShown ? true : undefined}>
        <ChangeMarkIcon change={change} />
        <Link
          to="/zones/$zone/history"
          params={{ zone }}
          search={{ change: String(change.number) }}
          resetScroll={false}
        >
          <span className="r">
            <b className="clip">{changeText(change, zone)}</b>
            <span className="mono dim">
              <Clock at={change.at} />
            </span>
          </span>
          <span className="r small">
            <span className="soft clip">{change.actor.name}</span>
            <span className="mono dim">
              {change.serial === null ? strings.history.noSerial : change.serial}
            </span>
          </span>
        </Link>
      </li>
    </>
  )
}
