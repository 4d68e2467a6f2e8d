// Which kind of inventory entry a report is about, and whether the zone wants it to be reported.
import type { ViolationReport } from '@zonereeve/browser-reports'
import type { AlsoReported } from '@zonereeve/csp'
import type { Code, Detection, MonitoredZone } from '../page-shield/index.ts'

const SCRIPT_DIRECTIVES: ReadonlySet<string> = new Set([
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'worker-src',
])

/** What is reported only if the zone wants it. */
const LOAD_DIRECTIVES: ReadonlyMap<string, readonly [kind: Detection['kind'], option: AlsoReported]> =
  new Map([
    ['frame-src', ['frame', 'frames']],
    ['img-src', ['image', 'images']],
    ['form-action', ['form', 'forms']],
  ])

/** undefined = it is reported in any case. */
const OPTION_OF_CODE: Readonly<Record<Code['kind'], AlsoReported | undefined>> = {
  inline: 'inline',
  handler: 'inline',
  javascript_url: 'inline',
  eval: 'eval',
  wasm: 'eval',
  script: undefined,
  worker: undefined,
}

/** @returns undefined if the report is about nothing that this zone's inventory tracks. */
export function kindOf(
  { directive }: ViolationReport,
  { alsoReport }: MonitoredZone,
): Detection['kind'] | undefined {
  if (SCRIPT_DIRECTIVES.has(directive)) return 'script'
  if (directive === 'connect-src') return 'connection'
  const load = LOAD_DIRECTIVES.get(directive)
  return load !== undefined && alsoReport.includes(load[1]) ? load[0] : undefined
}

/** Whether code of a kind is reported in any case, or the zone wants it. */
export function isWantedCode({ kind }: Code, { alsoReport }: MonitoredZone): boolean {
  const option = OPTION_OF_CODE[kind]
  return option === undefined || alsoReport.includes(option)
}
