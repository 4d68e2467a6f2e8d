// Rows of user-agent rules. An unreadable rule must not silently drop out of decisions: reads that need it fail.
import { query, tables } from '@zonereeve/storage'
import type { UserAgentRule } from '@zonereeve/firewall'
import type { ZoneRuleKind } from '../zone-rules/index.ts'

export interface StoredUserAgentRule extends UserAgentRule {
  readonly paused: boolean
}

const rules = tables.ua_rules.beside('zone_id').of<StoredUserAgentRule>()

export const uaRuleStore: ZoneRuleKind<StoredUserAgentRule, never>['store'] = {
  of: (db, zoneId) =>
    rules.all(db, query.selectFrom('ua_rules').selectAll().where('zone_id', '=', zoneId).orderBy('position')),
  find: (db, zoneId, id) => rules.find(db, { zoneId, id }),
  insert: (tx, zoneId, rule) => rules.insert(tx, { ...rule, zoneId }),
  update: (tx, rule) => rules.update(tx, rule),
  remove: (tx, match) => rules.remove(tx, match),
}
