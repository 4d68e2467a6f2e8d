// What the parent of a zone publishes for it: our own zone above it tells, or the resolver.
import { decodeRdata, WireError, type Name, DATA_TYPE } from '@zonereeve/dns'
import type { ParentView } from '../dnssec/index.ts'
import { createExplainer, type ZoneTable } from '@zonereeve/nameserver'
import type { Log } from '@zonereeve/platform'
import type { Resolver } from '@zonereeve/resolver'

const { DS } = DATA_TYPE
const UNKNOWN: ParentView = { kind: 'unknown' }

export function createAskParent({
  table,
  log,
  resolver,
}: {
  readonly table: ZoneTable
  readonly log: Log
  /** Undefined: parents elsewhere are not asked. */
  readonly resolver: Pick<Resolver, 'lookUp'> | undefined
}): (zone: Name) => Promise<ParentView> {
  const explain = createExplainer({ table, log })
  return async (zone) => ownParent(zone) ?? (await resolvedParent(zone))

  /** Undefined where we do not serve the zone above. */
  function ownParent(zone: Name): ParentView | undefined {
    const { looks, rrsets } = explain(zone, DS)
    const look = looks[0]
    if (look === undefined || look.outcome === 'outside' || look.apex === zone) return undefined
    const answer = rrsets.find(({ section, type }) => section === 'answer' && type === DS)
    return answer === undefined ? viewOf([], 0) : viewOf(answer.rdatas, answer.ttlSeconds)
  }

  async function resolvedParent(zone: Name): Promise<ParentView> {
    const found = await resolver?.lookUp(zone, DS)
    if (found === undefined || found.kind !== 'answer' || found.links.length > 0) return UNKNOWN
    return viewOf(found.rdatas, found.ttlSeconds)
  }
}

function viewOf(rdatas: readonly Uint8Array[], ttlSeconds: number): ParentView {
  try {
    return { kind: 'known', ds: rdatas.map((rdata) => decodeRdata('DS', rdata)), ttlSeconds }
  } catch (error) {
    // Whatever that server says, it is not what the zone's parent publishes.
    if (error instanceof WireError) return UNKNOWN
    throw error
  }
}
