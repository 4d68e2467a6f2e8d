// Rulesets of a zone and of an account through the SDK: every operation; bodies are returned as they were sent.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { BadRequestError, NotFoundError, type APIError } from 'cloudflare'
import type Cloudflare from 'cloudflare'
import type { PhaseUpdateParams } from 'cloudflare/resources/rulesets/phases/phases'
import type { RuleCreateParams } from 'cloudflare/resources/rulesets/rules'
import type { Phase, PhaseParam } from 'cloudflare/resources/rulesets/rulesets'
import { missingOf, sharedFile } from '../scripts/requirements.ts'
import type { Report } from './report.ts'
import { ROUND_TRIPS } from './ruleset-bodies.ts'

type Owner = { readonly zone_id: string } | { readonly account_id: string }

interface Rule {
  readonly id: string
  readonly version: string
  readonly ref: string
  readonly expression?: string
}

interface Ruleset {
  readonly id: string
  readonly version: string
  readonly kind: string
  readonly rules: readonly Rule[]
}

const CUSTOM: Phase = 'http_request_firewall_custom'
const MANAGED: Phase = 'http_request_firewall_managed'
const MANAGED_RULESET = 'efb7b8c949ac4650a09736fc376e9aee'
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c'

/** @param zoneId a zone with the enterprise plan. */
export async function runRulesets(client: Cloudflare, report: Report, zoneId: string): Promise<void> {
  const account = (await client.accounts.list()).result[0]
  ok(account, 'there is an account')
  const owners: readonly (readonly [level: string, owner: Owner])[] = [
    ['zone', { zone_id: zoneId }],
    ['account', { account_id: account.id }],
  ]
  for (const [level, owner] of owners) {
    await report.check(`sdk: rulesets of the ${level} are created, got, listed, changed and deleted`, () =>
      wholeRulesets(client, owner),
    )
    await report.check(`sdk: rules of the ${level} are added, edited, moved and deleted`, () =>
      rules(client, owner),
    )
    await report.check(`sdk: versions of rulesets of the ${level} are listed, got and deleted`, () =>
      versions(client, owner),
    )
  }
  await report.check('sdk: managed rulesets are executed with overrides, and skipped', () =>
    managedRules(client, zoneId),
  )
  for (const [phase, sent] of ROUND_TRIPS) {
    await report.check(`sdk: rules of ${phase} are returned as they were sent`, () =>
      roundTrip(client, zoneId, phase, sent),
    )
  }
  await checkPublishedActions(report)
  await report.check('sdk: errors in a ruleset have codes and positions', () => refusals(client, zoneId))
}

const block = (path: string) => ({
  action: 'block' as const,
  expression: `http.request.uri.path eq "${path}"`,
})
const entryKind = (owner: Owner) => ('zone_id' in owner ? ('zone' as const) : ('root' as const))
const paths = ({ rules: list }: Ruleset) => list.map(({ expression }) => expression?.split('"')[1])
/** The SDK types each reply's rules separately. */
const asRuleset = (reply: unknown): Ruleset => reply as Ruleset

async function wholeRulesets(client: Cloudflare, owner: Owner): Promise<void> {
  const { rulesets } = client
  const absent = rulesets.phases.get(CUSTOM, owner)
  await rejects(absent, (error) => error instanceof NotFoundError && error.errors[0]?.code === 10003)
  const definition = { name: 'mine', description: 'first', phase: CUSTOM }
  const custom = asRuleset(
    await rulesets.create({ ...owner, ...definition, kind: 'custom', rules: [block('/a')] }),
  )
  const entry = asRuleset(await rulesets.create({ ...owner, ...definition, kind: entryKind(owner) }))
  deepEqual([custom.kind, custom.version, entry.kind], ['custom', '1', entryKind(owner)])
  deepEqual(await rulesets.get(custom.id, owner), custom)
  deepEqual(await rulesets.phases.get(CUSTOM, owner), entry)

  const seen: string[] = []
  for await (const listed of rulesets.list({ ...owner, per_page: 1 })) seen.push(listed.id)
  for (const id of [MANAGED_RULESET, OWASP, custom.id, entry.id]) ok(seen.includes(id), `${id} is listed`)
  equal(new Set(seen).size, seen.length)

  const [rule] = custom.rules
  const put = asRuleset(
    await rulesets.update(custom.id, {
      ...owner,
      description: 'second',
      rules: [{ ...block('/b'), ref: rule?.ref ?? '' }],
    }),
  )
  deepEqual([put.version, put.rules[0]?.id, put.rules[0]?.version], ['2', rule?.id, '2'])
  const executing = {
    action: 'execute' as const,
    expression: 'zone_id' in owner ? 'true' : 'cf.zone.plan eq "ENT"',
    action_parameters: { id: custom.id },
  }
  await rulesets.phases.update(CUSTOM, { ...owner, rules: [executing] })
  await rejects(rulesets.delete(custom.id, owner), BadRequestError)
  // The SDK expects no body here, and returns this one whole.
  const dry: unknown = await rulesets.delete(entry.id, { ...owner, dry_run: true })
  const { result, changes } = dry as { readonly result: unknown; readonly changes: readonly unknown[] } // the envelope
  deepEqual([result, changes.length], [null, 1])
  equal((await rulesets.get(entry.id, owner)).id, entry.id)
  await rulesets.delete(entry.id, owner)
  await rulesets.delete(custom.id, owner)
  await rejects(rulesets.get(custom.id, owner), NotFoundError)
}

