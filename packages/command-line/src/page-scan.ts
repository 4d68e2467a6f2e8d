// zonereeve scan-page: opens a page in a Chromium of this machine, and records what it loads.
import { isIP } from 'node:net'
import type { Command } from 'commander'
import type { WireRecordedScan } from '@zonereeve/contract'
import { scanPage } from '@zonereeve/page-scanner'
import { createAddressGuard, systemHostAddresses, type HostAddresses } from '@zonereeve/safe-fetch'
import type { Api } from './api.ts'
import { environmentForBrowser } from './client-config.ts'
import type { OutputRow } from './output.ts'
import { client, run } from './verb.ts'

const PORTS = [80, 443]

export function addScanCommand(program: Command): void {
  client(program.command('scan-page <url>'))
    .description(
      'open a page in a Chromium of this machine (by playwright-core) and record its scripts, connections, frames, cookies and headers',
    )
    .option('--chromium <path>', 'the browser (default: the first on the search path)')
    .option('--allow-networks <networks>', 'private networks (CIDR, separated by commas) that may be reached')
    .option('--resolve <host:address>', 'address of a host that DNS does not have, such as a staging site')
    .option('--any-port', 'allow other ports than 80 and 443')
    .option('--no-sandbox', 'start Chromium without its sandbox, as in some containers; always so for root')
    .option('--dry-run', 'list what the page loads, and record nothing')
    .action(
      run(async (api, [url = ''], print, options) => {
        const zoneId = await zoneOf(api, url)
        const networks = typeof options['allowNetworks'] === 'string' ? options['allowNetworks'] : ''
        const found = await stoppable((signal) =>
          scanPage(
            url,
            {
              chromium: typeof options['chromium'] === 'string' ? options['chromium'] : undefined,
              environment: environmentForBrowser(),
              hasSandbox: options['sandbox'] !== false && process.getuid?.() !== 0,
              mayConnect: createAddressGuard(networks.split(',').filter((network) => network !== '')),
              hostAddresses: addressesOf(options['resolve']),
              ports: options['anyPort'] === true ? 'any' : PORTS,
            },
            signal,
          ),
        )
        const { finalUrl, headers, scripts, connections, frames, setCookie, scriptCookies } = found
        print(
          [
            ...scripts.map((one) => row('script', one)),
            ...connections.map((one) => row('connection', one)),
            ...frames.map((one) => row('frame', one)),
            ...setCookie.map((one) => row('cookie', one)),
            ...scriptCookies.map((one) => row('script_cookie', one)),
            ...headers.map(([name, value]) => row('header', `${name}: ${value}`)),
            ...found.refused.map(([host, reason]) => row('refused', `${host} (${reason})`)),
          ],
          ['kind', 'value'],
        )
        if (found.omitted > 0) note(`${found.omitted} loads beyond the limit are left out`)
        if (options['dryRun'] === true) return
        const { result } = await api.call<WireRecordedScan>(
          'POST',
          `/zonereeve/zones/${zoneId}/page_shield/scans`,
          {
            url,
            final_url: finalUrl,
            headers: headers.map(([name, value]) => ({ name, value })),
            scripts,
            connections,
            frames,
            set_cookie: setCookie,
            script_cookies: scriptCookies,
          },
        )
        const history = result.watched ? 'and in the history of the watched page' : 'the page is not watched'
        note(
          `recorded: ${result.scripts} scripts, ${result.connections} connections, ${result.frames} frames, ${result.cookies} cookies; ${history}`,
        )
      }),
    )
}

/** A signal ends the browser first, and the command with an error; a second one ends it at once. */
async function stoppable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    return await work(stopping.signal)
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @throws Error: the option has another form. */
function addressesOf(given: unknown): HostAddresses {
  if (typeof given !== 'string') return systemHostAddresses
  const [, host = '', address = ''] = /^([^:]+):\[?([^\]]+)\]?$/.exec(given) ?? []
  if (isIP(address) === 0)
    throw new Error(`--resolve "${given}": must be a host and its address, like www.example.com:192.0.2.1`)
  return async (name, signal) => (name === host ? [address] : systemHostAddresses(name, signal))
}

const row = (kind: string, value: string): OutputRow => ({ kind, value })
const note = (text: string): void => void process.stderr.write(`note: ${text}\n`)

/** The zone with the longest name that the host of the page is in. @throws Error. */
async function zoneOf(api: Api, url: string): Promise<string> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(`${url}: must be an http or https URL, like https://www.example.com/checkout`)
  const labels = new URL(url).hostname.split('.')
  for (let first = 0; first < labels.length - 1; first += 1) {
    const name = labels.slice(first).join('.')
    const { result } = await api.call<{ id: string }[]>('GET', `/zones?name=${encodeURIComponent(name)}`)
    if (result[0] !== undefined) return result[0].id
  }
  throw new Error(`${new URL(url).hostname} is in no zone of this server`)
}
