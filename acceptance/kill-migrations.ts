// Kills the real process repeatedly while many zones migrate at once. After a restart each zone must be entirely before
// or entirely after a step: state, entry point, setting, snapshot, history and the legacy API agree. An acknowledged
// step is never lost.
// Options: --rounds N (6), --zones N in each round (24), --program PATH (the launcher in this repository).
import { deepEqual, equal, ok } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { builtProgram, startServer, temporaryFolder, type Program, type Target } from './program.ts'
import { createReport } from './report.ts'

/** Maximum time from an acknowledged step to the kill: about as long as the next steps take. */
const MAX_PAUSE_MS = 60
/** If a round takes longer, the machine is too busy for a valid result. */
const ROUND_LIMIT_MS = 60_000
const ENTRY_POINT = 'rulesets/phases/http_request_firewall_managed/entrypoint'

type State = 'start' | 'validation' | 'done'

/** State after each step of a plan. */
const STEPS: Readonly<Record<'pro' | 'enterprise', readonly State[]>> = {
  pro: ['done'],
  enterprise: ['validation', 'done'],
}

/** A zone during its migration. */
interface Migrating {
  readonly id: string
  readonly plan: 'pro' | 'enterprise'
  /** Result of `config` before the first step. */
  readonly config: object
  readonly rulesCount: number
  /** Number of change sets before the first step. */
  readonly changes: number
  /** State after the last acknowledged step. */
  acknowledged: State
  /** State after the last step sent. */
  intended: State
}

/** Target of requests, and the signal that aborts them. */
type Asked = Target & { readonly signal?: AbortSignal }

interface Reply<Result> {
  readonly status: number
  readonly result: Result
  readonly codes: readonly number[]
  readonly total: number
}

/** The server replied with an error. */
class Refused extends Error {}

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    zones: { type: 'string', default: '24' },
    program: { type: 'string', default: builtProgram },
  },
})
const rounds = Number(options.rounds)
const zonesOfRound = Number(options.zones)

const report = createReport()
const folder = temporaryFolder('kill-migrations')
let made = 0
let acknowledgedSteps = 0
/** Zones of all rounds: none may go back in a later round. */
const everyone: Migrating[] = []