async function rules(client: Cloudflare, owner: Owner): Promise<void> {
  const { rulesets } = client
  const { id } = asRuleset(
    await rulesets.phases.update(CUSTOM, { ...owner, rules: [block('/a'), block('/b')] }),
  )
  const add = (rule: object): Promise<Ruleset> =>
    rulesets.rules.create(id, { ...owner, ...rule } as RuleCreateParams).then(asRuleset) // has the shape of a rule
  deepEqual(paths(await add(block('/c'))), ['/a', '/b', '/c'])
  const added = await add({ ...block('/d'), position: { index: 2 } })
  deepEqual(paths(added), ['/a', '/d', '/b', '/c'])
  const at = (index: number): string => added.rules[index]?.id ?? ''
  const inRuleset = { ...owner, ruleset_id: id }
  const edited = asRuleset(await rulesets.rules.edit(at(0), { ...inRuleset, ...block('/e') }))
  deepEqual([paths(edited), edited.rules[0]?.version], [['/e', '/d', '/b', '/c'], '2'])
  const moved = asRuleset(
    await rulesets.rules.edit(at(0), { ...inRuleset, position: { after: at(3) } } as never), // the SDK's types also require the rule
  )
  deepEqual([paths(moved), moved.rules[3]?.version], [['/d', '/b', '/c', '/e'], '2'])
  equal(await rulesets.rules.delete(at(1), { ...inRuleset, dry_run: true }), null)
  deepEqual(paths(asRuleset(await rulesets.rules.delete(at(1), inRuleset))), ['/b', '/c', '/e'])
  await rejects(rulesets.rules.delete(at(1), inRuleset), NotFoundError)
  await rulesets.delete(id, owner)
}

async function versions(client: Cloudflare, owner: Owner): Promise<void> {
  const { rulesets } = client
  const first = asRuleset(await rulesets.phases.update(CUSTOM, { ...owner, rules: [block('/a')] }))
  await rulesets.phases.update(CUSTOM, { ...owner, rules: [] })
  await rulesets.phases.update(CUSTOM, { ...owner, description: 'third' })
  const { id } = first
  const listed = (await rulesets.versions.list(id, owner)).result.map(({ version }) => version)
  deepEqual(listed, ['1', '2', '3'])
  const ofPhase = (await rulesets.phases.versions.list(CUSTOM, owner)).result.map(({ version }) => version)
  deepEqual(ofPhase, listed)
  deepEqual(await rulesets.versions.get('1', { ...owner, ruleset_id: id }), first)
  deepEqual(await rulesets.phases.versions.get('1', { ...owner, ruleset_phase: CUSTOM }), first)
  await rulesets.versions.delete('1', { ...owner, ruleset_id: id })
  await rejects(rulesets.versions.get('1', { ...owner, ruleset_id: id }), NotFoundError)
  await rejects(rulesets.versions.delete('3', { ...owner, ruleset_id: id }), BadRequestError)
  await rulesets.delete(id, owner)
}

