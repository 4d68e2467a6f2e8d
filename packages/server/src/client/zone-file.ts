// zonereeve plan and apply: a zone file against the zone that is served.
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { ApiError, type Api } from './api.ts'
import { plainClient, runPlain, type Options } from './verb.ts'
import { isEmpty, planText, readPlan, type Counts, type Plan } from './zone-plan.ts'
import { findZone, type RemoteZone } from './zone-source.ts'

/** The exit code of a plan that has changes. */
export const HAS_CHANGES = 2
/** Refusals that `force` overrules. */
const OVERRULED = new Set([19_824, 19_825])
const PRECONDITION_FAILED = 412

export function addZoneFileCommands(program: Command, exit: (code: number) => void): void {
  plainClient(program.command('plan <zone> <file>'))
    .description(
      'what would change if the records became those of a zone file: exit 0 nothing, 2 something, 1 error',
    )
    .option('--json', 'for programs')
    .action(
      runPlain(async (api, args, options) => {
        const { plan, obstacle } = await makePlan(api, args)
        show(plan, options)
        if (obstacle !== undefined) process.stderr.write(`note: apply needs --force: ${obstacle}\n`)
        if (!isEmpty(plan)) exit(HAS_CHANGES)
      }),
    )
  plainClient(program.command('apply <zone> <file>'))
    .description('make the records of a zone those of a zone file, as planned')
    .option('--force', 'however much of the zone it touches')
    .option('--yes', 'without asking')
    .option('--json', 'for programs')
    .action(runPlain(apply))
}

interface MadePlan {
  readonly zone: RemoteZone
  readonly file: Uint8Array<ArrayBuffer>
  readonly plan: Plan
  /** Why it would be refused unless it is forced. */
  readonly obstacle: string | undefined
}

async function makePlan(api: Api, [zoneName = '', path = '']: readonly string[]): Promise<MadePlan> {
  const zone = await findZone(api, zoneName)
  const file = new Uint8Array(await readFile(path))
  const put = (query: string) => replace(api, zone, file, `?dry_run=true${query}`)
  try {
    return { zone, file, plan: readPlan(await put('')), obstacle: undefined }
  } catch (error) {
    const obstacle =
      error instanceof ApiError ? error.issues.find(({ code }) => OVERRULED.has(code)) : undefined
    if (obstacle === undefined) throw error
    return { zone, file, plan: readPlan(await put('&force=true')), obstacle: obstacle.message }
  }
}

async function apply(api: Api, args: readonly string[], options: Options): Promise<void> {
  const { zone, file, plan, obstacle } = await makePlan(api, args)
  show(plan, options)
  if (isEmpty(plan)) return
  const force = options['force'] === true
  if (obstacle !== undefined && !force) throw new Error(`say --force if that is meant: ${obstacle}`)
  if (options['yes'] !== true && !(await isConfirmed())) throw new Error('nothing was changed')
  try {
    await replace(api, zone, file, force ? '?force=true' : '')
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== PRECONDITION_FAILED) throw error
    throw new Error('the zone has changed since the plan was made; nothing was changed, plan again', {
      cause: error,
    })
  }
  process.stderr.write('applied\n')
}

/** Under the tag of the zone as it was found, so that nothing else slips in between. */
function replace(api: Api, zone: RemoteZone, file: Uint8Array<ArrayBuffer>, query: string) {
  const headers = { 'content-type': 'text/dns', 'if-match': zone.etag }
  return api.send<Counts>('PUT', `/zonereeve/zones/${zone.id}/zone_file${query}`, { body: file, headers })
}

function show(plan: Plan, { json }: Options): void {
  process.stdout.write(json === true ? `${JSON.stringify(plan, undefined, 2)}\n` : planText(plan))
}

/** @throws Error where there is nobody to ask. */
async function isConfirmed(): Promise<boolean> {
  if (process.stdin.isTTY !== true) throw new Error('nobody is there to ask; say --yes to apply this plan')
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await asking.question('apply this plan? [y/N] ')
  asking.close()
  return /^y(es)?$/i.test(answer.trim())
}
