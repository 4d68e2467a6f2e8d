// One pass of dnsperf against a server: the number of answers, and their cost.
import { run } from '../scripts/process.ts'
import { cpuSeconds } from './measure.ts'
import { onLoadCpu } from './peers.ts'

const OUTSTANDING = 100

export interface Pass {
  readonly perSecond: number
  readonly perCpuSecond: number
  readonly latencyMs: number
  readonly lost: number
  /** "NOERROR 95.00%, NXDOMAIN 5.00%": must be equal for all servers, or they do not do the same work. */
  readonly codes: string
}

/** Load: queries for a number of seconds, or every query once. */
export type Load = { readonly seconds: string } | 'once'

export interface Asked {
  readonly pid: number
  readonly dnsPort: number
}

/** @param options `-D` requests signatures. */
export async function askSteadily(
  { pid, dnsPort }: Asked,
  questionsPath: string,
  load: Load,
  options: readonly string[] = [],
): Promise<Pass> {
  const before = cpuSeconds(pid)
  const [command = '', ...args] = onLoadCpu
  const until = load === 'once' ? ['-n', '1'] : ['-l', load.seconds]
  const from = ['-s', '127.0.0.1', '-p', String(dnsPort), '-d', questionsPath, ...until]
  const clients = ['-q', String(OUTSTANDING), '-c', '4', '-T', '1']
  const finished = await run(command, [...args, 'dnsperf', ...from, ...clients, ...options])
  if (!finished.ok) throw new Error(finished.output)
  const used = cpuSeconds(pid) - before
  const completed = numberIn(finished.output, /Queries completed:\s+(\d+)/)
  return {
    perSecond: numberIn(finished.output, /Queries per second:\s+([\d.]+)/),
    perCpuSecond: completed / used,
    latencyMs: numberIn(finished.output, /Average Latency \(s\):\s+([\d.]+)/) * 1000,
    lost: numberIn(finished.output, /Queries lost:\s+(\d+)/),
    codes:
      /Response codes:\s+(.*)/.exec(finished.output)?.[1]?.replaceAll(/ \d+ \(([\d.]+)%\)/g, ' $1%') ?? '',
  }
}

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`the output of dnsperf does not match ${String(pattern)}\n${text}`)
  return Number(found)
}
