// What the system allows a process: low ports, open files; and whether its clock can be right.
import { readFileSync } from 'node:fs'
import { inOrder, problem, warning, type Finding } from './finding.ts'

const FIRST_FREE_PORT = 1024
/** CAP_NET_BIND_SERVICE in the mask of capabilities(7). */
const BIND_SERVICE = 1n << 10n
const MIN_OPEN_FILES = 4_096

/** Empty if the system has no such file. */
type ReadFile = (path: string) => string

/** @param ports by the name of their setting */
export function examinePorts(ports: Readonly<Record<string, number>>, read: ReadFile = readText): Finding[] {
  const configured = read('/proc/sys/net/ipv4/ip_unprivileged_port_start').trim()
  const first = configured === '' ? FIRST_FREE_PORT : Number(configured)
  const low = Object.entries(ports).filter(([, port]) => port > 0 && port < first)
  const mask = /^CapEff:\s*([0-9a-f]+)/m.exec(read('/proc/self/status'))?.[1]
  const mayBind = mask !== undefined && (BigInt(`0x${mask}`) & BIND_SERVICE) !== 0n
  return low.map(([setting, port]) => {
    const examined = { check: 'ports', subject: `${setting} ${port}` }
    return mayBind
      ? inOrder(examined, 'this process may use it')
      : warning(
          examined,
          'a process like this one may not use it',
          'run it by the systemd unit, or: setcap cap_net_bind_service=+ep on the Node beside the program',
        )
  })
}

export function examineOpenFiles(read: ReadFile = readText): Finding[] {
  const limit = /^Max open files +(\d+)/m.exec(read('/proc/self/limits'))?.[1]
  if (limit === undefined) return []
  const examined = { check: 'open files', subject: 'limit of this process' }
  return Number(limit) >= MIN_OPEN_FILES
    ? [inOrder(examined, limit)]
    : [
        warning(
          examined,
          `${limit} is low: fewer connections are served`,
          `LimitNOFILE=65536 in the unit, or ulimit -n 65536`,
        ),
      ]
}

/** @param newest time of the newest change in the database; undefined if there is none */
export function examineClock(now: Date, newest: Date | undefined): Finding {
  const examined = { check: 'clock', subject: now.toISOString() }
  const remedy = 'synchronize the clock (timedatectl set-ntp true): signatures and tokens depend on it'
  if (newest !== undefined && newest.getTime() > now.getTime() + 60_000)
    return problem(examined, `the newest change is from ${newest.toISOString()}, which is later`, remedy)
  return inOrder(examined, 'is not before the newest change')
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // not Linux, or not allowed
  }
}
