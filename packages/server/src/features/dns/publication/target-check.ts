// Checks whether a proxied CNAME leads to an address (specification §2.2 rule 1).
import { encodeRdata, type Name } from '@zonereeve/dns'
import type { Resolver } from '@zonereeve/resolver'
import type { Publication } from './publication.ts'
import { TYPE } from './stored-record.ts'

/** Longest time that a write waits for external nameservers. */
export const MAX_WAIT_MS = 1000

export interface TargetCheckDeps {
  readonly publication: Pick<Publication, 'endOf'>
  readonly resolver: Pick<Resolver, 'lookUp' | 'isAnswering'> | undefined
  readonly maxWaitMs?: number
}

/** @returns false if the target has no address, or none that is known in time. Never rejects. */
export function createTargetCheck({ publication, resolver, maxWaitMs = MAX_WAIT_MS }: TargetCheckDeps) {
  return async (name: Name, target: Name): Promise<boolean> => {
    const rdata = encodeRdata('CNAME', { target })
    const alias = { target, record: { id: '', name, type: TYPE.CNAME, ttl: 0, rdata } }
    const deadline = performance.now() + maxWaitMs
    for (;;) {
      const ends = ([TYPE.A, TYPE.AAAA] as const).map((type) => ({
        type,
        end: publication.endOf(alias, type),
      }))
      if (ends.some(({ end }) => end.kind === 'addresses')) return true
      // Without a resolver the target is unknown, so there is no warning.
      if (ends.some(({ end }) => end.kind === 'unresolved')) return true
      const leftMs = deadline - performance.now()
      const pending = ends.flatMap(({ type, end }) => (end.kind === 'pending' ? [{ type, end }] : []))
      if (pending.length === 0 || leftMs <= 0 || resolver?.isAnswering !== true) return false
      await firstOf(
        pending.map(({ type, end }) => resolver.lookUp(end.name, type)),
        leftMs,
      )
    }
  }
}

async function firstOf(waited: readonly Promise<unknown>[], limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([...waited, limit])
  clearTimeout(timer)
}
