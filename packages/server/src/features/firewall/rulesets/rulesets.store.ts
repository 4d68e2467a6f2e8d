// Rows of rulesets, their versions and their rules.
import { byEngine, oneRow, query, type Reader, sql, tables, type Transaction } from '@zonereeve/storage'
import type { Owner, PhaseName, Rule, Ruleset, RulesetSummary } from '@zonereeve/firewall'

interface StoredRuleset extends Pick<Ruleset, 'id' | 'kind' | 'phase' | 'version'> {
  readonly zoneId: string | null
  readonly accountId: string | null
  readonly ruleCount: number
}

interface StoredVersion extends Pick<Ruleset, 'version' | 'name' | 'description' | 'lastUpdated'> {
  readonly rulesetId: string
  /** ID and version of each rule. */
  readonly rules: readonly (readonly [string, number])[]
}

const rulesets = tables.rulesets.of<StoredRuleset>()
const versions = tables.ruleset_versions.of<StoredVersion>()
/** An unreadable rule must not silently drop out of decisions: reads that need it fail. */
const ruleRows = tables.ruleset_rules.beside('ruleset_id').of<Rule>()

/** The current version of each ruleset of an owner, oldest first, with its list position. */
export async function listRulesets(
  db: Reader,
  owner: Owner,
): Promise<readonly (RulesetSummary & { readonly position: number })[]> {
  const present = summaries(owner).whereRef('v.version', '=', 'r.version')
  return db.all(present.select('r.position').orderBy('r.position'))
}

export async function findRuleset(db: Reader, owner: Owner, id: string): Promise<Ruleset | undefined> {
  const present = summaries(owner).where('r.id', '=', id).whereRef('v.version', '=', 'r.version')
  return withRules(db, owner, await db.first(present))
}

/** The current rulesets of an owner in some phases, with their rules. */
export async function rulesetsOf(
  db: Reader,
  owner: Owner,
  phases: readonly PhaseName[],
): Promise<readonly Ruleset[]> {
  const found: Ruleset[] = []
  for (const { id, phase } of await listRulesets(db, owner)) {
    const ruleset = phases.includes(phase) ? await findRuleset(db, owner, id) : undefined
    if (ruleset !== undefined) found.push(ruleset)
  }
  return found
}

/** The entry point ruleset of a phase. */
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
  const desired = summaries(owner).where('r.id', '=', id).where('v.version', '=', version)
  return withRules(db, owner, await db.first(desired))
}

/** Oldest first. */
export async function listVersions(db: Reader, owner: Owner, id: string): Promise<RulesetSummary[]> {
  return db.all(summaries(owner).where('r.id', '=', id).orderBy('v.version'))
}

/** The latest version of each rule in any version of the ruleset. */
export async function allRules(db: Reader, rulesetId: string): Promise<Rule[]> {
  const rules = await ruleRows.all(
    db,
    query.selectFrom('ruleset_rules').selectAll().where('ruleset_id', '=', rulesetId).orderBy('version'),
  )
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()]
}

/** Number of rules of a phase in the owner's other rulesets. */
export async function countOtherRules(
  db: Reader,
  owner: Owner,
  phase: PhaseName,
  exceptId: string | undefined,
): Promise<number> {
  const counted = query
    .selectFrom('rulesets')
    .select(sql<number>`coalesce(sum(rule_count), 0)`.as('count'))
    .where(ownerColumn(owner), '=', owner.id)
    .where('phase', '=', phase)
  const others = exceptId === undefined ? counted : counted.where('id', '!=', exceptId)
  return Number((await oneRow(db, others)).count)
}

export async function insertRuleset(tx: Transaction, ruleset: Ruleset): Promise<void> {
  const { id, owner, kind, phase, version, rules } = ruleset
  await rulesets.insert(tx, {
    id,
    zoneId: owner.level === 'zone' ? owner.id : null,
    accountId: owner.level === 'account' ? owner.id : null,
    kind,
    phase,
    version,
    ruleCount: rules.length,
  })
  await insertVersion(tx, ruleset)
}

/** Adds a version and makes it the current one. */
export async function addVersion(tx: Transaction, ruleset: Ruleset): Promise<void> {
  const { id, version, rules } = ruleset
  await rulesets.update(tx, { id, version, ruleCount: rules.length })
  await insertVersion(tx, ruleset)
}

async function insertVersion(tx: Transaction, ruleset: Ruleset): Promise<void> {
  const { id, version, name, description, lastUpdated, rules } = ruleset
  await versions.insert(tx, {
    rulesetId: id,
    version,
    name,
    description,
    lastUpdated,
    rules: rules.map((rule) => [rule.id, rule.version]),
  })
  // Unchanged rules already have a row; new and changed ones have the timestamp of this version.
  for (const rule of rules.filter((one) => one.lastUpdated === lastUpdated))
    await ruleRows.insertNew(tx, { ...rule, rulesetId: id })
}

export const deleteRuleset = (tx: Transaction, id: string): Promise<number> => rulesets.remove(tx, { id })

/** The rules that a version `v` lists, as `e`: their place and their ID and version. */
const eachListed = byEngine({
  sqlite: sql<{ key: number; value: string }>`json_each(v.rules)`,
  postgres: sql<{ key: number; value: string }>`lateral (
    select item as value, place as key from json_array_elements(v.rules::json) with ordinality as items (item, place))`,
})
const listedRule = {
  id: byEngine({
    sqlite: sql<string>`json_extract(e.value, '$[0]')`,
    postgres: sql<string>`e.value ->> 0`,
  }),
  version: byEngine({
    sqlite: sql<number>`json_extract(e.value, '$[1]')`,
    postgres: sql<number>`(e.value ->> 1)::int8`,
  }),
}

/** Deletes a version, and the rules that no other version contains. */
export async function deleteVersion(tx: Transaction, id: string, version: number): Promise<void> {
  await versions.remove(tx, { rulesetId: id, version })
  const listed = sql<string>`select ${listedRule.id} || ' ' || ${listedRule.version}
    from ruleset_versions v, ${eachListed} as e where v.ruleset_id = ${id}`
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
    .select(['r.id', 'r.kind', 'r.phase', 'v.name', 'v.description', 'v.version'])
    .select('v.last_updated as lastUpdated')
    .$narrowType<{ phase: PhaseName }>() // only known phases are stored
    .where(`r.${ownerColumn(owner)}`, '=', owner.id)

async function withRules(
  db: Reader,
  owner: Owner,
  summary: RulesetSummary | undefined,
): Promise<Ruleset | undefined> {
  if (summary === undefined) return undefined
  const { id, version } = summary
  // The database parses the list of rules; an unreadable list must fail here, not read as empty.
  await versions.find(db, { rulesetId: id, version })
  // Cross joins fix the join order: each rule of the list is looked up, instead of the list for each rule.
  const rules = await ruleRows.all(
    db,
    query
      .selectFrom('ruleset_versions as v')
      .crossJoin(eachListed.as('e'))
      .crossJoin('ruleset_rules as rule')
      .selectAll('rule')
      .where('v.ruleset_id', '=', id)
      .where('v.version', '=', version)
      .whereRef('rule.ruleset_id', '=', 'v.ruleset_id')
      .where('rule.rule_id', '=', listedRule.id)
      .where('rule.version', '=', listedRule.version)
      .orderBy('e.key'),
  )
  return { ...summary, owner, rules }
}
