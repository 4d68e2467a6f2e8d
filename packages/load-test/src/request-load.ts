// Requests by a number of clients, each one after the other.
import { type Latencies, latenciesOf } from './latencies.ts'

export interface RequestLoad {
  readonly clients: number
  readonly seconds: number
  /** @returns why it failed; undefined: it succeeded. */
  readonly request: (number: number) => Promise<string | undefined>
  readonly signal?: AbortSignal | undefined
}

export interface RequestLoadResult {
  readonly requests: number
  /** By reason. */
  readonly failures: Readonly<Record<string, number>>
  readonly perSecond: number
  readonly latencies: Latencies
}

const MILLIS = 1_000

/** Never rejects, unless `request` does. */
export async function loadRequests({
  clients,
  seconds,
  request,
  signal,
}: RequestLoad): Promise<RequestLoadResult> {
  const millis: number[] = []
  const failures: Record<string, number> = {}
  const began = performance.now()
  const isOver = (): boolean => performance.now() - began >= seconds * MILLIS || signal?.aborted === true
  let number = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver()) {
        const sentAt = performance.now()
        const failure = await request(number++)
        millis.push(performance.now() - sentAt)
        if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1 // none yet
      }
    }),
  )
  const took = (performance.now() - began) / MILLIS
  return {
    requests: millis.length,
    failures,
    perSecond: Math.round(millis.length / took),
    latencies: latenciesOf(millis),
  }
}
