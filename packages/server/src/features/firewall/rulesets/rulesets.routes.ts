// HTTP routes for rulesets of zones and accounts.
import { pathId } from '../../../http/path-id.ts'
import { accountRulesets, zoneRulesets } from '@zonereeve/contract'
import { route, type Reply, type Route } from '../../../http/index.ts'
import { type Actor, DomainError } from '@zonereeve/platform'
import type { OwnOrManagedRuleset, OwnOrManagedSummary } from './read-rulesets.service.ts'
import type { Owner, Ruleset } from '@zonereeve/firewall'
import type { Rulesets } from './rulesets.service.ts'
import { toWireRuleset, toWireSummary } from './rulesets.wire.ts'
import { readSentRule, readSentRuleset, type SentRuleset } from './sent-rule.ts'

const PER_PAGE = 50

/**
 * Saves the entry point of the managed rules, and takes the zone's migration from the legacy ones one step
 * further.
 */
export type MigrateEntryPoint = (
  zoneId: string,
  migration: { readonly wafMigration: string; readonly phaseTwo: string | undefined },
  sent: SentRuleset,
  actor: Actor,
) => Promise<Ruleset>

export const rulesetRoutes = (rulesets: Rulesets, migrate: MigrateEntryPoint): Route[] => [
  ...routesOf(zoneRulesets, (ids) => ({ level: 'zone', id: pathId(ids, 'zone_id') }), rulesets),
  ...routesOf(accountRulesets, (ids) => ({ level: 'account', id: pathId(ids, 'account_id') }), rulesets),
  ...entryPointRoutes(rulesets, migrate),
]

type Operations = typeof zoneRulesets | typeof accountRulesets
type Ids = Readonly<Record<string, string>>

function routesOf(operations: Operations, ownerOf: (params: Ids) => Owner, rulesets: Rulesets): Route[] {
  return [...readingRoutes(operations, ownerOf, rulesets), ...writingRoutes(operations, ownerOf, rulesets)]
}

/** The phase of the managed rules, the only one that replaces a legacy product. */
const MIGRATED_PHASE = 'http_request_firewall_managed'

function entryPointRoutes(rulesets: Rulesets, migrate: MigrateEntryPoint): Route[] {
  return [
    route(zoneRulesets.updateEntryPoint, async ({ params, query, body, actor }) => {
      const sent = readSentRuleset(body, [], false)
      const { zone_id: id, ruleset_phase: phase } = params
      const { waf_migration: wafMigration, phase_two: phaseTwo } = query
      if (wafMigration === undefined && phaseTwo !== undefined) throw phaseAlone()
      if (wafMigration === undefined)
        return rulesetReply(await rulesets.updateEntryPoint({ level: 'zone', id }, phase, sent, actor))
      if (phase !== MIGRATED_PHASE) throw notOffered()
      return rulesetReply(await migrate(id, { wafMigration, phaseTwo }, sent, actor))
    }),
    route(accountRulesets.updateEntryPoint, async ({ params, query, body, actor }) => {
      if (query.waf_migration !== undefined) throw notOffered()
      if (query.phase_two !== undefined) throw phaseAlone()
      const sent = readSentRuleset(body, [], false)
      const owner: Owner = { level: 'account', id: params.account_id }
      return rulesetReply(await rulesets.updateEntryPoint(owner, params.ruleset_phase, sent, actor))
    }),
  ]
}

const notOffered = () => new DomainError({ reason: 'ruleset.waf_migration', pointer: '/waf_migration' })

const phaseAlone = () => new DomainError({ reason: 'ruleset.phase_two', pointer: '/phase_two' })

function readingRoutes(operations: Operations, ownerOf: (params: Ids) => Owner, rulesets: Rulesets): Route[] {
  return [
    route(operations.list, async ({ params, query }) => {
      const page = await rulesets.list(ownerOf(params), query.cursor, query.per_page ?? PER_PAGE)
      const items = page.rulesets.map((ruleset) => JSON.stringify(toWireSummary(ruleset))).join(',')
      return { items, after: page.after }
    }),
    route(operations.get, async ({ params }) =>
      rulesetReply(await rulesets.get(ownerOf(params), params.ruleset_id)),
    ),
    route(operations.versions, async ({ params }) =>
      rulesetsReply(await rulesets.versions(ownerOf(params), params.ruleset_id)),
    ),
    route(operations.version, async ({ params }) =>
      rulesetReply(await rulesets.version(ownerOf(params), params.ruleset_id, params.ruleset_version)),
    ),
    route(operations.byTag, async ({ params }) => {
      const { ruleset_id: id, ruleset_version: version, rule_tag: tag } = params
      return rulesetReply(await rulesets.byTag(ownerOf(params), id, version, tag))
    }),
    route(operations.entryPoint, async ({ params }) =>
      rulesetReply(await rulesets.entryPoint(ownerOf(params), params.ruleset_phase)),
    ),
    route(operations.entryPointVersions, async ({ params }) =>
      rulesetsReply(await rulesets.entryPointVersions(ownerOf(params), params.ruleset_phase)),
    ),
    route(operations.entryPointVersion, async ({ params }) =>
      rulesetReply(
        await rulesets.entryPointVersion(ownerOf(params), params.ruleset_phase, params.ruleset_version),
      ),
    ),
  ]
}

function writingRoutes(operations: Operations, ownerOf: (params: Ids) => Owner, rulesets: Rulesets): Route[] {
  return [
    route(operations.create, async ({ params, body, actor }) => {
      const sent = readSentRuleset(body, ['name', 'kind', 'phase'], true)
      return rulesetReply(await rulesets.create(ownerOf(params), sent, actor))
    }),
    route(operations.update, async ({ params, body, actor }) => {
      const sent = readSentRuleset(body, [], true)
      return rulesetReply(await rulesets.update(ownerOf(params), params.ruleset_id, sent, actor))
    }),
    route(operations.delete, async ({ params, actor }) => {
      await rulesets.remove(ownerOf(params), params.ruleset_id, actor)
      return { result: null }
    }),
    route(operations.createRule, async ({ params, body, actor }) => {
      const sent = readSentRule(body, '', true)
      return rulesetReply(await rulesets.addRule(ownerOf(params), params.ruleset_id, sent, actor))
    }),
    route(operations.editRule, async ({ params, body, actor }) => {
      const sent = readSentRule(body, '', true)
      const { ruleset_id: id, rule_id: ruleId } = params
      return rulesetReply(await rulesets.editRule(ownerOf(params), id, ruleId, sent, actor))
    }),
    route(operations.deleteRule, async ({ params, actor }) => {
      const { ruleset_id: id, rule_id: ruleId } = params
      return rulesetReply(await rulesets.removeRule(ownerOf(params), id, ruleId, actor))
    }),
    route(operations.deleteVersion, async ({ params, actor }) => {
      const { ruleset_id: id, ruleset_version: version } = params
      await rulesets.removeVersion(ownerOf(params), id, version, actor)
      return { result: null }
    }),
  ]
}

const rulesetReply = (ruleset: OwnOrManagedRuleset): Reply => ({ result: toWireRuleset(ruleset) })
const rulesetsReply = (rulesets: readonly OwnOrManagedSummary[]): Reply => ({
  result: rulesets.map(toWireSummary),
})