let program = await startServer(options.program, folder)
try {
  for (let round = 1; round <= rounds; round++) {
    const zones = await Promise.all(Array.from({ length: zonesOfRound }, () => prepareZone(program)))
    everyone.push(...zones)
    const before = acknowledgedSteps
    await migrateAndKill(program, zones)
    const interrupted = zones.filter((zone) => zone.intended !== zone.acknowledged)
    program = await startServer(options.program, folder)
    const name = `kill: round ${round}, ${acknowledgedSteps - before} steps acknowledged and ${interrupted.length} interrupted`
    await report.check(name, async () => {
      const applied = (await Promise.all(interrupted.map((zone) => settle(program, zone)))).filter(Boolean)
      console.log(`      ${applied.length} of the interrupted steps were applied`)
      await Promise.all(everyone.map((zone) => expectWhole(program, zone)))
    })
  }
  await report.check('kill: interrupted zones still complete their migration', async () => {
    await Promise.all(everyone.map((zone) => migrate(program, zone)))
    await Promise.all(everyone.map((zone) => expectWhole(program, zone)))
  })
  await report.check('kill: the server still exits cleanly', program.stop)
} finally {
  await program.kill()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${acknowledgedSteps} steps acknowledged over ${rounds} kills`)
process.exitCode = report.close()

/** Creates a zone with a changed package, a firewall rule and a page rule to migrate. */
async function prepareZone(target: Target): Promise<Migrating> {
  const number = made++
  const plan = number % 2 === 0 ? 'pro' : 'enterprise'
  const name = `kill${number}.example.com`
  const { id } = await must<{ id: string }>(target, 'POST', '/zones', { name, plan: { legacy_id: plan } })
  await must(target, 'POST', `/zones/${id}/firewall/rules`, [
    { action: 'bypass', products: ['waf'], filter: { expression: 'ip.src eq 192.0.2.9' } },
  ])
  await must(target, 'POST', `/zones/${id}/pagerules`, {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: `${name}/upload/*` } }],
    actions: [{ id: 'disable_security' }],
    status: 'active',
  })
  const config = await must<{ rules: object[] }>(
    target,
    'GET',
    `/zones/${id}/waf_migration/config?phase_two=1`,
  )
  const { total } = await call(target, 'GET', `/zonereeve/zones/${id}/changes?per_page=5`)
  return {
    id,
    plan,
    config,
    rulesCount: config.rules.length,
    changes: total,
    acknowledged: 'start',
    intended: 'start',
  }
}

/** Runs the steps and kills the process at a random time. */
async function migrateAndKill(running: Program, zones: readonly Migrating[]): Promise<void> {
  const steps = zones.reduce((sum, { plan }) => sum + STEPS[plan].length, 0)
  const before = acknowledgedSteps
  const last = before + Math.floor(Math.random() * steps)
  const dead = new AbortController()
  const target = { ...running, signal: dead.signal }
  const work = Promise.allSettled(zones.map((zone) => migrate(target, zone)))
  const began = performance.now()
  while (acknowledgedSteps < last && performance.now() - began < ROUND_LIMIT_MS) await sleep(0)
  await sleep(Math.random() * MAX_PAUSE_MS)
  await running.kill()
  dead.abort() // cancels requests to the killed server
  for (const outcome of await work) if (outcome.status === 'rejected') throw outcome.reason
}

/** Sends the zone's remaining steps until the server is killed. */
async function migrate(target: Asked, zone: Migrating): Promise<void> {
  const steps = STEPS[zone.plan]
  for (const next of steps.slice(steps.indexOf(zone.acknowledged) + 1)) {
    try {
      await step(target, zone, next)
    } catch (error) {
      if (error instanceof Refused) throw error
      return // the connection broke: the process was killed, and the outcome of the step is unknown
    }
  }
}

async function step(target: Asked, zone: Migrating, next: State): Promise<void> {
  zone.intended = next
  const query = `waf_migration=${next === 'done' ? 'pending' : next}&phase_two=1`
  await must(target, 'PUT', `/zones/${zone.id}/${ENTRY_POINT}?${query}`, zone.config)
  zone.acknowledged = next
  acknowledgedSteps++
}

/** Checks whether an interrupted step was applied. @returns true if it was */
async function settle(target: Target, zone: Migrating): Promise<boolean> {
  const status = await must<{ migration_state: State }>(
    target,
    'GET',
    `/zones/${zone.id}/waf_migration/status`,
  )
  const found = status.migration_state
  ok(
    [zone.acknowledged, zone.intended].includes(found),
    `${zone.acknowledged} was acknowledged, not ${found}`,
  )
  const isMade = found === zone.intended
  if (isMade) zone.acknowledged = zone.intended
  else zone.intended = zone.acknowledged
  return isMade
}

/** Checks that everything of the zone's state exists, and nothing of another state. */
async function expectWhole(target: Target, zone: Migrating): Promise<void> {
  const { id, acknowledged: state } = zone
  const [isNew, isDone] = [state !== 'start', state === 'done']
  const steps = STEPS[zone.plan].indexOf(state) + 1
  const get = (path: string) => call<Readonly<Record<string, unknown>>>(target, 'GET', path)
  const status = await get(`/zones/${id}/waf_migration/status`)
  deepEqual(status.result, {
    migration_state: state,
    old_waf: isDone ? 'disabled' : 'enabled',
    new_waf: isNew ? 'enabled' : 'disabled',
  })
  const entry = await get(`/zones/${id}/${ENTRY_POINT}`)
  if (isNew) {
    const { version, rules } = entry.result as { version: string; rules: object[] } // a ruleset
    deepEqual([entry.status, version, rules.length], [200, String(steps), zone.rulesCount])
  } else deepEqual([entry.status, entry.codes], [404, [10003]])
  const setting = await get(`/zones/${id}/settings/waf`)
  equal(setting.result['value'], isDone ? 'off' : 'on')
  const snapshot = await get(`/zonereeve/zones/${id}/waf_migration/snapshot`)
  equal(snapshot.status, isDone ? 200 : 404)
  if (isDone) {
    const { waf, firewall_rules: rules, page_rules: pageRules } = snapshot.result
    deepEqual([waf, (rules as object[]).length, (pageRules as object[]).length], ['on', 1, 1]) // both are lists
  }
  const packages = await get(`/zones/${id}/firewall/waf/packages`)
  deepEqual([packages.status, packages.codes], isDone ? [410, [19550]] : [200, []])
  const history = await get(`/zonereeve/zones/${id}/changes?per_page=5`)
  equal(history.total - zone.changes, steps, 'one change set per step')
}

/** @throws Refused if the server replies with an error; the error of fetch if there is no reply. */
async function must<Result>(target: Asked, method: string, path: string, body?: object): Promise<Result> {
  const { status, result, codes } = await call<Result>(target, method, path, body)
  if (status !== 200) throw new Refused(`${method} ${path}: ${status} ${codes.join(', ')}`)
  return result
}

async function call<Result>(
  target: Asked,
  method: string,
  path: string,
  body?: object,
): Promise<Reply<Result>> {
  const response = await fetch(`${target.http}/client/v4${path}`, {
    method,
    headers: {
      authorization: `Bearer ${target.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(target.signal ? { signal: target.signal } : {}),
  })
  const envelope = JSON.parse(await response.text()) as {
    result: Result
    errors: { code: number }[]
    result_info?: { total_count: number }
  } // the envelope
  return {
    status: response.status,
    result: envelope.result,
    codes: envelope.errors.map(({ code }) => code),
    total: envelope.result_info?.total_count ?? 0,
  }
}
