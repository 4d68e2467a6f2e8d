// The files in examples/, run as they are: only addresses, tokens and names of zones are those of this run.
import { deepEqual, equal, match } from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { run } from '../scripts/process.ts'
import { missingOf } from '../scripts/requirements.ts'
import type { ClientSession } from './clients/client-suite.ts'
import { runIssuance } from './clients/certificates.ts'
import { createClientToken } from './clients/client-token.ts'
import { ask } from './dns-client.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

const examples = fileURLToPath(new URL('../examples', import.meta.url))
const INSTALL = 'npm install --no-save --ignore-scripts "${ZONEREEVE_PACKAGE:-zonereeve}"'
const ZONE = 'examples.example.com'

/** @param launcher of the program that the jobs start, in the folder where it was installed. */
export async function runExamples(
  target: Target,
  launcher: string,
  report: Report,
  folder: string,
): Promise<void> {
  const own = join(folder, 'examples')
  mkdirSync(own)
  await report.check('examples/sdk/records.mjs', () => runSdkExample(target))
  await runCertbotExample(target, report, own)
  await runOctodnsExample(target, report, join(own, 'octodns'))
  const missing = missingOf(['curl', 'dig'])
  if (missing !== undefined) return report.skip('examples/ci', missing.reason, missing.required)
  for (const [name, commandsOf] of Object.entries(JOBS))
    await report.check(`examples/ci/${name}: its commands`, () =>
      runJob(name, commandsOf, launcher, join(own, name)),
    )
}

async function runSdkExample(target: Target): Promise<void> {
  const environment = { ZONEREEVE_URL: `${target.http}/client/v4`, ZONEREEVE_TOKEN: target.token, ZONE }
  const finished = await run(process.execPath, [join(examples, 'sdk/records.mjs')], { env: environment })
  equal(finished.ok, true, finished.output)
  deepEqual(finished.output.trimEnd().split('\n').toSorted(), [
    `A www.${ZONE} 192.0.2.1`,
    `MX ${ZONE} mail.${ZONE}`,
    `TXT ${ZONE} "v=spf1 mx -all"`,
  ])
  deepEqual((await ask(target.dns, `www.${ZONE}`, 'A')).answers, ['A 300 192.0.2.1'])
}

async function runCertbotExample(target: Target, report: Report, folder: string): Promise<void> {
  const missing = missingOf(['certbot-cloudflare', 'pebble', 'openssl'])
  if (missing !== undefined) return report.skip('examples/certbot', missing.reason, missing.required)
  const own = join(folder, 'certbot')
  mkdirSync(own)
  const { value: clientToken } = await createClientToken(target)
  const session: ClientSession = {
    target,
    clientToken,
    report,
    folder: own,
    vendorHost: () => Promise.reject(new Error('the example names its server')),
  }
  await runIssuance(session, {
    client: 'examples/certbot/issue.sh',
    zone: 'issue.example.com',
    issue: async (_, server, zone) => {
      const credentials = join(own, 'credentials.ini')
      writeFileSync(credentials, `dns_cloudflare_api_token = ${clientToken}\n`, { mode: 0o600 })
      const places = ['config', 'work', 'logs'].flatMap((name) => [`--${name}-dir`, join(own, name)])
      const finished = await run(
        join(examples, 'certbot/issue.sh'),
        [...places, '--server', server.directory],
        {
          env: {
            ZONEREEVE_URL: `${target.http}/client/v4`,
            ZONE: zone,
            CREDENTIALS: credentials,
            REQUESTS_CA_BUNDLE: server.authorityFile,
          },
        },
      )
      equal(finished.ok, true, finished.output)
      return join(own, `config/live/${zone}/cert.pem`)
    },
  })
}

