// zonereeve import account: brings zones, lists and rules along from another server with the same API.
import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  countOutcomes,
  findAccount,
  importAccount,
  parseSnapshot,
  readAccount,
  findUndone,
  withPatience,
  type AccountSnapshot,
  type Connection,
  type Outcome,
} from '@zonereeve/account-import'
import type { Command } from 'commander'
import { ApiError, createApi, type Api } from './api.ts'
import { ClientConfigError, readBaseUrl, readSourceToken } from './client-config.ts'
import { requireConfirmation } from './confirm.ts'
import { FORMATS, formatRows, type OutputRow } from './output.ts'
import { createProgress } from './progress.ts'
import { connect, formatOf, plainClient, withFormats, type Options } from './verb.ts'

const COLUMNS = ['zone', 'object', 'create', 'update', 'unchanged', 'left out']
const LEFT_OUT_COLUMNS = ['zone', 'object', 'name', 'reason']
const FAILED = 1
const MILLIS = 1_000

export function addImportCommands(program: Command, exit: (code: number) => void): void {
  const command = program.command('import').description('bring data along from elsewhere').command('account')
  withFormats(plainClient(command), FORMATS)
    .description(
      'bring an account along from another server with the same API: zones, records, settings, rules, lists, policies; nothing is deleted, and it may be repeated',
    )
    .requiredOption(
      '--from <url|file>',
      'base URL of the other API, with its token in $ZONEREEVE_SOURCE_TOKEN (or $ZONEREEVE_SOURCE_TOKEN_FILE); or a file of --save',
    )
    .option('--account <id|name>', 'account at the source (default: the only one)')
    .option('--into <id|name>', 'account here (default: the only one)')
    .option('--only <zone...>', 'only these zones; may be repeated')
    .option('--save <file>', 'write what was read into a file, and import nothing')
    .option('--replace', 'replace the rules of rulesets that exist here with other rules')
    .option('--dry-run', 'show the plan, and import nothing')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: ImportFlags) => exit(await importCommand(options)))
}

interface ImportFlags extends Options {
  readonly from: string
  readonly account?: string
  readonly into?: string
  readonly save?: string
}

/** @returns the exit code: failed if something that the plan had promised was left out. */
async function importCommand(options: ImportFlags): Promise<number> {
  if (options.save !== undefined) {
    await saveSnapshot(options.save, await readSource(options))
    return 0
  }
  const target = patient(connect(options), 'this server')
  const snapshot = await readSource(options)
  const account = String((await findAccount(target, options.into))['id'])
  const planned = await runImport(snapshot, target, { account, isPlan: true, options })
  if (options['dryRun'] === true) {
    print(planned, options)
    return 0
  }
  process.stderr.write(planText(planned))
  const pending = planned.filter(({ action }) => action === 'create' || action === 'update')
  if (pending.length > 0) {
    const action = `import ${count(pending.length, 'object')} into the account ${account}`
    await requireConfirmation({ action, expected: 'import', yes: options['yes'] })
  }
  const done = await runImport(snapshot, target, { account, isPlan: false, options })
  print(done, options)
  const refused = findUndone(planned, done).length
  if (refused > 0) process.stderr.write(`${count(refused, 'object')} of the plan could not be imported\n`)
  return refused > 0 ? FAILED : 0
}

async function readSource(options: ImportFlags): Promise<AccountSnapshot> {
  const only = options['only'] as readonly string[] | undefined // commander collects them
  const zones = only ?? [] // all
  if (!/^https?:/.test(options.from)) {
    const snapshot = readSnapshot(options.from)
    const unknown = zones.find((name) => !snapshot.zones.some(({ zone }) => zone['name'] === name))
    if (unknown !== undefined) throw new Error(`the file has no zone ${unknown}`)
    return zones.length === 0
      ? snapshot
      : { ...snapshot, zones: snapshot.zones.filter(({ zone }) => zones.includes(String(zone['name']))) }
  }
  const { baseUrl } = readBaseUrl(options.from)
  const source = patient(createApi({ baseUrl, token: readSourceToken() }), 'the source')
  const progress = createProgress(process.stderr)
  try {
    return await readAccount(source, { account: options.account, zones, onProgress: progress.at })
  } finally {
    progress.end()
  }
}

function readSnapshot(path: string): AccountSnapshot {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ClientConfigError(`--from ${path}`, { cause: error })
  }
  try {
    return parseSnapshot(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`--from ${path}: ${message}`, { cause: error })
  }
}

/** Complete or not at all: an interrupted write leaves no half of a file. */
async function saveSnapshot(path: string, snapshot: AccountSnapshot): Promise<void> {
  const partial = `${path}.${process.pid}`
  try {
    await writeFile(partial, `${JSON.stringify(snapshot)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
  for (const { zone, part, reason } of snapshot.unread)
    process.stderr.write(`not read: ${zone === null ? '' : `${zone}: `}${part}: ${reason}\n`)
  process.stderr.write(
    `${path}: ${count(snapshot.zones.length, 'zone')}, ${count(snapshot.lists.length, 'list')}\n`,
  )
}

async function runImport(
  snapshot: AccountSnapshot,
  target: Connection,
  {
    account,
    isPlan,
    options,
  }: { readonly account: string; readonly isPlan: boolean; readonly options: Options },
): Promise<readonly Outcome[]> {
  const progress = createProgress(process.stderr)
  try {
    const isReplacing = options['replace'] === true
    return await importAccount(snapshot, { target, account, isPlan, isReplacing, onProgress: progress.at })
  } finally {
    progress.end()
  }
}

const patient = (api: Api, server: string): Connection =>
  withPatience(connectionOf(api), async (seconds) => {
    process.stderr.write(`${server} limits requests: goes on in ${seconds} seconds\n`)
    await sleep(seconds * MILLIS)
  })

function connectionOf(api: Api): Connection {
  return {
    async send(method, path, body) {
      try {
        const { result, result_info: info } = await api.call<unknown>(method, path, body)
        return { ok: true, result, info: info as Readonly<Record<string, unknown>> | undefined } // a plain object
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return { ok: false, status: error.status, issues: error.issues }
      }
    },
  }
}

const leftOut = (outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.filter(({ action }) => action === 'left out')

const summaryRows = (outcomes: readonly Outcome[]): readonly OutputRow[] =>
  countOutcomes(outcomes).map(({ zone, object, counts }) => ({ zone, object, ...counts }))

const leftOutRows = (outcomes: readonly Outcome[]): readonly OutputRow[] =>
  leftOut(outcomes).map((row) => ({ ...row }))

function planText(planned: readonly Outcome[]): string {
  const left = leftOutRows(planned)
  const table = formatRows(summaryRows(planned), COLUMNS, 'table')
  return left.length === 0
    ? table
    : `${table}\nwithout counterpart here:\n${formatRows(left, LEFT_OUT_COLUMNS, 'table')}`
}

/** A table counts objects and says what was left out; the other formats have every object with its identifiers. */
function print(outcomes: readonly Outcome[], options: Options): void {
  const format = formatOf(options)
  const columns = ['zone', 'object', 'name', 'action', 'reason', 'source_id', 'target_id']
  process.stdout.write(
    format === 'table'
      ? planText(outcomes)
      : formatRows(
          outcomes.map((row) => ({ ...row })),
          columns,
          format,
        ),
  )
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
