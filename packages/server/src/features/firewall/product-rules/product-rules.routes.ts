// HTTP routes for the rules of all products without rulesets.
import type { Route } from '../../../http/index.ts'
import { accessRuleRoutes, createAccessRules } from '../access-rules/index.ts'
import { createLockdowns, lockdownRoutes } from '../lockdowns/index.ts'
import { createUserAgentRules, userAgentRuleRoutes } from '../ua-rules/index.ts'
import type { ZoneRulesDeps } from '../zone-rules/index.ts'

export const accessRoutes = (deps: ZoneRulesDeps): readonly Route[] => [
  ...accessRuleRoutes(createAccessRules(deps)),
  ...userAgentRuleRoutes(createUserAgentRules(deps)),
  ...lockdownRoutes(createLockdowns(deps)),
]
