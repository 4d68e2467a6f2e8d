// What a change of a zone has changed, for those that follow it.
import { findRrset, type Node } from './node.ts'
import { isSameRrset, type Rrset, TYPE } from './rrset.ts'

/** The change of one rrset; changes of the SOA are in the step. */
export interface RrsetChange {
  /** Key of the owner, as WireName.key makes it. */
  readonly key: string
  readonly type: number
  readonly before: Rrset | undefined
  readonly after: Rrset | undefined
}

/** The difference between two consecutive states of a zone. The serials are equal if only derived data changed. */
export interface ZoneStep {
  readonly soaBefore: Rrset
  readonly soaAfter: Rrset
  readonly serialBefore: number
  readonly serialAfter: number
  readonly changes: readonly RrsetChange[]
  /** The zone was not followed when the change began, so that `changes` lacks some: no difference can be made of it. */
  readonly isIncomplete?: boolean
}

/** Rrsets with the same octets are equal, even though the apex rebuilds its own each time. */
export function rrsetChanges(key: string, before: Node, after: Node): RrsetChange[] {
  const types = new Set([...before.rrsets, ...after.rrsets].map(({ type }) => type))
  return [...types].flatMap((type) => {
    const change = { key, type, before: findRrset(before, type), after: findRrset(after, type) }
    return type === TYPE.SOA || isSameRrset(change.before, change.after) ? [] : [change]
  })
}
