// The longest time that a page's main thread was busy without a break, from Chromium's own trace.
import type { Visitor } from '../acceptance/dashboard/visitor.ts'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly dur?: number
  readonly args?: { readonly name?: string }
}

/** In milliseconds: no frame of the page is later than this. @throws Error if the trace has no task */
export async function longestTaskDuring(
  { context, page }: Visitor,
  work: () => Promise<void>,
): Promise<number> {
  const session = await context.newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[]))) // of the trace format
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', { transferMode: 'ReportEvents', categories: 'toplevel,__metadata' })
  await work()
  await session.send('Tracing.end')
  await ended
  await session.detach()
  return longestTask(events)
}

function longestTask(events: readonly TraceEvent[]): number {
  const mainThreads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}.${tid}`),
  )
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && mainThreads.has(`${pid}.${tid}`),
  )
  if (tasks.length === 0) throw new Error('the trace has no task of the page')
  return Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1_000
}
