// What a list of zones says of each zone: the columns of several tables in two queries.
import { type Database, type ExpressionBuilder, query, type Reader } from '@zonereeve/storage'
import { hasLegacyWaf, type Plan } from '../../zones/index.ts'

export interface StoredSummary {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly serial: number
  readonly records: number
  /** Undefined for a zone that was never signed. */
  readonly dnssec: string | undefined
  /** Time of the last change set; undefined if there is none. */
  readonly changedOn: string | undefined
  readonly monitoring: {
    readonly enabled: boolean
    readonly malicious: number
    readonly maliciousScripts: number
  }
  readonly firewall: Firewall
  /** Number of rules by phase, of phases with rules. */
  readonly rules: Readonly<Record<string, number>>
}

type Firewall = 'none' | 'legacy' | 'rulesets' | 'both'

const summaries = query
  .selectFrom('zones')
  .leftJoin('zone_dnssec', 'zone_dnssec.zone_id', 'zones.id')
  .leftJoin('page_shield_settings', 'page_shield_settings.zone_id', 'zones.id')
  .leftJoin('waf_migrations', 'waf_migrations.zone_id', 'zones.id')
  .leftJoin('zone_settings', (join) =>
    join.onRef('zone_settings.zone_id', '=', 'zones.id').on('zone_settings.name', '=', 'waf'),
  )
  .select(['zones.id', 'zones.account_id', 'zones.name', 'zones.plan', 'zones.serial', 'zones.record_count'])
  .select(['zone_dnssec.status', 'page_shield_settings.enabled', 'waf_migrations.state'])
  .select('zone_settings.value as waf')
  .select(({ selectFrom }) => [
    selectFrom('changes')
      .select('at')
      .whereRef('changes.scope_id', '=', 'zones.id')
      .orderBy('number', 'desc')
      .limit(1)
      .as('changed_on'),
    maliciousIn(selectFrom).as('malicious'),
    maliciousIn(selectFrom).where('kind', '=', 'script').as('malicious_scripts'),
  ])

// A declaration: `summaries` above calls it while the module loads.
function maliciousIn(selectFrom: ExpressionBuilder<Database, 'zones'>['selectFrom']) {
  return selectFrom('page_shield_resources')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('page_shield_resources.zone_id', '=', 'zones.id')
    .where('is_malicious', '=', 1)
}

/** Unknown zones are left out; the order is that of the ids. */
export async function findSummaries(db: Reader, ids: readonly string[]): Promise<StoredSummary[]> {
  const rows = await db.all(summaries.where('zones.id', 'in', ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const rulesByZone = await countRules(db, ids)
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (row === undefined) return []
    const rules = rulesByZone.get(id) ?? {} // none
    return {
      id,
      accountId: row.account_id,
      name: row.name,
      serial: row.serial,
      records: row.record_count,
      dnssec: row.status ?? undefined,
      changedOn: row.changed_on ?? undefined,
      monitoring: {
        enabled: Number(row.enabled) === 1,
        malicious: Number(row.malicious),
        maliciousScripts: Number(row.malicious_scripts),
      },
      firewall: firewallOf({
        // As stored by the zones.
        isLegacy: hasLegacyWaf(row.plan as Plan) && row.waf !== LEGACY_OFF && row.state !== 'done',
        hasRulesets:
          row.state === 'validation' ||
          row.state === 'done' ||
          STOPPING_PHASES.some((phase) => rules[phase] !== undefined),
      }),
      rules,
    }
  })
}

async function countRules(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Record<string, number>>> {
  const counted = query
    .selectFrom('rulesets')
    .select(['zone_id', 'phase', 'rule_count'])
    .where('zone_id', 'in', ids)
    .where('kind', '=', 'zone')
    .where('rule_count', '>', 0)
  const byZone = new Map<string, Record<string, number>>()
  for (const { zone_id: zoneId, phase, rule_count: count } of await db.all(counted))
    if (zoneId !== null) byZone.set(zoneId, { ...byZone.get(zoneId), [phase]: count })
  return byZone
}

/** Rules of other phases change requests, responses and events, and protect nothing. */
const STOPPING_PHASES = [
  'http_request_firewall_custom',
  'http_request_firewall_managed',
  'http_ratelimit',
  'ddos_l7',
] as const

/** The stored value of the zone setting `waf`; its default is on. */
const LEGACY_OFF = '"off"'

function firewallOf({
  isLegacy,
  hasRulesets,
}: {
  readonly isLegacy: boolean
  readonly hasRulesets: boolean
}): Firewall {
  if (isLegacy) return hasRulesets ? 'both' : 'legacy'
  return hasRulesets ? 'rulesets' : 'none'
}
