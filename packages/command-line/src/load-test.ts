// zonereeve loadtest: how the caller's own server answers under load.
import { lookup } from 'node:dns/promises'
import {
  type DnsQuestion,
  loadDns,
  loadRequests,
  MAX_CLIENTS,
  MAX_RATE,
  MAX_SECONDS,
  requireOwnHost,
} from '@zonereeve/load-test'
import type { Command } from 'commander'
import { ApiError, type Api } from './api.ts'
import { integerOf } from './numbers.ts'
import type { OutputRow } from './output.ts'
import { client, run, zoneNamed, type Options } from './verb.ts'

const COLUMNS = ['of', 'sent', 'answered', 'per_second', 'problems', 'p50_ms', 'p95_ms', 'p99_ms', 'max_ms']
const QUESTIONS = 1_000
const DNS_PORT = 53
const MAX_PORT = 65_535
const FAILED = 1
/** Types that are answered as they are stored, whatever the zone's settings are. */
const ASKED = ['A', 'AAAA', 'MX', 'TXT', 'CAA', 'SRV']

export function addLoadTestCommand(program: Command, exit: (code: number) => void): void {
  client(program.command('loadtest <zone>'))
    .description('ask your own server about a zone at a rate, and print losses, wrong answers and latencies')
    .option(
      '--dns <host[:port]>',
      'its nameserver: loopback, or the host of the API (default: port 53 of that)',
    )
    .option(
      '--rate <number>',
      `DNS queries a second, at most ${MAX_RATE}; 0 = none`,
      integerOf(0, MAX_RATE),
      1_000,
    )
    .option(
      '--clients <number>',
      `clients of the API, at most ${MAX_CLIENTS}; 0 = none`,
      integerOf(0, MAX_CLIENTS),
      4,
    )
    .option(
      '--seconds <number>',
      `duration of each part, at most ${MAX_SECONDS}`,
      integerOf(1, MAX_SECONDS),
      10,
    )
    .action(
      run(async (api, [zone = ''], print, options) => {
        const rows = await test(api, zone, options)
        print(rows, COLUMNS)
        if (rows.some(hasProblems)) exit(FAILED)
      }),
    )
}

const hasProblems = ({ problems }: OutputRow): boolean => JSON.stringify(problems) !== '{}'

async function test(api: Api, given: string, options: Options): Promise<readonly OutputRow[]> {
  const [rate, clients, seconds] = [options['rate'], options['clients'], options['seconds']].map(Number)
  if (rate === undefined || clients === undefined || seconds === undefined)
    throw new Error('an option has no default')
  const apiHost = new URL(api.baseUrl).hostname
  const { host, port } = readTarget(typeof options['dns'] === 'string' ? options['dns'] : apiHost)
  requireOwnHost(host, apiHost)
  const zone = await zoneNamed(api, given)
  const questions = await questionsOf(api, zone)
  const rows: OutputRow[] = []
  if (rate > 0) {
    const { address } = await lookup(host)
    const { sent, answered, lost, wrong, perSecond, latencies } = await loadDns({
      host: address,
      port,
      zone: zone.name,
      questions,
      rate,
      seconds,
    })
    const problems = { ...wrong, ...(lost === 0 ? {} : { lost }) }
    rows.push({ of: 'dns', sent, answered, per_second: perSecond, problems, ...millisOf(latencies) })
  }
  if (clients > 0) {
    const request = async (): Promise<string | undefined> => {
      try {
        await api.call('GET', `/zones/${zone.id}/dns_records?per_page=20`)
        return undefined
      } catch (error) {
        return error instanceof ApiError ? `status ${error.status}` : 'no answer'
      }
    }
    const { requests, failures, perSecond, latencies } = await loadRequests({ clients, seconds, request })
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0)
    rows.push({
      of: 'api',
      sent: requests,
      answered: requests - failed,
      per_second: perSecond,
      problems: failures,
      ...millisOf(latencies),
    })
  }
  return rows
}

/** Names with records, and the apex. Wildcards and names below delegations may be answered by others. */
async function questionsOf(
  api: Api,
  zone: { readonly id: string; readonly name: string },
): Promise<readonly DnsQuestion[]> {
  const found = await api.call<readonly DnsQuestion[]>(
    'GET',
    `/zones/${zone.id}/dns_records?type=${ASKED.join(',')}&per_page=${QUESTIONS}`,
  )
  const named = found.result
    .filter(({ name }) => !name.startsWith('*'))
    .map(({ name, type }) => ({ name, type }))
  return [{ name: zone.name, type: 'SOA' }, ...named]
}

/** An address or a name, perhaps with a port: `192.0.2.1:53`, `[2001:db8::1]:53`. */
function readTarget(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] =
    /^(?:\[([^\]]+)\]|([^:]+|[^:]*:[^:]*:.*?))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port ?? DNS_PORT) > MAX_PORT)
    throw new Error(`--dns must be a host, perhaps with a port, like 127.0.0.1:53; got ${text}`)
  return { host, port: Number(port ?? DNS_PORT) }
}

const millisOf = (latencies: Readonly<Record<'p50' | 'p95' | 'p99' | 'max', number>>): OutputRow =>
  Object.fromEntries(
    Object.entries(latencies).map(([name, value]) => [`${name}_ms`, Math.round(value * 100) / 100]),
  )
