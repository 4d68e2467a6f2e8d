// The rules of products without rulesets that decide about requests to a zone.
import type { ProductRules } from '@zonereeve/firewall'
import type { Reader } from '@zonereeve/storage'
import { isUnderAttack } from '../../zones/index.ts'
import { accessRulesFor } from '../access-rules/index.ts'
import { lockdownsFor } from '../lockdowns/index.ts'
import { userAgentRulesFor } from '../ua-rules/index.ts'

export const productRulesFor = async (
  db: Reader,
  zone: { readonly id: string; readonly accountId: string },
): Promise<ProductRules> => ({
  access: await accessRulesFor(db, zone),
  lockdowns: await lockdownsFor(db, zone.id),
  userAgents: await userAgentRulesFor(db, zone.id),
  isUnderAttack: await isUnderAttack(db, zone.id),
})
