// Rules of products that have no rulesets, as rulesets of their own stages: IP access rules, zone lockdown, user-agent rules,
// the browser integrity check, hotlink protection and the security level.
import { compileExpression, type RequestFacts } from '@zonereeve/expr'
import type { ActionName } from '../rulesets/actions/registry.ts'
import type { SkipParameters } from '../rulesets/actions/skip.ts'
import type { CompiledRule, CompiledRuleset } from '../rulesets/compiled-ruleset.ts'
import { type Firewall, UNDER_ATTACK } from '../rulesets/evaluate-request.ts'
import type { ProductStage } from '../rulesets/phases.ts'
import { managedHeaderRules, type ManagedHeaderName } from '../transforms/managed-headers.ts'
import { HOTLINKED, isHotlinked } from './hotlinks.ts'
import { accessExpression, type AccessRule, compileAccess } from './access-rule.ts'
import {
  type Lockdown,
  lockdownCondition,
  PRODUCT_SCHEME,
  type UserAgentRule,
  userAgentCondition,
  type WrittenCondition,
} from './zone-rules.ts'

/** These rules as JSON has them: of a zone, its account and all zones. */
export interface ProductRules {
  readonly access: readonly AccessRule[]
  /** In order of priority. */
  readonly lockdowns: readonly Lockdown[]
  readonly userAgents: readonly UserAgentRule[]
  readonly isUnderAttack: boolean
  /** Changes of headers that are switched on. Absent in documents of versions without them. */
  readonly managedHeaders?: readonly ManagedHeaderName[]
}

export const NO_PRODUCT_RULES: ProductRules = {
  access: [],
  lockdowns: [],
  userAgents: [],
  isUnderAttack: false,
}

/** @throws for rules that the server would not have accepted. */
export function withProducts(firewall: Firewall, rules: ProductRules): Firewall {
  const rulesets = [
    accessRuleset(rules.access),
    rulesetOf('zone_lockdown', rules.lockdowns.map(lockdownRule)),
    rulesetOf('user_agent', rules.userAgents.map(userAgentRule)),
    // Configuration rules can turn these on for a request.
    rulesetOf('browser_integrity_check', [WITHOUT_AGENT]),
    {
      ...rulesetOf('hotlink_protection', [HOTLINKING]),
      select: (facts: RequestFacts) => (isHotlinked(facts) ? [HOTLINKING] : []),
    },
    rulesetOf('security_level', [CHALLENGED_DOCUMENTS]),
  ].filter((ruleset) => ruleset.rules.length > 0)
  const zone = new Map([
    ...firewall.entryPoints.zone,
    ...rulesets.map((ruleset) => [ruleset.phase, ruleset] as const),
  ])
  return {
    ...firewall,
    entryPoints: { account: withManagedHeaders(firewall, rules), zone },
    ...(rules.isUnderAttack && { securityLevel: UNDER_ATTACK }),
  }
}

/** Accounts have no rules in these phases, and what they have comes before the rules of the zone. */
function withManagedHeaders(
  { entryPoints: { account } }: Firewall,
  { managedHeaders = [] }: ProductRules, // older servers send none
): Firewall['entryPoints']['account'] {
  const phases = ['http_request_late_transform', 'http_response_headers_transform'] as const
  const managed = phases.flatMap((phase) => {
    const ruleset = managedHeaderRules(managedHeaders, phase)
    return ruleset === undefined ? [] : [[phase, ruleset] as const]
  })
  return managed.length === 0 ? account : new Map([...account, ...managed])
}

const rulesetOf = (stage: ProductStage, rules: readonly CompiledRule[]): CompiledRuleset => ({
  id: stage,
  level: 'zone',
  phase: stage,
  version: 1,
  scheme: PRODUCT_SCHEME,
  rules,
})

/** Of many rules, only the one that applies is evaluated. */
function accessRuleset(rules: readonly AccessRule[]): CompiledRuleset {
  const compiled = new Map(rules.map((rule) => [rule, accessRule(rule)]))
  const ruleset = rulesetOf('ip_access', [...compiled.values()])
  const ruleFor = compileAccess(rules)
  return {
    ...ruleset,
    select: (facts) => {
      const rule = ruleFor(facts)
      const found = rule && compiled.get(rule)
      return found === undefined ? [] : [found]
    },
  }
}

function accessRule(rule: AccessRule): CompiledRule {
  const { id, target, mode, notes, level } = rule
  const skip = mode === 'whitelist' ? skippedBy(target === 'country') : undefined
  return {
    ...ruleOf(id, mode === 'whitelist' ? 'skip' : mode, {
      expression: accessExpression(rule),
      matches: () => true,
    }),
    // Events tell rules of this product apart by it.
    ref: target,
    description: notes,
    level,
    skip,
  }
}

/** A client that is let pass skips all checks; one of a country that is let pass does not skip managed rules. */
const skippedBy = (isCountry: boolean): SkipParameters => ({
  phases: [
    'http_request_firewall_custom',
    'http_ratelimit',
    ...(isCountry ? [] : ['http_request_firewall_managed']),
  ],
  products: ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', ...(isCountry ? [] : ['waf'])],
})

const lockdownRule = (lockdown: Lockdown): CompiledRule => ({
  ...ruleOf(lockdown.id, 'block', lockdownCondition(lockdown)),
  description: lockdown.description,
})

const userAgentRule = (rule: UserAgentRule): CompiledRule => ({
  ...ruleOf(rule.id, rule.mode, userAgentCondition(rule)),
  description: rule.description,
})

/** Pages, which browsers ask for by their Accept header. What pages load themselves could not solve a challenge. */
const DOCUMENTS =
  'http.request.method in {"GET" "HEAD"} and any(http.request.headers["accept"][*] contains "text/html")'

const CHALLENGED_DOCUMENTS: CompiledRule = {
  ...ruleOf('security_level', 'managed_challenge', {
    expression: DOCUMENTS,
    matches: compileExpression(DOCUMENTS, PRODUCT_SCHEME),
  }),
  description: 'The security level is under_attack',
}

const NO_AGENT = 'http.user_agent eq ""'

const WITHOUT_AGENT: CompiledRule = {
  ...ruleOf('browser_integrity_check', 'block', {
    expression: NO_AGENT,
    matches: compileExpression(NO_AGENT, PRODUCT_SCHEME),
  }),
  description: 'The request names no user agent',
}

const HOTLINKING: CompiledRule = {
  ...ruleOf('hotlink_protection', 'block', { expression: HOTLINKED, matches: () => true }),
  description: 'A page of another site shows this image',
}

function ruleOf(id: string, action: ActionName, { expression, matches }: WrittenCondition): CompiledRule {
  return {
    id,
    ref: id,
    description: '',
    action,
    expression,
    matches,
    parameters: {},
    skip: undefined,
    execution: undefined,
    isHeavy: false,
    rateLimit: undefined,
    isLogged: false,
    fromList: undefined,
    rewrite: undefined,
  }
}
