// Zone lockdown: rules that let only some addresses request some URLs.
import { type Lockdown, lockdownUrlProblem, readLockdownAddress } from '@zonereeve/firewall'
import { type Issue, throwIfIssues } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import {
  createZoneRules,
  zoneRuleContents,
  type ZoneRuleKind,
  type ZoneRulesDeps,
} from '../zone-rules/index.ts'
import { type LockdownAddress, lockdownStore, type StoredLockdown } from './lockdowns.store.ts'

export interface SentLockdown {
  readonly urls: readonly string[]
  readonly configurations: readonly LockdownAddress[]
  readonly priority?: number
  readonly description?: string
  readonly paused?: boolean
}

const KIND: ZoneRuleKind<StoredLockdown, SentLockdown> = {
  noun: 'lockdown',
  quotas: { free: 0, pro: 3, business: 10, enterprise: 200 },
  unknown: 'lockdown.unknown',
  duplicate: { reason: 'lockdown.duplicate', pointer: '/urls' },
  quota: 'lockdown.quota',
  store: lockdownStore,
  toRule: ({ urls, configurations, priority, description, paused }, { id, at, before }) => {
    const addresses = configurations.map(readAddress)
    throwIfIssues([
      ...urls.flatMap((url, index): Issue[] => {
        const problem = lockdownUrlProblem(url)
        return problem === undefined
          ? []
          : [{ reason: 'lockdown.invalid', pointer: `/urls/${index}`, values: { problem } }]
      }),
      ...addresses.flatMap((one) => ('reason' in one ? [one] : [])),
    ])
    return {
      id,
      urls,
      configurations: addresses.flatMap((one) => ('reason' in one ? [] : [one])),
      priority: priority ?? null,
      description: description ?? '', // none
      paused: paused ?? false,
      createdOn: before?.createdOn ?? at,
      modifiedOn: at,
    }
  },
  areAlike: (a, b) => urlsOf(a) === urlsOf(b),
  isUnchanged: (before, after) =>
    JSON.stringify(before) === JSON.stringify({ ...before, ...after, modifiedOn: before.modifiedOn }),
}

/** In any order. */
const urlsOf = ({ urls }: StoredLockdown): string =>
  JSON.stringify([...new Set(urls.map((url) => url.toLowerCase()))].toSorted())

function readAddress({ target, value }: LockdownAddress, index: number): LockdownAddress | Issue {
  const read = readLockdownAddress(target, value)
  if ('value' in read) return { target, value: read.value }
  const values = { problem: read.problem }
  return { reason: 'lockdown.invalid', pointer: `/configurations/${index}/value`, values }
}

export type Lockdowns = ReturnType<typeof createLockdowns>

export const createLockdowns = (deps: ZoneRulesDeps) => createZoneRules(KIND, deps)

/** The rules that decide about requests to a zone, in order of evaluation. */
export async function lockdownsFor(db: Reader, zoneId: string): Promise<readonly Lockdown[]> {
  const active = (await lockdownStore.of(db, zoneId)).filter(({ paused }) => !paused)
  const place = ({ priority }: StoredLockdown): number => priority ?? Number.POSITIVE_INFINITY
  return active
    .toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)))
    .map(({ id, description, urls, configurations }) => ({
      id,
      description,
      urls,
      addresses: configurations.map(({ value }) => value),
    }))
}

export const zoneLockdownContents = zoneRuleContents('lockdown rules', KIND)
