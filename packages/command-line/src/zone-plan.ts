// The changes of a zone file, by RRset, for people and programs.
import type { Envelope } from './api.ts'

/** The members of a record that a plan shows. */
interface PlannedRecord {
  readonly name: string
  readonly type: string
  readonly content: string
  readonly priority?: number
  readonly ttl: number
  readonly proxied: boolean
  readonly comment: string | null
  readonly tags: readonly string[]
}

interface PlannedChange {
  readonly ops: readonly { readonly before: PlannedRecord | null; readonly after: PlannedRecord | null }[]
}

export interface Counts {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

export interface RrsetPlan {
  /** Records are added, removed, or both. */
  readonly action: '+' | '-' | '~'
  readonly name: string
  readonly type: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface Plan extends Counts {
  readonly rrsets: readonly RrsetPlan[]
}

export const isEmpty = ({ rrsets }: Plan): boolean => rrsets.length === 0

/** Reads the reply to a dry run. */
export function readPlan({ result, changes = [] }: Envelope<Counts>): Plan {
  const rrsets = new Map<string, { name: string; type: string; before: string[]; after: string[] }>()
  // The operation writes only record change sets.
  for (const { ops } of changes as readonly PlannedChange[]) {
    for (const { before, after } of ops) {
      const { name, type } = after ?? before ?? { name: '', type: '' }
      const key = `${name} ${type}`
      const rrset = rrsets.get(key) ?? { name, type, before: [], after: [] }
      rrsets.set(key, rrset)
      if (before !== null) rrset.before.push(recordText(before))
      if (after !== null) rrset.after.push(recordText(after))
    }
  }
  const sorted = [...rrsets.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rrset]) => rrset)
  return {
    ...result,
    rrsets: sorted.map(({ name, type, before, after }) => ({
      action: before.length === 0 ? '+' : after.length === 0 ? '-' : '~',
      name,
      type,
      before,
      after,
    })),
  }
}

/** TTL and value, followed by the other attributes. */
function recordText({ ttl, priority, content, proxied, comment, tags }: PlannedRecord): string {
  const about = [...(proxied ? ['proxied'] : []), ...(comment === null ? [] : [comment]), ...tags]
  const value = [ttl === 1 ? 'auto' : ttl, ...(priority === undefined ? [] : [priority]), content].join(' ')
  return about.length === 0 ? value : `${value} ; ${about.join(', ')}`
}

export function planText({ rrsets, added, changed, removed, unchanged }: Plan): string {
  const lines = rrsets.flatMap(({ action, name, type, before, after }) => [
    `${action} ${name} ${type}`,
    ...before.map((text) => `    - ${text}`),
    ...after.map((text) => `    + ${text}`),
  ])
  const sum = `${added} to add, ${changed} to change, ${removed} to remove, ${unchanged} unchanged`
  // Control characters in record content must not reach the terminal.
  return [...lines, rrsets.length === 0 ? 'no changes' : sum, '']
    .map((line) => line.replace(/\p{Cc}/gu, '?'))
    .join('\n')
}
