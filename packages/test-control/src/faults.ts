// Faults that a test suite orders: which requests they hit, how often, and what these get.
import { matchesPath } from './path-pattern.ts'

export interface FaultOrder {
  /** Default: all methods. */
  readonly method?: string
  /** `*` stands for one segment, `**` at the end for the rest. */
  readonly path: string
  /** Replied instead of the real answer. Default: the request goes on, after the delay. */
  readonly status?: number
  /** With `status`: the body. Default: an error in the API's envelope. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly delay_ms?: number
  /** Closes the connection without an answer. */
  readonly disconnect?: boolean
  /** How many requests it hits. Default: all. */
  readonly times?: number
}

export interface Fault extends FaultOrder {
  readonly id: number
  readonly hits: number
}

export interface Faults {
  add(order: FaultOrder): Fault
  list(): readonly Fault[]
  /** @returns whether there was one. */
  remove(id: number): boolean
  clear(): void
  /** The first fault for this request, which counts it as hit. `path` is without the query. */
  hit(method: string, path: string): Fault | undefined
}

export function createFaults(): Faults {
  const faults = new Map<number, Fault>()
  let last = 0
  return {
    add(order) {
      const fault = { ...order, id: (last += 1), hits: 0 }
      faults.set(fault.id, fault)
      return fault
    },
    list: () => [...faults.values()],
    remove: (id) => faults.delete(id),
    clear: () => faults.clear(),
    hit(method, path) {
      for (const fault of faults.values()) {
        const isSpent = fault.times !== undefined && fault.hits >= fault.times
        if (isSpent || (fault.method ?? method) !== method || !matchesPath(fault.path, path)) continue
        const counted = { ...fault, hits: fault.hits + 1 }
        faults.set(fault.id, counted)
        return counted
      }
      return undefined
    },
  }
}

/** The body of a fault, and its content type. */
export function faultBody({ status, body }: FaultOrder): { readonly text: string; readonly type: string } {
  const type = 'application/json'
  if (typeof body === 'string') return { text: body, type: 'text/plain; charset=utf-8' }
  if (body !== undefined) return { text: JSON.stringify(body), type }
  const errors = [{ code: 10000, message: `Ordered by the test: status ${status}` }]
  return { text: JSON.stringify({ result: null, success: false, errors, messages: [] }), type }
}
