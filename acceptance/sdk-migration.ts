// Migrates legacy WAF rules to rulesets, through the SDK where it has the operation: a zone of each plan completes the
// migration, decisions on the same requests are compared before and after, and every error occurs once.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { APIError, type Cloudflare } from 'cloudflare'
import type { PhaseUpdateParams } from 'cloudflare/resources/rulesets/phases/phases'
import {
  addFirewallRules,
  addPageRule,
  bypass,
  changeCount,
  checkOf,
  configOf,
  configureLegacy,
  createZone,
  expectStatus,
  own,
  PHASE,
  put,
  refused,
  verdicts,
  type Config,
  type Envelope,
  type MigratingZone,
  type Plan,
  type Trace,
} from './migrating-zone.ts'
import type { Report } from './report.ts'

const MANAGED_RULESET = 'efb7b8c949ac4650a09736fc376e9aee'
const OWASP_RULESET = '4814384a9e5d4991b9815dcfc25d2f1f'
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c'
const CLIENTS = 24

interface Snapshot {
  readonly waf: string
  readonly packages: readonly object[]
  readonly firewall_rules: readonly { readonly id: string }[]
  readonly page_rules: readonly { readonly id: string }[]
}

type Act = (zone: MigratingZone) => Promise<void>

const ACTS: readonly (readonly [plan: Plan, name: string, act: Act])[] = [
  ['pro', 'migrates permanently to rulesets with the same decisions', wholeWay],
  ['enterprise', 'has both versions during validation, and cannot go back', validation],
  ['enterprise', 'deploys with one request, and disables the legacy rules with another', ownSteps],
  ['free', 'has nothing to migrate', nothingToMigrate],
  ['pro', 'gets errors for a wrong plan, wrong values and a wrong phase', refusals],
  ['pro', 'with URL overrides must delete them, and then migrates', overrides],
  ['enterprise', 'with more than 200 firewall rules is rejected, and with 200 migrates', tooManyRules],
  ['pro', 'whose page rules become an expression over 4 KB is rejected, and migrates without them', tooLong],
  ['pro', `with requests from ${CLIENTS} clients at once migrates once`, atOnce],
  [
    'enterprise',
    `with requests from ${CLIENTS} clients at once for different steps takes each step once`,
    stepsAtOnce,
  ],
]

export async function runMigration(client: Cloudflare, report: Report): Promise<void> {
  for (const [index, [plan, name, act]] of ACTS.entries()) {
    await report.check(`sdk: migration: a zone of plan ${plan} ${name}`, async () => {
      const zone = await createZone(client, `m${index}.example.com`, plan)
      await act(zone)
      await client.zones.delete({ zone_id: zone.id })
    })
  }
}

const actions = (traces: readonly Trace[]): string[] => traces.map(({ effective }) => effective.action)
const deciders = (traces: readonly Trace[]): (string | null)[] => traces.map(({ effective }) => effective.by)

async function wholeWay(zone: MigratingZone): Promise<void> {
  const old = await configureLegacy(zone)
  const before = await verdicts(zone)
  deepEqual(actions(before), ['block', 'allow', 'allow', 'block', 'allow'])
  deepEqual(deciders(before), ['old', null, null, 'old', null])
  await expectStatus(zone, 'start', 'enabled', 'disabled')
  deepEqual((await checkOf(zone)).result, { compatible: true, migration_state: 'start' })
  const config = await configOf(zone)
  expectConfig(config)

  const changes = await changeCount(zone)
  equal(await put(zone, '1', config, { dry_run: true }), null)
  equal(await changeCount(zone), changes, 'a dry run changes nothing')
  await expectStatus(zone, 'start', 'enabled', 'disabled')

  const saved = (await put(zone, 'pending', config)) as Config // the SDK types each rule apart
  equal(await changeCount(zone), changes + 1, 'a migration is one change set')
  const bare = ({ rules }: Config) =>
    rules.map(({ action, expression, description, action_parameters }) => ({
      action,
      expression,
      description,
      // Replies name the version of a ruleset that is executed.
      action_parameters: { ...action_parameters, version: action === 'execute' ? 'latest' : undefined },
    }))
  deepEqual(bare(saved), bare(config))
  ok(
    saved.rules.every(({ id, ref, version }) => id !== '' && ref !== '' && version === '1'),
    'each rule has an id, a ref and a version',
  )
  deepEqual(await zone.client.rulesets.phases.get(PHASE, zone.of), saved)
  await expectStatus(zone, 'done', 'disabled', 'enabled')

  const after = await verdicts(zone)
  deepEqual(actions(after), actions(before))
  deepEqual(deciders(after), ['new', null, null, 'new', null])
  equal(after[0]?.old.inactive, 'migrated')
  await expectLegacyGone(zone)
  const { result } = await zone.client.get<Envelope<Snapshot>>(
    `/zonereeve/zones/${zone.id}/waf_migration/snapshot`,
  )
  deepEqual(
    [result.waf, result.packages.length, result.firewall_rules.map(({ id }) => id).toSorted()],
    ['on', 3, old.firewallRules.toSorted()],
  )
  deepEqual(result.page_rules.map(({ id }) => id).toSorted(), old.pageRules.toSorted())
  await noWayBack(zone, config)
}

