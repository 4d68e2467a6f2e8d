// zonereeve waf: migrates legacy managed rules to rulesets, and compares decisions about requests.
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { WireFirewallComparison, WireWafMigrationConfig } from '@zonereeve/contract'
import type { Command } from 'commander'
import {
  batchesOf,
  isRequestOfZone,
  readRecordedRequests,
  type RecordedRequest,
} from '@zonereeve/firewall/recorded-requests.ts'
import type { Api } from './api.ts'
import { requireConfirmation } from './confirm.ts'
import type { OutputRow } from './output.ts'
import { client, plainClient, result, run, runPlain, zoneNamed } from './verb.ts'

/** Exit code of a comparison that found differences. */
const DIFFERS = 2
/** Exit code of a check that found an obstacle. */
const INCOMPATIBLE = 2
/** Maximum number of rejected requests shown. */
const MAX_REFUSALS_SHOWN = 5
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
    .action(
      run(async (api, [zone = '', file = ''], print, { host }) => {
        const { id, name } = await zoneNamed(api, zone)
        const fallback = typeof host === 'string' ? host : name
        if (!isRequestOfZone({ url: `https://${fallback}/` }, name))
          throw new Error(`--host "${fallback}": must be ${name}, or a name below it`)
        const read = readRecordedRequests(await readFile(file, 'utf8'), {
          host: fallback,
          isAddress: (text) => isIP(text) !== 0,
        })
        const requests = read.requests.filter((request) => isRequestOfZone(request, name))
        const elsewhere = read.requests.length - requests.length
        const leftOut = `${elsewhere} for other hosts, ${read.unread} not parsed`
        if (requests.length === 0) throw new Error(`${file} has no requests to compare: ${leftOut}`)
        const { rows, refusals } = await compare(api, id, requests)
        print(rows, ['place', 'method', 'url', 'old', 'old_rule', 'new', 'new_rule'])
        const compared = requests.length - refusals.length
        process.stderr.write(
          `note: ${compared} requests compared, ${rows.length} differ; ${leftOut}, ${refusals.length} rejected\n`,
        )
        if (refusals.length > 0) throw new Error(refusals.slice(0, MAX_REFUSALS_SHOWN).join('\n'))
        if (rows.length > 0) exit(DIFFERS)
      }),
    )
}

const get = async (api: Api, zone: string, rest: string): Promise<OutputRow> =>
  result(api, 'GET', `/zones/${await api.zoneId(zone)}/waf_migration/${rest}`)

interface Comparison {
  /** The differing requests, in order. */
  readonly rows: readonly OutputRow[]
  /** The server's messages about requests that it rejected. */
  readonly refusals: readonly string[]
}

async function compare(api: Api, zoneId: string, requests: readonly RecordedRequest[]): Promise<Comparison> {
  const path = `/zonereeve/zones/${zoneId}/firewall/compare`
  const rows: OutputRow[] = []
  const refusals: string[] = []
  for (const batch of batchesOf(requests)) {
    const body = { requests: batch.map(toDescribed), planned: true }
    const { result: found } = await api.call<WireFirewallComparison>('POST', path, body)
    for (const { index, old, new: fresh } of found.differences) {
      const { place, method, url } = at(batch, index)
      rows.push({
        place,
        method,
        url,
        old: old.action,
        old_rule: old.rule_id,
        new: fresh.action,
        new_rule: fresh.rule_id,
      })
    }
    for (const { index, problems } of found.rejected)
      refusals.push(`request ${at(batch, index).place} of the file: ${problems.join('; ')}`)
  }
  return { rows, refusals }
}

const toDescribed = ({ method, url, headers, body, ip }: RecordedRequest) => ({
  method,
  url,
  headers,
  body,
  ip,
})

function at(batch: readonly RecordedRequest[], index: number): RecordedRequest {
  const request = batch[index]
  if (request === undefined) throw new Error(`the server replied about request ${index}, which was not sent`)
  return request
}