async function managedRules(client: Cloudflare, zoneId: string): Promise<void> {
  const zone = { zone_id: zoneId }
  const owasp = asRuleset(await client.rulesets.get(OWASP, zone))
  equal(owasp.rules.at(-1)?.id, SCORE_RULE)
  equal(owasp.rules[0]?.expression, undefined)
  const tagged = await client.get<{ readonly result: Ruleset }>(
    `/zones/${zoneId}/rulesets/${OWASP}/versions/${owasp.version}/by_tag/paranoia-level-1`,
  )
  ok(tagged.result.rules.length > 0 && tagged.result.rules.length < owasp.rules.length, 'the tag has rules')
  await rejects(client.rulesets.delete(OWASP, zone), BadRequestError)
  const rule = asRuleset(await client.rulesets.get(MANAGED_RULESET, zone)).rules[0]?.id ?? ''
  await roundTrip(client, zoneId, MANAGED, [
    { action: 'skip', expression: 'ssl', action_parameters: { rules: { [MANAGED_RULESET]: [rule] } } },
    {
      action: 'execute',
      expression: 'true',
      action_parameters: {
        id: MANAGED_RULESET,
        version: 'latest',
        overrides: { rules: [{ id: rule, action: 'log', enabled: false }] },
      },
    },
    {
      action: 'execute',
      expression: 'true',
      action_parameters: {
        id: OWASP,
        overrides: {
          categories: [
            { category: 'paranoia-level-3', enabled: false },
            { category: 'paranoia-level-4', enabled: false },
          ],
          rules: [{ id: SCORE_RULE, action: 'managed_challenge', score_threshold: 40 }],
        },
      },
    },
  ])
}

/** Members that exist only in replies. */
const READ_ONLY = ['id', 'version', 'last_updated', 'ref', 'enabled']

/** Puts rules; both the reply and a later GET have the sent members plus those that exist only in replies. */
async function roundTrip(
  client: Cloudflare,
  zoneId: string,
  phase: PhaseParam,
  sent: readonly object[],
): Promise<void> {
  const zone = { zone_id: zoneId }
  const body = { ...zone, name: 'default', rules: sent } as unknown as PhaseUpdateParams // rules of that phase
  const put = asRuleset(await client.rulesets.phases.update(phase, body))
  const got = asRuleset(await client.rulesets.phases.get(phase, zone))
  deepEqual(got, put)
  deepEqual(
    got.rules.map((rule, index) => without(rule, sent[index] ?? {})),
    sent,
  )
  deepEqual(await client.rulesets.phases.update(phase, body).then(asRuleset).then(paths), paths(put))
  await client.rulesets.delete(put.id, zone)
}

const without = (rule: Rule, sent: object): object =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => name in sent || !READ_ONLY.includes(name)))

/** The published schema has no example rulesets, so its list of actions defines which bodies must be tested. */
async function checkPublishedActions(report: Report): Promise<void> {
  const name = 'sdk: every action of the published schema is in a tested body'
  const missing = missingOf(['shared-data'])
  if (missing !== undefined) return report.skip(name, missing.reason, missing.required)
  await report.check(name, () => {
    const schema = JSON.parse(readFileSync(sharedFile('data/openapi-subset.json'), 'utf8'))
    const published = Object.keys(schema.components.schemas.rulesets_RequestRule.discriminator.mapping)
    ok(published.length > 10, 'the schema lists its actions')
    const sent = new Set(ROUND_TRIPS.flatMap(([, list]) => list.map(({ action }) => action)))
    // Managed rulesets are tested separately.
    sent.add('execute')
    deepEqual(
      published.filter((action) => !sent.has(action)),
      [],
    )
  })
}

async function refusals(client: Cloudflare, zoneId: string): Promise<void> {
  const body = {
    zone_id: zoneId,
    rules: [block('/a'), { action: 'block', expression: 'URI Path contains /', logging: { enabled: true } }],
  } as unknown as PhaseUpdateParams // invalid on purpose
  await rejects(client.rulesets.phases.update(CUSTOM, body), (error: APIError) => {
    const issues = error.errors.map(
      (issue) => issue as unknown as { code: number; source: { pointer: string } },
    ) // with its position
    deepEqual(
      issues.map(({ code, source }) => [code, source.pointer]),
      [
        [20127, '/rules/1/expression'],
        [20018, '/rules/1/logging'],
      ],
    )
    return true
  })
  await rejects(client.rulesets.phases.get(CUSTOM, { zone_id: zoneId }), NotFoundError)
}
