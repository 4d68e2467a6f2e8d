// The rules of products without rulesets, together: those that decide about requests to a zone, and what is deleted with it.
import type { ProductRules } from '@zonereeve/firewall'
import type { Reader } from '@zonereeve/storage'
import { isUnderAttack, type ZoneContents } from '../../zones/index.ts'
import { accessRulesFor, zoneAccessContents } from '../access-rules/index.ts'
import { managedHeadersOf } from '../managed-headers/index.ts'
import { lockdownsFor, zoneLockdownContents } from '../lockdowns/index.ts'
import { userAgentRulesFor, zoneUserAgentContents } from '../ua-rules/index.ts'

export const accessContents: readonly ZoneContents[] = [
  zoneAccessContents,
  zoneUserAgentContents,
  zoneLockdownContents,
]

export const productRulesFor = async (
  db: Reader,
  zone: { readonly id: string; readonly accountId: string },
): Promise<ProductRules> => ({
  access: await accessRulesFor(db, zone),
  lockdowns: await lockdownsFor(db, zone.id),
  userAgents: await userAgentRulesFor(db, zone.id),
  isUnderAttack: await isUnderAttack(db, zone.id),
  managedHeaders: await managedHeadersOf(db, zone.id),
})
