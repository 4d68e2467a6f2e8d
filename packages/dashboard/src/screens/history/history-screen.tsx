// The history of a zone: change sets at the left, the chosen one at the right.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { WireChangeSummary } from '@zonereeve/contract'
import { changeList } from '../../api/history.ts'
import { OlderButton } from '../../parts/older-button.tsx'
import { NoMatch } from '../../parts/no-match.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { Clock, dayOf } from '../../parts/time.tsx'
import { numberText, strings } from '../../strings.ts'
import { comparedPair, currentPair, type Pair } from './compared-pair.ts'
import { Comparison } from './comparison.tsx'
import { ChangeDetail } from './change-detail.tsx'
import { changeText } from './change-text.ts'
import { ChangeMarkIcon } from './change-mark.tsx'
import { isFiltered, readHistoryFilter } from './history-filter.ts'
import { HistoryFilterBar } from './history-filter-bar.tsx'
import { historyStrings } from '../../strings/history.ts'

export function HistoryScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const search = useSearch({ from: '/frame/zones/$zone/history' })
  const { change, from, to } = search
  const filter = useMemo(() => readHistoryFilter(search), [search])
  const list = useInfiniteQuery({ ...changeList(zone.id, filter), placeholderData: keepPreviousData })
  const changes = list.data?.pages.flatMap(({ result }) => result)
  const listed = changes ?? [] // not loaded yet
  const total = list.data?.pages[0]?.info?.total_count
  const newest = changes?.[0]
  const isComparing = from !== undefined && to !== undefined
  const shown = change ?? (newest === undefined ? undefined : String(newest.number))
  const pair = comparedPair(listed, shown)
  // The button is not there during a comparison: the focus goes on to what it opened.
  const [hasOpened, setOpened] = useState(false)
  useRequestedComparison(currentPair(pair, list), () => setOpened(true))
  return (
    <>
      <title>{`${strings.history.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={strings.history.title} intro={strings.history.intro}>
        {changes !== undefined && !isComparing && (
          <CompareButton zone={zone.name} pair={pair} onOpened={() => setOpened(true)} />
        )}
      </PageHead>
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
      {(isComparing || (changes !== undefined && shown !== undefined)) && (
        <div className={change === undefined && !isComparing ? 'split' : 'split chosen'}>
          <div>
            <ol className="tl">
              {listed.map((item, index) => (
                <ChangeItem
                  key={item.number}
                  zone={zone.name}
                  change={item}
                  above={listed[index - 1]}
                  shown={isComparing ? [from, to] : [shown]}
                />
              ))}
            </ol>
            <OlderButton text={strings.history.older} list={list} />
          </div>
          {isComparing && (
            <Comparison zone={zone} from={from} to={to} changes={listed} hasFocus={hasOpened} />
          )}
          {!isComparing && shown !== undefined && (
            <ChangeDetail
              key={shown}
              zone={zone}
              number={shown}
              isNewest={newest !== undefined && !isFiltered(search) && String(newest.number) === shown}
            />
          )}
        </div>
      )}
    </>
  )
}

/** `?compare=last`, the command of the palette, knows no numbers: they stand in the URL once there are any. */
function useRequestedComparison(pair: Pair | undefined, onOpened: () => void): void {
  const { compare } = useSearch({ from: '/frame/zones/$zone/history' })
  const navigate = useNavigate({ from: '/zones/$zone/history' })
  const isRequested = compare !== undefined && pair !== undefined
  useEffect(() => {
    if (!isRequested) return
    onOpened()
    void navigate({
      search: (last) => ({ ...last, compare: undefined, change: undefined, ...pair }),
      replace: true,
    })
  }, [isRequested])
}

interface CompareButtonProps {
  readonly zone: string
  readonly pair: Pair | undefined
  readonly onOpened: () => void
}

function CompareButton({ zone, pair, onOpened }: CompareButtonProps) {
  if (pair === undefined) return null
  return (
    <Link
      className="btn"
      to="/zones/$zone/history"
      params={{ zone }}
      search={(last) => ({ ...last, change: undefined, ...pair })}
      resetScroll={false}
      onClick={onOpened}
    >
      {historyStrings.compare.open}
    </Link>
  )
}

interface ChangeItemProps {
  readonly zone: string
  readonly change: WireChangeSummary
  readonly above: WireChangeSummary | undefined
  /** Numbers of those that the pane shows. */
  readonly shown: readonly (string | undefined)[]
}

function ChangeItem({ zone, change, above, shown }: ChangeItemProps) {
  const day = dayOf(change.at)
  const isNewDay = above === undefined || dayOf(above.at) !== day
  const isShown = shown.includes(String(change.number))
  return (
    <>
      {isNewDay && <li className="small dim">{day}</li>}
      <li aria-current={isShown ? true : undefined}>
        <ChangeMarkIcon change={change} />
        <Link
          to="/zones/$zone/history"
          params={{ zone }}
          search={(last) => ({ ...last, change: String(change.number), from: undefined, to: undefined })}
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
