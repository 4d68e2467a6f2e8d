// zonereeve waf: migrates legacy managed rules to rulesets, and compares decisions about requests.
import type { WireWafMigrationConfig } from '@zonereeve/contract'
import { PLAN_NAMES, type Ruleset, type WrittenZoneConfiguration } from '@zonereeve/firewall'
import type { Command } from 'commander'
import { isRequestOfZone } from '@zonereeve/firewall/recorded-requests.ts'
import type { Api } from './api.ts'
import { compareRecording } from './compare-recording.ts'
import type { ComparedPart, ComparedZone } from './compare-requests.ts'
import { requireConfirmation } from './confirm.ts'
import type { OutputRow } from './output.ts'
import { createProgress } from './progress.ts'
import { client, plainClient, type Print, result, run, runPlain, zoneNamed } from './verb.ts'

/** Exit code of a comparison that found differences. */
const DIFFERS = 2
/** Exit code of a check that found an obstacle. */
const INCOMPATIBLE = 2
const MILLIS = 1_000
const ENTRY_POINT = 'rulesets/phases/http_request_firewall_managed/entrypoint'

/** What each step does, for the confirmation prompt. */
const MIGRATION = {
  pending: (name: string) => `replace the managed rules of ${name} and turn its legacy WAF off permanently`,
  validation: (name: string) => `replace the managed rules of ${name} and keep its legacy WAF on as well`,
} as const

/** @param exit sets the exit code of a command that has succeeded. */
export function addWafCommands(program: Command, exit: (code: number) => void): void {
  const waf = program.command('waf').description('migrate legacy WAF rules to rulesets')
  client(waf.command('check <zone>'))
    .description('check whether a zone can be migrated; exit code 0: yes, 2: no, 1: error')
    .action(
      run(async (api, [zone = ''], print) => {
        const found = await get(api, zone, 'check?phase_two=1')
        print([found], ['compatible', 'migration_state'])
        if (found['compatible'] !== true) exit(INCOMPATIBLE)
      }),
    )
  client(waf.command('status <zone>'))
    .description('show which managed rules are active')
    .action(
      run(async (api, [zone = ''], print) =>
        print([await get(api, zone, 'status')], ['migration_state', 'old_waf', 'new_waf']),
      ),
    )
  plainClient(waf.command('config <zone>'))
    .description('print the ruleset entry point that replaces the legacy rules, as JSON')
    .action(
      runPlain(async (api, [zone = '']) => {
        const config = await get(api, zone, 'config?phase_two=1')
        process.stdout.write(`${JSON.stringify(config, null, 2)}\n`)
      }),
    )
  client(waf.command('migrate <zone>'))
    .description('deploy that entry point and turn off the legacy rules; cannot be undone')
    .option('--validation', 'keep both active for validation (enterprise zones)')
    .option('--dry-run', 'show what would be rejected')
    .option('--yes', 'do not ask for confirmation')
    .action(
      run(async (api, [zone = ''], print, { validation, dryRun, yes }) => {
        const { id, name } = await zoneNamed(api, zone)
        const config = (await get(api, id, 'config?phase_two=1')) as unknown as WireWafMigrationConfig // of its schema
        const step = validation === true ? 'validation' : 'pending'
        if (dryRun !== true) await requireConfirmation({ action: MIGRATION[step](name), expected: name, yes })
        const rehearsed = dryRun === true ? '&dry_run=true' : ''
        const query = `waf_migration=${step}&phase_two=1${rehearsed}`
        await result(api, 'PUT', `/zones/${id}/${ENTRY_POINT}?${query}`, config)
        print([await get(api, zone, 'status')], ['migration_state', 'old_waf', 'new_waf'])
      }),
    )
  client(waf.command('compare <zone> <file>'))
    .description(
      'list requests of a HAR file or access log (combined format) with different decisions after the migration; exit code 0: none, 2: some, 1: error',
    )
    .option('--host <host>', 'host for access logs without host names (default: the zone)')
    .option('--stopped', 'list what would be stopped instead, by rule, with examples')
    .action(
      run(async (api, [zone = '', file = ''], print, { host, stopped }) => {
        const { id, name } = await zoneNamed(api, zone)
        const fallback = typeof host === 'string' ? host : name
        if (!isRequestOfZone({ url: `https://${fallback}/` }, name))
          throw new Error(`--host "${fallback}": must be ${name}, or a name below it`)
        const found = await compareWithProgress(file, await comparedZone(api, id, fallback))
        const leftOut = `${found.elsewhere} for other hosts, ${found.unread} not parsed`
        if (found.compared + found.rejected === 0)
          throw new Error(`${file} has no requests to compare: ${leftOut}`)
        printFound(found, stopped === true, print)
        const total = found.stopped.reduce((sum, { requests }) => sum + requests, 0)
        process.stderr.write(
          `note: ${found.compared} requests compared, ${found.differing} differ; ${leftOut}, ${found.rejected} rejected\n` +
            `note: ${total} would be stopped${stopped === true ? '' : ' (--stopped lists them by rule)'}\n`,
        )
        if (found.differing > found.differences.length && stopped !== true)
          process.stderr.write(`note: only the first ${found.differences.length} that differ are listed\n`)
        if (found.rejected > 0) throw new Error(found.refusals.join('\n'))
        if (found.differing > 0) exit(DIFFERS)
      }),
    )
}

