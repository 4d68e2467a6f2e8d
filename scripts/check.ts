// npm run check: format, lint, types, dependency rules, dead code. `npm run check -- types lint` runs only those.
import { inParallel, run, type Finished } from './process.ts'

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Returns a summary line of a passing step's output, or the reason why the step did not really pass. */
  readonly verify?: (output: string) => { readonly note: string } | { readonly problem: string }
}

const types = (project: string): Step => ({
  name: `types ${project}`,
  command: [
    'tsc',
    '--project',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `node_modules/.cache/tsc/${project.replaceAll('/', '-')}.json`,
  ],
})

const steps: readonly Step[] = [
  // The pure packages are also checked alone, without @types/node, so that Buffer or process is an error there.
  types('.'),
  types('packages/dns'),
  types('packages/expr'),
  types('packages/seclang'),
  types('packages/csp'),
  types('packages/contract'),
  types('packages/audit'),
  types('packages/cooperate'),
  types('packages/firewall'),
  // The code for browsers, with the DOM and without Node.
  types('packages/dashboard'),
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'docs', command: ['tsx', 'scripts/coverage.ts', '--check'] },
  { name: 'compatibility', command: ['tsx', 'scripts/compatibility.ts', '--check'] },
  { name: 'figures', command: ['tsx', 'scripts/figures.ts', '--check'] },
  { name: 'links', command: ['tsx', 'scripts/links.ts'] },
  { name: 'style', command: ['tsx', 'scripts/style.ts'] },
  { name: 'style names', command: ['tsx', 'scripts/glossary.ts'] },
  {
    name: 'arch',
    command: ['depcruise', 'packages', 'acceptance', 'bench', '--config', '.dependency-cruiser.cjs'],
    verify: countModules,
  },
  { name: 'dead', command: ['knip'] },
]

/** dependency-cruiser also passes if it finds no modules (it did, with a TypeScript version it cannot use). */
function countModules(output: string): { readonly note: string } | { readonly problem: string } {
  const counted = /\((\d+) modules, (\d+) dependencies cruised\)/.exec(output)
  if (counted === null || Number(counted[1]) === 0 || Number(counted[2]) === 0) {
    return { problem: 'no modules were cruised, so nothing was checked' }
  }
  return { note: `${counted[1]} modules, ${counted[2]} dependencies` }
}

async function perform(step: Step): Promise<boolean> {
  const [command, ...args] = step.command
  const finished = await run(`node_modules/.bin/${command}`, args)
  const verdict = finished.ok ? step.verify?.(finished.output) : { problem: 'failed' }
  const passed = verdict === undefined || 'note' in verdict
  report(
    step,
    finished,
    passed,
    verdict === undefined ? '' : 'note' in verdict ? verdict.note : verdict.problem,
  )
  return passed
}

function report(step: Step, finished: Finished, passed: boolean, note: string): void {
  const line = `${passed ? 'ok  ' : 'FAIL'} ${step.name.padEnd(24)} ${finished.seconds.toFixed(1).padStart(5)} s  ${note}`
  console.log(line.trimEnd())
  if (passed) return
  console.log(`     $ ${step.command.join(' ')}`)
  console.log(finished.output.trimEnd().replaceAll(/^/gm, '     '))
}

const expected = process.argv.slice(2)
const chosen = steps.filter(
  (step) =>
    expected.length === 0 || expected.some((word) => step.name.split(' ')[0] === word || step.name === word),
)
if (chosen.length === 0) {
  console.error(`no such step; steps: ${steps.map((step) => step.name).join(', ')}`)
  process.exitCode = 2
} else {
  const results = await inParallel(
    2,
    chosen.map((step) => () => perform(step)),
  )
  const failed = results.filter((passed) => !passed).length
  console.log(`check: ${results.length - failed} of ${results.length} steps passed`)
  process.exitCode = failed === 0 ? 0 : 1
}
