// Rows of rulesets, of their versions, and of the rules that these are lists of.
import { query, sql, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { PhaseName } from './phases.ts'
import type { Owner, Rule, RuleDefinition, Ruleset, RulesetKind, RulesetSummary } from './ruleset.ts'

/** The present version of each ruleset of an owner, oldest first, with its place in lists. */
export async function listRulesets(
  db: Reader,
  owner: Owner,
): Promise<readonly (RulesetSummary & { readonly position: number })[]> {
  const rows = await db.all(summaries(owner).whereRef('v.version', '=', 'r.version').orderBy('r.position'))
  return rows.map((row) => ({ ...toSummary(row), position: row.position }))
}

export async function findRuleset(db: Reader, owner: Owner, id: string): Promise<Ruleset | undefined> {
  const present = summaries(owner).where('r.id', '=', id).whereRef('v.version', '=', 'r.version')
  return withRules(db, owner, await db.first(present))
}

/** The entry point of a phase. */
export async function findEntryPoint(
  db: Reader,
  owner: Owner,
  phase: PhaseName,
): Promise<Ruleset | undefined> {
  const present = summaries(owner)
    .where('r.phase', '=', phase)
    .where('r.kind', 'in', ['zone', 'root'])
    .whereRef('v.version', '=', 'r.version')
  return withRules(db, owner, await db.first(present))
}

export async function findVersion(
  db: Reader,
  owner: Owner,
  id: string,
  version: number,
): Promise<Ruleset | undefined> {
  const wanted = summaries(owner).where('r.id', '=', id).where('v.version', '=', version)
  return withRules(db, owner, await db.first(wanted))
}

/** Oldest first. */
export async function listVersions(db: Reader, owner: Owner, id: string): Promise<RulesetSummary[]> {
  const rows = await db.all(summaries(owner).where('r.id', '=', id).orderBy('v.version'))
  return rows.map(toSummary)
}

/** The last version of each rule that some version of the ruleset has. */
export async function allRules(db: Reader, rulesetId: string): Promise<Rule[]> {
  const rows = await db.all(
    query.selectFrom('ruleset_rules').selectAll().where('ruleset_id', '=', rulesetId).orderBy('version'),
  )
  return [...new Map(rows.map((row) => [row.rule_id, toRule(row)])).values()]
}

/** How many rules of a phase the owner's other rulesets have. */
export async function countOtherRules(
  db: Reader,
  owner: Owner,
  phase: PhaseName,
  exceptId: string | undefined,
): Promise<number> {
  const counted = query
    .selectFrom('rulesets')
    .select(({ fn }) => fn.sum<number | null>('rule_count').as('count'))
    .where(ownerColumn(owner), '=', owner.id)
    .where('phase', '=', phase)
    .where('id', '!=', exceptId ?? '')
  return Number((await db.first(counted))?.count ?? 0)
}

export async function insertRuleset(tx: Transaction, ruleset: Ruleset): Promise<void> {
  const { id, owner, kind, phase, version, rules } = ruleset
  await tx.run(
    query.insertInto('rulesets').values({
      id,
      zone_id: owner.level === 'zone' ? owner.id : null,
      account_id: owner.level === 'account' ? owner.id : null,
      kind,
      phase,
      version,
      rule_count: rules.length,
    }),
  )
  await insertVersion(tx, ruleset)
}

/** Adds a version, which becomes the present one. */
export async function addVersion(tx: Transaction, ruleset: Ruleset): Promise<void> {
  const { id, version, rules } = ruleset
  await tx.run(query.updateTable('rulesets').set({ version, rule_count: rules.length }).where('id', '=', id))
  await insertVersion(tx, ruleset)
}

async function insertVersion(tx: Transaction, ruleset: Ruleset): Promise<void> {
  const { id, version, name, description, lastUpdated, rules } = ruleset
  const listed = JSON.stringify(rules.map((rule) => [rule.id, rule.version]))
  await tx.run(
    query.insertInto('ruleset_versions').values({
      ruleset_id: id,
      version,
      name,
      description,
      last_updated: lastUpdated,
      rules: listed,
    }),
  )
  // Rules that are as they were have their row already; those that are new carry the time of this version.
  for (const rule of rules.filter((one) => one.lastUpdated === lastUpdated)) {
    await tx.run(
      query
        .insertInto('ruleset_rules')
        .values({
          ruleset_id: id,
          rule_id: rule.id,
          version: rule.version,
          ref: rule.ref,
          last_updated: rule.lastUpdated,
          regex_bytes: rule.regexBytes,
          definition: JSON.stringify(rule.definition),
        })
        .onConflict((conflict) => conflict.doNothing()),
    )
  }
}

export async function deleteRuleset(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('rulesets').where('id', '=', id))
}