function printFound({ stopped, differences }: ComparedPart, isByRule: boolean, print: Print): void {
  if (!isByRule)
    return print(
      differences.map((one) => ({ ...one })),
      ['place', 'method', 'url', 'old', 'old_rule', 'new', 'new_rule'],
    )
  print(
    stopped.map((one) => ({ ...one })),
    ['requests', 'before', 'action', 'rule', 'description', 'examples'],
  )
}

async function compareWithProgress(file: string, zone: ComparedZone): Promise<ComparedPart> {
  const progress = createProgress(process.stderr)
  const began = performance.now()
  try {
    return await compareRecording(file, zone, (share, requests) => {
      const perSecond = Math.round((requests * MILLIS) / (performance.now() - began))
      progress.at(share, `${requests} requests, ${perSecond} per second`)
    })
  } finally {
    progress.end()
  }
}

/** What decides now, and before the migration the entry point that it would deploy. */
async function comparedZone(api: Api, id: string, host: string): Promise<ComparedZone> {
  const { result: document } = await api.call<ZoneDocument>(
    'GET',
    `/zonereeve/zones/${id}/edge/configuration`,
  )
  const { result: core } = await api.call<CoreRulesDocument | null>('GET', '/zonereeve/edge/core_rule_set')
  const { migration_state: state } = await get(api, id, 'status')
  const config =
    state === 'start'
      ? ((await get(api, id, 'config?phase_two=1')) as unknown as WireWafMigrationConfig) // of its schema
      : undefined
  const { name, plan, configuration } = document
  const planned = config && plannedRuleset(id, config)
  return { name, plan: planNamed(plan), configuration, planned, coreRuleSet: core?.rule_set, host }
}

function planNamed(field: string): ComparedZone['plan'] {
  for (const plan of ['free', 'pro', 'business', 'enterprise'] as const)
    if (PLAN_NAMES[plan] === field) return plan
  throw new Error(`the server's plan ${field} is unknown here`)
}

/** The rules have no IDs yet: their positions serve as IDs. */
const plannedRuleset = (zoneId: string, { rules }: WireWafMigrationConfig): Ruleset => ({
  id: 'planned',
  owner: { level: 'zone', id: zoneId },
  kind: 'zone',
  phase: 'http_request_firewall_managed',
  name: 'default',
  description: '',
  version: 1,
  lastUpdated: '',
  rules: rules.map(({ action, action_parameters: parameters, expression, description, enabled }, index) => ({
    id: `planned-${index + 1}`,
    version: 1,
    ref: `planned-${index + 1}`,
    lastUpdated: '',
    regexBytes: 0,
    definition: { action, parameters, expression, description, enabled },
  })),
})

/** As edges get it. */
interface ZoneDocument {
  readonly name: string
  readonly plan: string
  readonly configuration: WrittenZoneConfiguration
}

interface CoreRulesDocument {
  readonly rule_set: NonNullable<ComparedZone['coreRuleSet']>
}

const get = async (api: Api, zone: string, rest: string): Promise<OutputRow> =>
  result(api, 'GET', `/zones/${await api.zoneId(zone)}/waf_migration/${rest}`)