/** The zone as files, and an edit of them. */
async function runOctodnsExample(target: Target, report: Report, folder: string): Promise<void> {
  const missing = missingOf(['octodns'])
  if (missing !== undefined) return report.skip('examples/octodns', missing.reason, missing.required)
  cpSync(join(examples, 'octodns'), folder, { recursive: true })
  const octodns = async (command: string, ...args: readonly string[]): Promise<string> => {
    const finished = await run(`octodns-${command}`, ['--config-file', 'octodns.yaml', ...args], {
      cwd: folder,
      env: { ZONEREEVE_URL: `${target.http}/client/v4`, ZONEREEVE_TOKEN: target.token },
    })
    equal(finished.ok, true, finished.output)
    return finished.output
  }
  const file = join(folder, 'zones/octodns.example.com.yaml')
  const answers = async () => (await ask(target.dns, 'www.octodns.example.com', 'A')).answers
  await report.check('examples/octodns: plan, apply, and nothing more to do', async () => {
    match(await octodns('sync'), /Creates=10, Updates=0, Deletes=0/)
    deepEqual(await answers(), [])
    await octodns('sync', '--doit')
    deepEqual(await answers(), ['A 300 192.0.2.1', 'A 300 192.0.2.2'])
    match(await octodns('sync', '--doit'), /No changes were planned/)
  })
  await report.check('examples/octodns: an edit of the file, and a dump of the zone', async () => {
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('192.0.2.2', '192.0.2.3')
        .replace(/^alias:\n.*\n.*\n/m, ''),
    )
    match(await octodns('sync', '--doit'), /Creates=0, Updates=1, Deletes=1/)
    deepEqual(await answers(), ['A 300 192.0.2.1', 'A 300 192.0.2.3'])
    await octodns('dump', '--output-dir', 'dumped', 'octodns.example.com.', 'zonereeve')
    const dumped = readFileSync(join(folder, 'dumped/octodns.example.com.yaml'), 'utf8')
    match(dumped, /certificate_usage: 3[^]*svcpriority: 1[^]*192\.0\.2\.3/)
    equal(dumped.includes('alias'), false)
  })
}

interface GithubWorkflow {
  readonly jobs: Readonly<
    Record<string, { readonly env: Environment; readonly steps: readonly GithubStep[] }>
  >
}
interface GithubStep {
  readonly run?: string
  readonly if?: string
}
interface GitlabJobs {
  readonly test: {
    readonly variables: Environment
    readonly before_script: readonly string[]
    readonly script: readonly string[]
  }
}
type Environment = Readonly<Record<string, string>>
type CommandsOf = (text: string) => {
  readonly environment: Environment
  readonly commands: readonly string[]
}

const JOBS: Readonly<Record<string, CommandsOf>> = {
  'github-actions.yml': (text) => {
    const { env, steps } = (parse(text) as GithubWorkflow).jobs['test'] ?? { env: {}, steps: [] } // as in the file
    const commands = steps.flatMap(({ run: script, if: condition }) =>
      script === undefined || condition === 'failure()' ? [] : [script],
    )
    return { environment: env, commands }
  },
  'gitlab-ci.yml': (text) => {
    const { variables, before_script: before, script } = (parse(text) as GitlabJobs).test // as in the file
    return { environment: variables, commands: [...before, ...script] }
  },
}

/** In one shell that fails at the first command that does. The package is there already, as after its installation. */
async function runJob(name: string, commandsOf: CommandsOf, launcher: string, folder: string): Promise<void> {
  mkdirSync(folder)
  symlinkSync(join(dirname(launcher), '..'), join(folder, 'node_modules'))
  const [http, dns] = [String(await freePort()), String(await freePort())]
  // In one pass: the free port may contain the other one.
  const text = readFileSync(join(examples, 'ci', name), 'utf8').replaceAll(/8053|5354/g, (port) =>
    port === '8053' ? http : dns,
  )
  const { environment, commands } = commandsOf(text)
  equal(commands.filter((command) => command.includes(INSTALL)).length, 1)
  match(commands.join('\n'), /zonereeve serve/)
  const script = [
    // npx does not pass a signal on: the server that it has started ends with the process group.
    `trap 'trap "" TERM; kill -- -$$; wait' EXIT`,
    ...commands.filter((command) => !command.includes(INSTALL)),
  ].join('\n')
  const finished = await run('setsid', ['bash', '-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: environment,
  })
  equal(finished.ok, true, finished.output)
}
