// Zone files: import and export through the SDK, and plan and apply at the prompt. DNS is queried after each step.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Cloudflare from 'cloudflare'
import type { RecordType } from 'dns-packet'
import { askUntil } from './dns-client.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

const ZONE = 'file.example.com'
const FILE = `$TTL 300
@ SOA ns1 hostmaster 1 2 3 4 5
www A 192.0.2.1 ; the web server cf_tags=team:web
www A 192.0.2.2
mail MX 10 www
odd TYPE65280 \\# 4 0A000001
`

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs every step. `launcher` is the program whose commands use `target`; `fetch` may record requests and replies. */
export async function runZoneFiles(
  target: Target,
  report: Report,
  { launcher, folder, fetch }: { launcher: string; folder: string; fetch: typeof globalThis.fetch },
): Promise<void> {
  const client = new Cloudflare({
    baseURL: `${target.http}/client/v4`,
    apiToken: target.token,
    maxRetries: 0,
    fetch,
  })
  let zoneId = ''
  await report.check('zone file: import through the SDK', async () => {
    const [account] = (await client.accounts.list()).result
    ok(account, 'there is an account')
    zoneId = (await client.zones.create({ account: { id: account.id }, name: ZONE, type: 'full' })).id
    const imported = await client.dns.records.import({ zone_id: zoneId, file: FILE, proxied: 'false' })
    deepEqual([imported.recs_added, imported.total_records_parsed], [4, 5])
    await askUntil(target.dns, `www.${ZONE}`, 'A', ({ answers }) => answers.length === 2)
  })
  await report.check('zone file: DNS answers a type without a mnemonic', async () => {
    const type = 'UNKNOWN_65280' as RecordType // the codec's name for an unknown type number
    await askUntil(target.dns, `odd.${ZONE}`, type, ({ answers }) => answers.length === 1)
  })
  await report.check('zone file: export through the SDK, with comments and tags', async () => {
    const text = await client.dns.records.export({ zone_id: zoneId })
    match(
      text,
      /^www\.file\.example\.com\.\t300\tIN\tA\t192\.0\.2\.1 ; the web server cf_tags=team:web,cf-proxied:false$/m,
    )
    match(text, /^odd\.file\.example\.com\.\t300\tIN\tTYPE65280\t\\# 4 0a000001$/m)
  })
  await runPrompt(target, report, { launcher, folder })
  await client.zones.delete({ zone_id: zoneId })
}

async function runPrompt(
  target: Target,
  report: Report,
  { launcher, folder }: { launcher: string; folder: string },
): Promise<void> {
  const file = join(folder, 'file.zone')
  const command = (...args: string[]) => runCommand(target, launcher, args)
  await report.check('zone file: an export at the prompt equals the zone', async () => {
    equal((await command('records', 'export', ZONE, '-o', file)).code, 0)
    deepEqual(await command('plan', ZONE, file), { code: 0, out: 'no changes\n', err: '' })
  })
  await report.check('zone file: a plan shows edits', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').replace('192.0.2.2', '192.0.2.3'))
    const { code, out } = await command('plan', ZONE, file)
    equal(code, 2)
    match(out, /^~ www\.file\.example\.com A\n {4}- 300 192\.0\.2\.2\n {4}\+ 300 192\.0\.2\.3\n/)
  })
  await report.check(
    'zone file: DNS answers an applied file, and a second apply changes nothing',
    async () => {
      equal((await command('apply', ZONE, file, '--yes')).code, 0)
      await askUntil(target.dns, `www.${ZONE}`, 'A', ({ answers }) =>
        answers.some((answer) => answer.endsWith('192.0.2.3')),
      )
      equal((await command('apply', ZONE, file, '--yes')).out, 'no changes\n')
      equal((await command('plan', ZONE, file)).code, 0)
    },
  )
  await report.check('zone file: a repeated import at the prompt finds all records present', async () => {
    const { code, out } = await command('records', 'import', ZONE, file)
    deepEqual([code, out], [0, 'added 0, already present 4, rejected 0\n'])
  })
}

async function runCommand(target: Target, launcher: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(launcher, args, {
    env: { ...process.env, ZONEREEVE_URL: `${target.http}/client/v4`, ZONEREEVE_TOKEN: target.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  await once(child, 'close')
  return { code: child.exitCode ?? -1, out, err }
}
