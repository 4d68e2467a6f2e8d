// `?wait=all` on any write: the reply is sent when every node that lives has applied the change, or after some seconds.
import type { Operation } from '@zonereeve/contract'
import { DomainError } from '@zonereeve/platform'
import type { Reply } from './route.ts'

/** Names the nodes that have not applied the change in time: also in replies that have no messages. */
export const BEHIND = 'Zonereeve-Nodes-Behind'

/** @throws DomainError: request.invalid for anything but `all`. */
export function asksToWait(operation: Operation, query: Readonly<Record<string, unknown>>): boolean {
  const { wait } = query
  if (operation.method === 'GET' || wait === undefined) return false
  if (wait === 'all') return true
  throw new DomainError({
    reason: 'request.invalid',
    pointer: '/wait',
    values: { problem: 'wait must be all' },
  })
}

/** The change is stored, so that this is a message beside its result, and not an error. */
export function withNodesBehind(reply: Reply, nodes: readonly string[]): Reply {
  if (nodes.length === 0 || 'after' in reply || 'file' in reply || 'events' in reply) return reply
  const notice = { notice: 'nodes.behind', values: { nodes: nodes.join(', ') } } as const
  return { ...reply, notices: [...(reply.notices ?? []), notice] }
}
