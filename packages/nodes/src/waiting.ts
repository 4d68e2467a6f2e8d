// `?wait=all`: asks the other nodes whether they have applied the change log up to a position.
import type { Asking } from './asking.ts'

export interface WaitingDeps {
  readonly asking: Pick<Asking, 'begin'>
  /** Addresses of the other nodes that live. */
  readonly others: () => Promise<readonly string[]>
  /** Proves that a node asks. */
  readonly headers: Readonly<Record<string, string>>
  /** Each node has this long. */
  readonly limitMillis?: number
}

export interface Waiting {
  /**
   * Resolves when all other nodes that live have applied the change log up to the position, or after the limit.
   *
   * @returns those that have not, or have not answered.
   */
  nodesBehind(position: number): Promise<readonly string[]>
}

/** Answers with status 204 when the position of its query is reached, and with another one if it is not in time. */
export const REACHED_PATH = '/nodes/reached'
const LIMIT_MILLIS = 10_000
/** What is named if the database does not say which nodes there are. */
const UNKNOWN = 'nodes that are not known at the moment'

export function createWaiting({ asking, others, headers, limitMillis = LIMIT_MILLIS }: WaitingDeps): Waiting {
  return {
    async nodesBehind(position) {
      const addresses = await others().catch(() => [UNKNOWN]) // the change is stored: named, not an error
      const reached = await Promise.all(
        addresses.map((address) => (address === UNKNOWN ? false : hasReached(address, position))),
      )
      return addresses.filter((_, at) => reached[at] !== true)
    },
  }

  function hasReached(address: string, position: number): Promise<boolean> {
    const path = `${REACHED_PATH}?position=${position}`
    return new Promise((resolve) => {
      const asked = asking.begin({ address, method: 'GET', path, headers })
      const limit = setTimeout(() => asked.destroy(), limitMillis)
      asked.once('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode === 204)
      })
      asked.on('error', () => resolve(false))
      asked.once('close', () => {
        clearTimeout(limit)
        resolve(false) // destroyed without an error
      })
      asked.end()
    })
  }
}
