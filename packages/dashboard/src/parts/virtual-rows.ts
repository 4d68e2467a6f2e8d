// Rows of a long table that scrolls with the page: only those in sight are on the page, between two spacers.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react'

const NARROW = '(pointer: coarse), (max-width: 720px)'
const OVERSCAN = 12

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
  readonly measure: (row: HTMLTableRowElement | null) => void
  readonly scrollTo: (index: number) => void
}

export function useVirtualRows(count: number, heights: RowHeights): VirtualRows {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  const isNarrow = useMedia(NARROW)
  // What is above the table changes its height with its content.
  useLayoutEffect(() => {
    const { current } = body
    if (current === null) return
    const now = Math.round(current.getBoundingClientRect().top + window.scrollY)
    setTop((last) => (Math.abs(last - now) > 1 ? now : last))
  })
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => (isNarrow ? heights.narrow : heights.wide),
    overscan: OVERSCAN,
    scrollMargin: top,
    // The sticky bars cover the first and the last row of the window.
    scrollPaddingStart: 90,
    scrollPaddingEnd: 60,
  })
  const items = rows.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  return {
    body,
    indexes: items.map(({ index }) => index),
    before: first === undefined ? 0 : first.start - top,
    after: last === undefined ? 0 : rows.getTotalSize() - (last.end - top),
    measure: rows.measureElement,
    scrollTo: (index) => rows.scrollToIndex(index),
  }
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
