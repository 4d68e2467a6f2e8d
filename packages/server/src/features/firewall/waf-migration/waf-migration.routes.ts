// HTTP routes for the migration from the legacy managed rules. The entry point route of rulesets and two
// operations of our own change the state.
import { wafMigration as operations, wafMigrationSteps as steps } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { MigrateEntryPoint } from '../rulesets/index.ts'
import { DomainError } from '@zonereeve/platform'
import { readMigrationRequest } from './migration-states.rules.ts'
import type { WafMigration } from './waf-migration.service.ts'
import {
  readPhase,
  toWireCompatibility,
  toWireConfig,
  toWireSnapshot,
  toWireStatus,
} from './waf-migration.wire.ts'

export function wafMigrationRoutes(migration: WafMigration): Route[] {
  return [
    route(operations.check, async ({ params, query }) => {
      const found = await migration.check(params.zone_id, readPhase(query.phase_two))
      const { notices, refused } = found
      return { result: toWireCompatibility(found), notices, refused }
    }),
    route(operations.config, async ({ params, query }) => {
      const { rules, notices } = await migration.config(params.zone_id, readPhase(query.phase_two))
      return { result: toWireConfig(rules), notices }
    }),
    route(operations.status, async ({ params }) => ({
      result: toWireStatus(await migration.status(params.zone_id)),
    })),
    route(steps.deploy, async ({ params, query, actor }) => ({
      result: toWireStatus(await migration.deploy(params.zone_id, query.expected_state, actor)),
    })),
    route(steps.turnOffLegacy, async ({ params, actor }) => ({
      result: toWireStatus(await migration.turnOffLegacy(params.zone_id, actor)),
    })),
    route(steps.snapshot, async ({ params }) => ({
      result: toWireSnapshot(await migration.snapshot(params.zone_id)),
    })),
  ]
}

/** The migration step that is part of a write of the entry point. */
export const migrateEntryPoint =
  (migration: WafMigration): MigrateEntryPoint =>
  (zoneId, { wafMigration, phaseTwo }, sent, actor) => {
    const request = readMigrationRequest(wafMigration)
    if (request === undefined)
      throw new DomainError({ reason: 'ruleset.waf_migration', pointer: '/waf_migration' })
    return migration.migrate(zoneId, request, readPhase(phaseTwo), sent, actor)
  }
