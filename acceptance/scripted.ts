// Suites that are scripts in another language: shows their output, and adds the counts of their closing line.
import { equal } from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { run } from '../scripts/process.ts'
import { missingOf } from '../scripts/requirements.ts'
import { countsIn } from '../scripts/test-counts.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

/** Runs `script` of this folder with BASE, TOKEN and DNS in its environment; it must end with "N passed, N failed". */
export async function runScripted(
  target: Target,
  report: Report,
  interpreter: string,
  script: string,
): Promise<void> {
  const environment = {
    BASE: `${target.http}/client/v4`,
    TOKEN: target.token,
    DNS: `${target.dns.host}:${target.dns.port}`,
  }
  const path = fileURLToPath(new URL(script, import.meta.url))
  const finished = await run(interpreter, [path], { env: environment })
  console.log(finished.output.replace(/\d+ passed, \d+ failed\n$/, '').trimEnd())
  const counts = countsIn(finished.output)
  if (counts === undefined) await report.check(`${script} ran to its end`, () => equal(finished.output, ''))
  else report.add(counts.passed, counts.failed)
}

/** The API by hand: only with curl and dig. */
export async function runShell(target: Target, report: Report): Promise<void> {
  const missing = missingOf(['curl', 'dig'])
  if (missing !== undefined) return report.skip('curl-dig.sh', missing.reason, missing.required)
  await runScripted(target, report, 'bash', 'curl-dig.sh')
}