/** Deletes a version, with the rules that no other version has. */
export async function deleteVersion(tx: Transaction, id: string, version: number): Promise<void> {
  await tx.run(
    query.deleteFrom('ruleset_versions').where('ruleset_id', '=', id).where('version', '=', version),
  )
  const listed = sql<string>`select json_extract(e.value, '$[0]') || ' ' || json_extract(e.value, '$[1]')
    from ruleset_versions v, json_each(v.rules) e where v.ruleset_id = ${id}`
  await tx.run(
    query
      .deleteFrom('ruleset_rules')
      .where('ruleset_id', '=', id)
      .where(sql<string>`rule_id || ' ' || version`, 'not in', sql<string>`(${listed})`),
  )
}

const ownerColumn = ({ level }: Owner) => (level === 'zone' ? 'zone_id' : 'account_id')

const summaries = (owner: Owner) =>
  query
    .selectFrom('rulesets as r')
    .innerJoin('ruleset_versions as v', 'v.ruleset_id', 'r.id')
    .select([
      'r.position',
      'r.id',
      'r.kind',
      'r.phase',
      'v.version',
      'v.name',
      'v.description',
      'v.last_updated',
    ])
    .where(`r.${ownerColumn(owner)}`, '=', owner.id)

interface SummaryRow {
  readonly id: string
  readonly kind: string
  readonly phase: string
  readonly version: number
  readonly name: string
  readonly description: string
  readonly last_updated: string
}

async function withRules(
  db: Reader,
  owner: Owner,
  row: SummaryRow | undefined,
): Promise<Ruleset | undefined> {
  if (row === undefined) return undefined
  const { id, version } = row
  // Cross joins keep this order: each rule of the list is looked up, not the list for each rule.
  const listed = await db.all(
    query
      .selectFrom('ruleset_versions as v')
      .crossJoin(sql<{ key: number; value: string }>`json_each(v.rules)`.as('e'))
      .crossJoin('ruleset_rules as rule')
      .selectAll('rule')
      .where('v.ruleset_id', '=', id)
      .where('v.version', '=', version)
      .whereRef('rule.ruleset_id', '=', 'v.ruleset_id')
      .where('rule.rule_id', '=', sql<string>`json_extract(e.value, '$[0]')`)
      .where('rule.version', '=', sql<number>`json_extract(e.value, '$[1]')`)
      .orderBy('e.key'),
  )
  return { ...toSummary(row), owner, rules: listed.map(toRule) }
}

function toSummary(row: SummaryRow): RulesetSummary {
  return {
    id: row.id,
    kind: row.kind as RulesetKind, // only known kinds are stored
    phase: row.phase as PhaseName, // as above
    name: row.name,
    description: row.description,
    version: row.version,
    lastUpdated: row.last_updated,
  }
}

function toRule(row: Database['ruleset_rules']): Rule {
  return {
    id: row.rule_id,
    version: row.version,
    ref: row.ref,
    lastUpdated: row.last_updated,
    regexBytes: row.regex_bytes,
    definition: JSON.parse(row.definition) as RuleDefinition, // written by insertVersion
  }
}