/** The sequence documented in the migration guide. */
function expectConfig({ name, rules }: Config): void {
  equal(name, 'default')
  deepEqual(
    rules.map(({ id, version, ref }) => [id, version, ref]),
    rules.map(() => ['', '', '']),
  )
  deepEqual(
    rules.map(({ action, action_parameters: { id } }) => [action, id]),
    [
      ['skip', undefined],
      ['skip', undefined],
      ['execute', MANAGED_RULESET],
      ['execute', OWASP_RULESET],
    ],
  )
  deepEqual(rules.at(-1)?.action_parameters['overrides'], {
    categories: ['2', '3', '4'].map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
    rules: [{ id: SCORE_RULE, action: 'log', score_threshold: 25 }],
  })
}

/** Every read and write operation of the legacy managed rules. */
async function expectLegacyGone({ client, id, of }: MigratingZone): Promise<void> {
  const hex = 'a'.repeat(32)
  const { packages, overrides: api } = client.firewall.waf
  const inPackage = { ...of, package_id: hex }
  const calls: readonly (() => Promise<unknown>)[] = [
    () => packages.list(of),
    () => packages.get(hex, of),
    () => client.patch(`/zones/${id}/firewall/waf/packages/${hex}`, { body: { sensitivity: 'low' } }),
    () => packages.groups.list(hex, of),
    () => packages.groups.get(hex, inPackage),
    () => packages.groups.edit(hex, { ...inPackage, mode: 'off' }),
    () => packages.rules.list(hex, of),
    () => packages.rules.get('100005', inPackage),
    () => packages.rules.edit('100005', { ...inPackage, mode: 'block' }),
    () => api.list(of),
    () => api.create({ ...of, urls: ['example.com/*'], ...({ rules: { '100005': 'disable' } } as object) }),
    () => api.get(hex, of),
    () => api.update(hex, { ...of, id: hex, urls: ['example.com/*'], rules: {}, rewrite_action: {} }),
    () => api.delete(hex, of),
  ]
  for (const call of calls) await refused(call(), 410, 19550)
  // Operations outside the managed rules remain.
  ok(await client.firewall.rules.list(of))
  ok(await client.filters.list(of))
  ok(await client.pageRules.list(of))
}

/** No request leaves the final state. */
async function noWayBack(zone: MigratingZone, config: object): Promise<void> {
  const changes = await changeCount(zone)
  for (const step of ['validation', '2', 'pending', '1']) await refused(put(zone, step, config), 400, 19582)
  await refused(own(zone, 'deploy'), 400, 19582)
  await refused(own(zone, 'turn_off_previous'), 400, 19582)
  await refused(configOf(zone), 400, 19582)
  await rejects(zone.client.zones.settings.edit('waf', { ...zone.of, value: 'on' }), APIError)
  const checked = await checkOf(zone)
  deepEqual(checked.result, { compatible: false, migration_state: 'done' })
  deepEqual(
    checked.messages.map(({ code }) => code),
    [19582],
  )
  await expectStatus(zone, 'done', 'disabled', 'enabled')
  equal(await changeCount(zone), changes)
}

async function validation(zone: MigratingZone): Promise<void> {
  await configureLegacy(zone)
  const before = await verdicts(zone)
  const config = await configOf(zone)
  // Without ids, versions and refs, as in the guide.
  const rules = config.rules.map(({ id: _id, version: _version, ref: _ref, ...rule }) => rule)
  await put(zone, '2', { name: config.name, rules })
  await expectStatus(zone, 'validation', 'enabled', 'enabled')
  const during = await verdicts(zone)
  deepEqual(actions(during), actions(before))
  equal(during[0]?.effective.by, 'new', 'the new version decides first')
  deepEqual((await checkOf(zone)).result, { compatible: true, migration_state: 'validation' })
  equal((await zone.client.firewall.waf.packages.list(zone.of)).result.length, 3)

  // Changes rules with the same step and with a plain write.
  const off = { name: 'default', rules: rules.map((rule) => ({ ...rule, enabled: false })) }
  await put(zone, 'validation', off)
  await expectStatus(zone, 'validation', 'enabled', 'disabled')
  equal(
    (await verdicts(zone))[0]?.effective.by,
    'old',
    'the legacy rules block what the new version lets pass',
  )
  await refused(put(zone, 'pending', off), 400, 19589)
  await refused(own(zone, 'turn_off_previous'), 400, 19589)
  await expectStatus(zone, 'validation', 'enabled', 'disabled')
  const plain = { ...zone.of, rules } as unknown as PhaseUpdateParams // as above
  await zone.client.rulesets.phases.update(PHASE, plain)
  await expectStatus(zone, 'validation', 'enabled', 'enabled')

  await put(zone, 'pending', config)
  await expectStatus(zone, 'done', 'disabled', 'enabled')
  deepEqual(actions(await verdicts(zone)), actions(before))
  await expectLegacyGone(zone)
  await noWayBack(zone, config)
}

