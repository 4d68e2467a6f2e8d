// `?wait=all`: asks the other nodes whether they have applied the change log up to a position.
import { isOfClosedConnection, type NodeClient, Unanswered } from './node-client.ts'

export interface WaitingDeps {
  readonly client: Pick<NodeClient, 'begin'>
  /** Addresses of the other nodes that live. */
  readonly others: () => Promise<readonly string[]>
  /** Proves that a node asks. */
  readonly headers: Readonly<Record<string, string>>
  /** Each node has this long. */
  readonly limitMillis?: number
}

/** Addresses of nodes. */
export type NodesBehind = readonly string[] | 'unknown'

export interface Waiting {
  /**
   * Resolves when all other nodes that live have applied the change log up to the position, or after the limit.
   *
   * @returns those that have not, or have not answered; `unknown` if the database does not say which nodes there are.
   */
  nodesBehind(position: number): Promise<NodesBehind>
}

/** Answers with status 204 when the position of its query is reached, and with another one if it is not in time. */
export const REACHED_PATH = '/nodes/reached'
const LIMIT_MILLIS = 10_000

export function createWaiting({ client, others, headers, limitMillis = LIMIT_MILLIS }: WaitingDeps): Waiting {
  return {
    async nodesBehind(position) {
      const addresses = await others().catch(() => 'unknown' as const) // the change is stored: no error
      if (addresses === 'unknown') return addresses
      const reached = await Promise.all(addresses.map((address) => hasReached(address, position)))
      return addresses.filter((_, at) => reached[at] !== true)
    },
  }

  function hasReached(address: string, position: number, isApart = false): Promise<boolean> {
    const path = `${REACHED_PATH}?position=${position}`
    return new Promise((resolve) => {
      const nodeRequest = client.begin({ address, method: 'GET', path, headers, isApart })
      const limit = setTimeout(() => nodeRequest.destroy(new Unanswered('not in time', true)), limitMillis)
      nodeRequest.once('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode === 204)
      })
      nodeRequest.on('error', (failure) =>
        resolve(isOfClosedConnection(failure, nodeRequest) && hasReached(address, position, true)),
      )
      nodeRequest.once('close', () => {
        clearTimeout(limit)
        resolve(false) // nothing else has said it
      })
      nodeRequest.end()
    })
  }
}
