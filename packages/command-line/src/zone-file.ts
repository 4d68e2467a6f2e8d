// zonereeve plan and apply: compares a zone file with the served zone.
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { ApiError, type Api } from './api.ts'
import { askLine } from './confirm.ts'
import { withFormats, isJson, plainClient, runPlain, type Options } from './verb.ts'
import { isEmpty, planText, readPlan, type Counts, type Plan } from './zone-plan.ts'
import { findZone, type RemoteZone } from './zone-source.ts'

/** The exit code of a plan that has changes. */
export const HAS_CHANGES = 2
const PLAN_FORMATS = ['text', 'json']
/** Error codes that `force` overrides. */
const OVERRULED = new Set([19_824, 19_825])
const PRECONDITION_FAILED = 412
const CLAMP_TTL = 'lower TTLs above 86400 to 86400 instead of rejecting their records'

export function addZoneFileCommands(program: Command, exit: (code: number) => void): void {
  withFormats(plainClient(program.command('plan <zone> <file>')), PLAN_FORMATS)
    .description(
      'show what would change to make a zone match a zone file; exit code 0: nothing, 2: something, 1: error',
    )
    .option('--clamp-ttl', CLAMP_TTL)
    .action(
      runPlain(async (api, args, options) => {
        const { plan, obstacle } = await makePlan(api, args, options)
        show(plan, options)
        if (obstacle !== undefined) process.stderr.write(`note: apply needs --force: ${obstacle}\n`)
        if (!isEmpty(plan)) exit(HAS_CHANGES)
      }),
    )
  withFormats(plainClient(program.command('apply <zone> <file>')), PLAN_FORMATS)
    .description('make a zone match a zone file')
    .option('--force', 'allow changes to more than 30 % of the records')
    .option('--clamp-ttl', CLAMP_TTL)
    .option('--yes', 'do not ask for confirmation')
    .action(runPlain(apply))
}

interface MadePlan {
  readonly zone: RemoteZone
  readonly file: Uint8Array<ArrayBuffer>
  readonly plan: Plan
  /** Why it would be rejected without force. */
  readonly obstacle: string | undefined
}

async function makePlan(
  api: Api,
  [zoneName = '', path = '']: readonly string[],
  options: Options,
): Promise<MadePlan> {
  const zone = await findZone(api, zoneName)
  const file = new Uint8Array(await readFile(path))
  const put = (query: Query) => replace(api, zone, file, { ...query, ...clampQuery(options), dry_run: true })
  try {
    return { zone, file, plan: readPlan(await put({})), obstacle: undefined }
  } catch (error) {
    const obstacle =
      error instanceof ApiError ? error.issues.find(({ code }) => OVERRULED.has(code)) : undefined
    if (obstacle === undefined) throw error
    return { zone, file, plan: readPlan(await put({ force: true })), obstacle: obstacle.message }
  }
}

async function apply(api: Api, args: readonly string[], options: Options): Promise<void> {
  const { zone, file, plan, obstacle } = await makePlan(api, args, options)
  show(plan, options)
  if (isEmpty(plan)) return
  const force = options['force'] === true
  if (obstacle !== undefined && !force) throw new Error(`use --force to allow this: ${obstacle}`)
  if (options['yes'] !== true && !(await isConfirmed())) throw new Error('nothing was changed')
  try {
    await replace(api, zone, file, { force, ...clampQuery(options) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== PRECONDITION_FAILED) throw error
    throw new Error('the zone has changed since the plan was made; nothing was changed; run the plan again', {
      cause: error,
    })
  }
  process.stderr.write('applied\n')
}

type Query = Readonly<Record<string, boolean>>

const clampQuery = (options: Options): Query => (options['clampTtl'] === true ? { clamp_ttl: true } : {})

/** Conditional on the zone's entity tag, so that no concurrent change is overwritten. */
function replace(api: Api, zone: RemoteZone, file: Uint8Array<ArrayBuffer>, query: Query) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const headers = { 'content-type': 'text/dns', 'if-match': zone.etag }
  return api.send<Counts>('PUT', `/zonereeve/zones/${zone.id}/zone_file?${search}`, { body: file, headers })
}

function show(plan: Plan, options: Options): void {
  process.stdout.write(isJson(options) ? `${JSON.stringify(plan, undefined, 2)}\n` : planText(plan))
}

/** @throws Error without a terminal. */
async function isConfirmed(): Promise<boolean> {
  if (process.stdin.isTTY !== true)
    throw new Error('nothing was changed: without a terminal, --yes is needed to apply this plan')
  return /^y(es)?$/i.test(await askLine('apply this plan? [y/N] '))
}