async function ownSteps(zone: MigratingZone): Promise<void> {
  await configureLegacy(zone)
  await refused(own(zone, 'turn_off_previous'), 400, 19581)
  const config = await configOf(zone)
  await own(zone, 'deploy')
  await expectStatus(zone, 'validation', 'enabled', 'enabled')
  await refused(own(zone, 'deploy'), 400, 19590)
  const deployed = await zone.client.rulesets.phases.get(PHASE, zone.of)
  equal(deployed.rules?.length, config.rules.length)
  await own(zone, 'turn_off_previous')
  await expectStatus(zone, 'done', 'disabled', 'enabled')
  deepEqual(await zone.client.rulesets.phases.get(PHASE, zone.of), deployed)
  await expectLegacyGone(zone)
  await noWayBack(zone, config)
}

const EXECUTE = {
  rules: [{ action: 'execute', expression: 'true', action_parameters: { id: MANAGED_RULESET } }],
}

async function nothingToMigrate(zone: MigratingZone): Promise<void> {
  const checked = await checkOf(zone)
  deepEqual(checked.result, { compatible: false, migration_state: 'done' })
  deepEqual(
    checked.messages.map(({ code }) => code),
    [19593],
  )
  await refused(configOf(zone), 403, 19551)
  for (const step of ['validation', 'pending']) await refused(put(zone, step, EXECUTE), 403, 19551)
  await rejects(zone.client.rulesets.phases.get(PHASE, zone.of), APIError)
}

async function refusals(zone: MigratingZone): Promise<void> {
  const changes = await changeCount(zone)
  for (const step of ['validation', '2']) await refused(put(zone, step, EXECUTE), 403, 19580)
  for (const step of ['', '3', 'Pending', 'done', 'start'])
    await rejects(
      put(zone, step, EXECUTE),
      (error) => error instanceof APIError && error.status === 400,
      step,
    )
  await refused(put(zone, 'pending', { rules: [] }), 400, 19589)
  await refused(put(zone, 'pending', EXECUTE, { phase_two: 0 }), 400, 19584)
  const checked = await checkOf(zone, '')
  deepEqual([checked.result.compatible, checked.messages.map(({ code }) => code)], [false, [19584]])
  // Only enterprise zones may have an enabled managed ruleset beside the legacy rules.
  const plain = { ...zone.of, ...EXECUTE } as unknown as PhaseUpdateParams // as above
  await rejects(zone.client.rulesets.phases.update(PHASE, plain), APIError)
  const broken = { rules: [...EXECUTE.rules, { action: 'skip', expression: 'URI Path contains /' }] }
  await rejects(put(zone, 'pending', broken), APIError)
  await rejects(zone.client.rulesets.phases.get(PHASE, zone.of), APIError)
  await expectStatus(zone, 'start', 'enabled', 'disabled')
  equal(await changeCount(zone), changes)
}

async function overrides(zone: MigratingZone): Promise<void> {
  const { overrides: api } = zone.client.firewall.waf
  const made = (path: string) =>
    // The SDK types replies as empty, because the live API has retired the operations.
    api.create({
      ...zone.of,
      urls: [`${zone.name}/${path}`],
      ...({ rules: { '100005': 'disable' } } as object),
    }) as unknown as Promise<Envelope<{ id: string }>>
  const ids = [(await made('a*')).result.id, (await made('b*')).result.id]
  const changes = await changeCount(zone)
  const { result, messages } = await checkOf(zone)
  deepEqual(result, { compatible: false, migration_state: 'start' })
  deepEqual(
    messages.map(({ code }) => code),
    [19583],
  )
  const problem = await refused(put(zone, 'pending', await configOf(zone)), 400, 19583)
  for (const id of ids) for (const text of [problem, messages[0]?.message ?? '']) ok(text.includes(id), text)
  await refused(own(zone, 'deploy'), 400, 19583)
  equal(await changeCount(zone), changes)
  for (const id of ids) await api.delete(id, zone.of)
  deepEqual(await checkOf(zone).then(({ result: now }) => now), {
    compatible: true,
    migration_state: 'start',
  })
  await put(zone, 'pending', await configOf(zone))
  await expectStatus(zone, 'done', 'disabled', 'enabled')
}

