// User-agent rules of a zone: what happens to requests whose header User-Agent is exactly this one.
import type { UserAgentRule } from '@zonereeve/firewall'
import type { Reader } from '@zonereeve/storage'
import {
  createZoneRules,
  zoneRuleContents,
  type ZoneRuleKind,
  type ZoneRulesDeps,
} from '../zone-rules/index.ts'
import { type StoredUserAgentRule, uaRuleStore } from './ua-rules.store.ts'

export interface SentUserAgentRule {
  readonly configuration: { readonly value: string }
  readonly mode: UserAgentRule['mode']
  readonly description?: string
  readonly paused?: boolean
}

const KIND: ZoneRuleKind<StoredUserAgentRule, SentUserAgentRule> = {
  noun: 'ua_rule',
  quotas: { free: 10, pro: 50, business: 250, enterprise: 1_000 },
  unknown: 'ua_rule.unknown',
  duplicate: { reason: 'ua_rule.duplicate', pointer: '/configuration' },
  quota: 'ua_rule.quota',
  store: uaRuleStore,
  toRule: ({ configuration, mode, description, paused }, { id }) => ({
    id,
    userAgent: configuration.value,
    mode,
    description: description ?? '', // none
    paused: paused ?? false,
  }),
  areAlike: (a, b) => a.userAgent === b.userAgent,
  isUnchanged: (before, after) => JSON.stringify(before) === JSON.stringify(sortedLike(before, after)),
}

/** With the members in the same order. */
const sortedLike = (before: StoredUserAgentRule, after: StoredUserAgentRule): StoredUserAgentRule => ({
  ...before,
  ...after,
})

export type UserAgentRules = ReturnType<typeof createUserAgentRules>

export const createUserAgentRules = (deps: ZoneRulesDeps) => createZoneRules(KIND, deps)

/** The rules that decide about requests to a zone. */
export const userAgentRulesFor = async (db: Reader, zoneId: string): Promise<readonly UserAgentRule[]> =>
  (await uaRuleStore.of(db, zoneId))
    .filter(({ paused }) => !paused)
    .map(({ id, userAgent, mode, description }) => ({ id, userAgent, mode, description }))

export const zoneUserAgentContents = zoneRuleContents('user-agent rules', KIND)
