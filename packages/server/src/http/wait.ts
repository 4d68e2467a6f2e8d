// `?wait=all` on any write: the reply is sent when every node that lives has applied the change, or after some seconds.
import type { Operation } from '@zonereeve/contract'
import type { NodesBehind } from '@zonereeve/nodes'
import { DomainError } from '@zonereeve/platform'
import type { Reply } from './route.ts'

/** Names the nodes that have not applied the change in time, or is `unknown`: also in replies that have no messages. */
const BEHIND = 'Zonereeve-Nodes-Behind'

/** The database did not say which ones there are. */
const UNKNOWN = 'nodes that are not known at the moment'

/** @throws DomainError: request.invalid for anything but `all`. */
export function asksToWait(operation: Operation, query: unknown): boolean {
  const { wait } = query as { readonly wait?: unknown } // the router yields an object
  if (operation.method === 'GET' || wait === undefined) return false
  if (wait === 'all') return true
  throw new DomainError({
    reason: 'request.invalid',
    pointer: '/wait',
    values: { problem: 'wait must be all' },
  })
}

/**
 * The change is stored, so that nodes which are behind are a message beside its result, and not an error.
 *
 * @param nodes undefined if the reply did not wait.
 */
export function withNodesBehind(
  answer: Reply,
  nodes: NodesBehind | undefined,
  reply: { header(name: string, value: string): unknown },
): Reply {
  if (nodes === undefined || nodes.length === 0) return answer
  const names = nodes === 'unknown' ? nodes : nodes.join(', ')
  reply.header(BEHIND, names)
  if ('after' in answer || 'file' in answer || 'events' in answer) return answer
  const notice = { notice: 'nodes.behind', values: { nodes: names === 'unknown' ? UNKNOWN : names } } as const
  const others = 'notices' in answer ? answer.notices : undefined
  return { ...answer, notices: others === undefined ? [notice] : [...others, notice] }
}