async function tooManyRules(zone: MigratingZone): Promise<void> {
  const drafts = Array.from({ length: 201 }, (_, i) => bypass(zone, `http.request.uri.path eq "/${i}"`))
  const [first = ''] = await addFirewallRules(zone, drafts)
  const checked = await checkOf(zone)
  deepEqual(checked.result, { compatible: false, migration_state: 'start' })
  deepEqual(
    checked.messages.map(({ code }) => code),
    [19587],
  )
  await refused(configOf(zone), 400, 19587)
  for (const step of ['validation', 'pending']) await refused(put(zone, step, EXECUTE), 400, 19587)
  await expectStatus(zone, 'start', 'enabled', 'disabled')
  await zone.client.firewall.rules.delete(first, zone.of)
  const config = await configOf(zone)
  equal(config.rules.length, 202)
  await put(zone, 'pending', config)
  await expectStatus(zone, 'done', 'disabled', 'enabled')
}

async function tooLong(zone: MigratingZone): Promise<void> {
  const ids: string[] = []
  for (let i = 0; i < 6; i += 1) {
    const pattern = `*${zone.name}/${String(i).repeat(900)}*`
    ids.push((await addPageRule(zone, pattern, 9 - i, { id: 'cache_level', value: 'basic' })).id)
  }
  await addPageRule(zone, `*${zone.name}/*`, 1, { id: 'disable_security' })
  const checked = await checkOf(zone)
  deepEqual([checked.result.compatible, checked.messages.map(({ code }) => code)], [false, [19588]])
  await refused(configOf(zone), 400, 19588)
  await refused(put(zone, 'pending', EXECUTE), 400, 19588)
  await expectStatus(zone, 'start', 'enabled', 'disabled')
  for (const id of ids) await zone.client.pageRules.delete(id, zone.of)
  await put(zone, 'pending', await configOf(zone))
  await expectStatus(zone, 'done', 'disabled', 'enabled')
}

/** Sends all requests at once. @returns 'done' or the error code, for each request */
function outcomes(sent: readonly (() => Promise<unknown>)[]): Promise<(number | 'done')[]> {
  return Promise.all(
    sent.map((send) =>
      send().then(
        () => 'done' as const,
        (error: unknown) => {
          if (!(error instanceof APIError)) throw error
          return error.errors[0]?.code ?? 0
        },
      ),
    ),
  )
}

const count = <T>(list: readonly T[], expected: T): number => list.filter((one) => one === expected).length

async function atOnce(zone: MigratingZone): Promise<void> {
  await configureLegacy(zone)
  const config = await configOf(zone)
  const changes = await changeCount(zone)
  const bodies = Array.from({ length: CLIENTS }, (_, i) => ({ ...config, description: `client ${i}` }))
  const found = await outcomes(bodies.map((body) => () => put(zone, 'pending', body)))
  deepEqual([count(found, 'done'), count(found, 19582)], [1, CLIENTS - 1])
  equal(await changeCount(zone), changes + 1)
  const entry = await zone.client.rulesets.phases.get(PHASE, zone.of)
  deepEqual([entry.version, entry.description], ['1', `client ${found.indexOf('done')}`])
  await expectStatus(zone, 'done', 'disabled', 'enabled')
  await expectLegacyGone(zone)
}

async function stepsAtOnce(zone: MigratingZone): Promise<void> {
  await configureLegacy(zone)
  const config = await configOf(zone)
  const changes = await changeCount(zone)
  const steps = [
    () => put(zone, 'validation', config),
    () => own(zone, 'deploy'),
    () => own(zone, 'turn_off_previous'),
  ]
  const sent = Array.from(
    { length: CLIENTS },
    (_, i) => steps[i % steps.length] ?? (() => put(zone, '1', config)),
  )
  const found = await outcomes(sent)
  const done = found.flatMap((outcome, i) => (outcome === 'done' ? [i % steps.length] : []))
  // With several nodes, all requests for the last step may come before the first one.
  if (count(done, 2) === 0) {
    await own(zone, 'turn_off_previous')
    done.push(2)
  }
  equal(count(done, 2), 1, 'the legacy rules are disabled once')
  ok(count(done, 1) <= 1, 'the new version is deployed at most once')
  // Rules without a ref are new each time they are put.
  const entryPoints = done.length - 1
  equal((await zone.client.rulesets.phases.get(PHASE, zone.of)).version, String(entryPoints))
  equal(await changeCount(zone), changes + done.length, 'each success is one change set')
  deepEqual(
    found.filter((outcome) => !['done', 19581, 19582, 19590].includes(outcome)),
    [],
  )
  await expectStatus(zone, 'done', 'disabled', 'enabled')
}
