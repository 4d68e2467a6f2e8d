// Figures about processes and samples.
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Linux counts process time in ticks of this length on every architecture that Node supports. */
const TICKS_PER_SECOND = 100

/** User and system time of a process with all threads and its children (NSD answers from a child), in seconds. */
export function cpuSeconds(pid: number): number {
  const own = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = own.slice(own.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), ticks / TICKS_PER_SECOND)
}

/** The same in µs, exact: the scheduler counts nanoseconds for each thread. Threads that have ended are left out. */
export function cpuMicros(pid: number): number {
  const nanos = readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]))
    .reduce((sum, one) => sum + one, 0)
  return childrenOf(pid).reduce((sum, child) => sum + cpuMicros(child), nanos / 1000)
}

/** Resident memory of a process and its children in MiB; shared pages count for each process. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
  return childrenOf(pid).reduce((sum, child) => sum + residentMib(child), own)
}

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return listed === '' ? [] : listed.split(' ').map(Number)
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5)
}

/** Quantile: the sample below which the fraction `share` (0..1) of all samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** One line that describes the machine of the figures. */
export function machineClass(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown CPU'
  const memory =
    Number(/^MemTotal:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) / 1024 / 1024
  return `${cpus().length} x ${model}, ${memory.toFixed(0)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`
}

/** Prints rows as a Markdown table, ready for docs/performance.md. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  console.log(line(head))
  console.log(line(head.map((_, index) => (index === 0 ? '---' : '--:'))))
  for (const row of rows) console.log(line(row))
}
