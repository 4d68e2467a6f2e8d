// Rows of a long table that scrolls with the page: only those in sight are on the page, between two spacers.
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react'
import { rowsBetween, STEP, topOf, type RowLayout, type RowRange } from './row-range.ts'

const NARROW = '(pointer: coarse), (max-width: 720px)'

/** The sticky bars cover the first and the last row of the window. */
const BARS = { top: 90, bottom: 60 }

/** Of a screen above its table, about. The first guess of what is in sight; the right rows are there before it is painted. */
const HEAD = 180

/** A row of nearly the common height counts as one: heights are fractions on some screens. */
const TOLERANCE = 4

/** Heights that differ by less are equal. */
const SAME = 0.1

export interface Measured {
  readonly estimate: number
  readonly height: number
  /** Measured, not estimated. */
  readonly isReal: boolean
}

export interface RowHeights {
  readonly wide: number
  readonly narrow: number
}

export interface VirtualRows {
  /** Of the table's body. */
  readonly body: RefObject<HTMLTableSectionElement | null>
  readonly indexes: readonly number[]
  /** Pixels of the spacers. */
  readonly before: number
  readonly after: number
  /** As the `ref` of each row that is not awaited, which has its index as `data-index`. */
  readonly measure: (row: HTMLTableRowElement | null) => void
  readonly scrollTo: (index: number) => void
}

/** `list`: which rows in which order; other heights of another list are forgotten. */
export function useVirtualRows(count: number, heights: RowHeights, list: string): VirtualRows {
  const body = useRef<HTMLTableSectionElement>(null)
  const estimate = useMedia(NARROW) ? heights.narrow : heights.wide
  const [measured, setMeasured] = useState<Measured>({ estimate, height: estimate, isReal: false })
  const height = measured.estimate === estimate ? measured.height : estimate
  const { others, measure } = useOtherHeights(height, list)
  const layout: RowLayout = { count, height, others }
  const spare = useIsPainted() ? STEP : 0
  const [range, setRange] = useState(() => rowsBetween(0, window.innerHeight - HEAD, layout, spare))
  // After every render, too: what is above the table changes its height with its content.
  useLayoutEffect(() => {
    const look = (): void => {
      if (body.current === null) return
      // Spacers that differ from the rows they stand for would move what is in sight at each step.
      const real = body.current.querySelector('[data-index]:not([hidden])')?.getBoundingClientRect().height
      if (real !== undefined && isNewHeight(real, measured, estimate))
        setMeasured({ estimate, height: real, isReal: true })
      const { top } = body.current.getBoundingClientRect()
      const now = rowsBetween(-top, window.innerHeight - top, layout, spare)
      setRange((last) => (isSame(last, now) ? last : now))
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  })
  const end = Math.min(range.end, count)
  const first = Math.min(range.first, end)
  return {
    body,
    indexes: Array.from({ length: end - first }, (_, offset) => first + offset),
    before: topOf(first, layout),
    after: topOf(count, layout) - topOf(end, layout),
    measure,
    scrollTo: (index) => {
      if (body.current === null) return
      const top = body.current.getBoundingClientRect().top + topOf(index, layout)
      const below = top + (others.get(index) ?? height) - (window.innerHeight - BARS.bottom)
      if (top < BARS.top) window.scrollBy(0, top - BARS.top)
      else if (below > 0) window.scrollBy(0, below)
    },
  }
}

/** Rows out of sight come after the first picture: they would make it late. */
function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: number | undefined
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isPainted
}

/** Taken once for each estimate: rows that differ by fractions would take turns. */
export const isNewHeight = (real: number, measured: Measured, estimate: number): boolean =>
  !(measured.isReal && measured.estimate === estimate) &&
  Math.abs(real - estimate) > SAME &&
  Math.abs(real - estimate) <= TOLERANCE

const isSame = (one: RowRange, other: RowRange): boolean => one.first === other.first && one.end === other.end

const NONE: RowLayout['others'] = new Map()

/** Heights of the rows on the page that differ from the common one: the browser reports them after its own layout. */
function useOtherHeights(
  common: number,
  list: string,
): Pick<VirtualRows, 'measure'> & Pick<RowLayout, 'others'> {
  const key = `${common} ${list}`
  const [kept, setKept] = useState({ key, others: NONE })
  const observer = useMemo(
    () =>
      new ResizeObserver((entries) =>
        setKept((last) => {
          const before = last.key === key ? last.others : NONE
          const next = new Map(before)
          for (const { target, borderBoxSize } of entries) {
            if (!(target instanceof HTMLTableRowElement) || !target.isConnected) continue
            const index = Number(target.dataset['index'])
            const height = borderBoxSize[0]?.blockSize ?? common // every browser gives one box
            if (Math.abs(height - common) > TOLERANCE) next.set(index, height)
            else next.delete(index)
          }
          return last.key === key && areEqual(before, next) ? last : { key, others: next }
        }),
      ),
    [common, key],
  )
  useEffect(() => () => observer.disconnect(), [observer])
  const measure = useCallback(
    (row: HTMLTableRowElement | null) => {
      if (row === null) return undefined
      observer.observe(row)
      return () => observer.unobserve(row)
    },
    [observer],
  )
  return { others: kept.key === key ? kept.others : NONE, measure }
}

function areEqual(one: RowLayout['others'], other: RowLayout['others']): boolean {
  return one.size === other.size && [...one].every(([index, height]) => other.get(index) === height)
}

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}
