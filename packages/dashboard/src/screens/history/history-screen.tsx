// The history of a zone: change sets at the left, the chosen one at the right.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { WireChangeSummary } from '@zonereeve/contract'
import { changeList } from '../../api/history.ts'
import { OlderButton } from '../../parts/older-button.tsx'
import { NoMatch } from '../../parts/no-match.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { Clock, dayOf } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'
import { ChangeDetail } from './change-detail.tsx'
import { changeText } from './change-text.ts'
import { ChangeMarkIcon } from './change-mark.tsx'
import { isFiltered, readHistoryFilter } from './history-filter.ts'
import { HistoryFilterBar } from './history-filter-bar.tsx'
import { historyStrings } from '../../strings/history.ts'

export function HistoryScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const search = useSearch({ from: '/frame/zones/$zone/history' })
  const { change } = search
  const filter = useMemo(() => readHistoryFilter(search), [search])
  const list = useInfiniteQuery({ ...changeList(zone.id, filter), placeholderData: keepPreviousData })
  const changes = list.data?.pages.flatMap(({ result }) => result)
  const total = list.data?.pages[0]?.info?.total_count
  const newest = changes?.[0]
  const shown = change ?? (newest === undefined ? undefined : String(newest.number))
  return (
    <>
      <title>{`${strings.history.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={strings.history.title} intro={strings.history.intro} />
      <HistoryFilterBar found={total === undefined ? undefined : strings.history.count(numberText(total))} />
      {list.error !== null && changes === undefined && (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Loading />}
      {changes?.length === 0 && isFiltered(search) && (
        <NoMatch text={historyStrings.noMatch} clear={historyStrings.clear} />
      )}
      {changes?.length === 0 && !isFiltered(search) && (
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
            <OlderButton text={strings.history.older} list={list} />
          </div>
          <ChangeDetail
            key={shown}
            zone={zone}
            number={shown}
            isNewest={newest !== undefined && !isFiltered(search) && String(newest.number) === shown}
          />
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
          search={(last) => ({ ...last, change: String(change.number) })}
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
