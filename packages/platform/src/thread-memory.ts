// Ends a thread whose objects need more memory than it may have. V8 itself does not do so in every case: it may end the
// process instead (ADR 152).
import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { resourceLimits } from 'node:worker_threads'

/** Memory for new objects, more than other threads have: collecting many in less of it takes longer (ADR 152). */
export const MAX_YOUNG_MIB = 192

/**
 * Between the memory that a thread may use and the limit of V8, which ends the process if one step passes its limit by more
 * than 16 MiB: an array that grows, or a collection that moves new objects to the old ones. V8 collects at half of the way to its
 * limit at the latest. The other half is for new objects, and for what is allocated before the thread looks.
 */
export const HEADROOM_MIB = 2 * MAX_YOUNG_MIB

/** Of the memory for new objects, V8 uses a third at a time. They may have been made since the collection. */
const NEW_OBJECTS_MIB = MAX_YOUNG_MIB / 3

/**
 * In a thread of startThread(): after a collection of the whole heap which leaves more than the thread may use, an error that nothing
 * catches ends the thread. Its work has to leave time to the event loop.
 */
export function endIfMemoryIsUsedUp(): void {
  const { maxOldGenerationSizeMb } = resourceLimits
  if (maxOldGenerationSizeMb === undefined) throw new Error('only a thread has limits of its memory')
  const maxHeapMib = maxOldGenerationSizeMb - HEADROOM_MIB
  const observer = new PerformanceObserver((list) => {
    const collections = list.getEntries() as Collection[] // observes no other
    if (!collections.some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) return
    const usedMib = getHeapStatistics().used_heap_size / 2 ** 20
    if (usedMib > maxHeapMib + NEW_OBJECTS_MIB) throw new Error(`the thread uses more than ${maxHeapMib} MiB`)
  })
  observer.observe({ entryTypes: ['gc'] })
}

type Collection = PerformanceEntry & { readonly detail: NodeGCPerformanceDetail }
