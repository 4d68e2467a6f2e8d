// zonereeve waf: the way from the previous managed rules to rulesets, and what it would change for requests.
import { readFile } from 'node:fs/promises'
import type { WireFirewallTrace, WireWafMigrationConfig } from '@zonereeve/contract'
import type { Command } from 'commander'
import { ApiError, type Api } from './api.ts'
import type { Row } from './output.ts'
import { readRecordedRequests, type RecordedRequest } from './recorded-requests.ts'
import { client, plainClient, result, run, runPlain } from './verb.ts'

/** The exit code of a comparison that found differences. */
const DIFFERS = 2
/** Of requests that the server refused, at most so many are told. */
const MAX_REFUSALS_SHOWN = 5
/** Requests under way at a time. */
const AT_ONCE = 4
const ENTRY_POINT = 'rulesets/phases/http_request_firewall_managed/entrypoint'

/** @param exit sets the exit code of a command that has succeeded. */
export function addWafCommands(program: Command, exit: (code: number) => void): void {
  const waf = program.command('waf').description('leave the previous managed rules for rulesets')
  client(waf.command('check <zone>'))
    .description('whether a zone can be migrated, and what is in the way')
    .action(
      run(async (api, [zone = ''], print) =>
        print([await get(api, zone, 'check?phase_two=1')], ['compatible', 'migration_state']),
      ),
    )
  client(waf.command('status <zone>'))
    .description('which managed rules a zone has')
    .action(
      run(async (api, [zone = ''], print) =>
        print([await get(api, zone, 'status')], ['migration_state', 'old_waf', 'new_waf']),
      ),
    )
  plainClient(waf.command('config <zone>'))
    .description('the entry point that does what the previous managed rules do, as JSON')
    .action(
      runPlain(async (api, [zone = '']) => {
        const config = await get(api, zone, 'config?phase_two=1')
        process.stdout.write(`${JSON.stringify(config, null, 2)}\n`)
      }),
    )
  client(waf.command('migrate <zone>'))
    .description('deploy that entry point and leave the previous managed rules, for good')
    .option('--validation', 'keep both for now (enterprise zones)')
    .option('--dry-run', 'tell what would be refused')
    .action(
      run(async (api, [zone = ''], print, { validation, dryRun }) => {
        const config = (await get(api, zone, 'config?phase_two=1')) as unknown as WireWafMigrationConfig // of its schema
        const step = validation === true ? 'validation' : 'pending'
        const rehearsed = dryRun === true ? '&dry_run=true' : ''
        const query = `waf_migration=${step}&phase_two=1${rehearsed}`
        await result(api, 'PUT', `/zones/${await api.zoneId(zone)}/${ENTRY_POINT}?${query}`, config)
        print([await get(api, zone, 'status')], ['migration_state', 'old_waf', 'new_waf'])
      }),
    )
  client(waf.command('compare <zone> <file>'))
    .description(
      'requests of a HAR file or an access log (combined format) that the migration would decide differently: exit 0 none, 2 some, 1 error',
    )
    .option('--host <host>', 'host of an access log that names none (usual: the zone)')
    .action(
      run(async (api, [zone = '', file = ''], print, { host }) => {
        const name = await nameOf(api, zone)
        const usual = typeof host === 'string' ? host : name
        if (!isWithin(`https://${usual}/`, name))
          throw new Error(`--host "${usual}": must be ${name}, or a name below it`)
        const read = readRecordedRequests(await readFile(file, 'utf8'), usual)
        const requests = read.requests.filter(({ url }) => isWithin(url, name))
        const elsewhere = read.requests.length - requests.length
        const leftOut = `${elsewhere} of other hosts, ${read.unread} not understood`
        if (requests.length === 0) throw new Error(`${file} has no request to compare: ${leftOut}`)
        const { rows, refusals } = await compare(api, await api.zoneId(zone), requests)
        print(rows, ['place', 'method', 'url', 'old', 'old_rule', 'new', 'new_rule'])
        const compared = requests.length - refusals.length
        process.stderr.write(
          `note: ${compared} requests compared, ${rows.length} differ; ${leftOut}, ${refusals.length} refused\n`,
        )
        if (refusals.length > 0) throw new Error(refusals.slice(0, MAX_REFUSALS_SHOWN).join('\n'))
        if (rows.length > 0) exit(DIFFERS)
      }),
    )
}

const get = async (api: Api, zone: string, rest: string): Promise<Row> =>
  result(api, 'GET', `/zones/${await api.zoneId(zone)}/waf_migration/${rest}`)

async function nameOf(api: Api, zone: string): Promise<string> {
  const { result: found } = await api.call<{ readonly name: string }>(
    'GET',
    `/zones/${await api.zoneId(zone)}`,
  )
  return found.name
}

/** Pages load from everywhere: only the zone's own hosts are decided about here. */
function isWithin(url: string, zone: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === zone || host.endsWith(`.${zone}`)
}

/** What the previous rules call their actions, as the new ones do. */
const NEW_NAMES = { block: 'block', challenge: 'managed_challenge', simulate: 'log', pass: 'allow' } as const

interface Comparison {
  /** Those that differ, in their order. */
  readonly rows: readonly Row[]
  /** What the server said of requests that it could not take. */
  readonly refusals: readonly string[]
}

async function compare(api: Api, zoneId: string, requests: readonly RecordedRequest[]): Promise<Comparison> {
  const path = `/zonereeve/zones/${zoneId}/firewall/trace`
  const rows: Row[] = []
  const refusals: string[] = []
  for (let start = 0; start < requests.length; start += AT_ONCE) {
    const found = await Promise.all(
      requests.slice(start, start + AT_ONCE).map(async ({ place, ...request }) => {
        const body = { ...request, planned: true, steps: 'matched' }
        const trace = await api.call<WireFirewallTrace>('POST', path, body).catch((error: unknown) => {
          // One request that no server would take must not hide what the others show.
          if (!(error instanceof ApiError) || error.status !== 400) throw error
          refusals.push(`request ${place} of the file: ${error.message}`)
        })
        if (trace === undefined) return []
        const { old, new: fresh } = trace.result
        const logged = fresh.steps.find(({ action }) => action === 'log')
        const decidedBy = fresh.ended_by ?? logged
        const newAction = decidedBy === logged && logged !== undefined ? 'log' : fresh.action
        if (NEW_NAMES[old.action] === newAction) return []
        return [
          {
            place,
            method: request.method,
            url: request.url,
            old: NEW_NAMES[old.action],
            old_rule: old.rule_id,
            new: newAction,
            new_rule: decidedBy?.rule_id ?? null,
          },
        ]
      }),
    )
    rows.push(...found.flat())
  }
  return { rows, refusals }
}
