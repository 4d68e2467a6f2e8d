// Starts real browsers with a fresh profile and one URL. What they did is checked by what the servers received.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequirementName } from '../../scripts/requirements.ts'
import type { Certificate } from './certificate.ts'
import { NAMES_OF_SITES } from './site.ts'

export interface Browser {
  /** Name of the engine in packages/csp. */
  readonly engine: 'chromium' | 'firefox'
  /** Command; also its name in scripts/requirements.ts. */
  readonly program: RequirementName & ('chromium' | 'firefox-esr')
  /** Arguments that keep it on this machine and set its profile and URL. */
  readonly args: (profile: string, url: string) => readonly string[]
  readonly prepare?: (profile: string, trusted: Trusted | undefined) => void
}

/** A site with a self-signed certificate that the browser must trust. */
export interface Trusted {
  readonly certificate: Certificate
  readonly hosts: readonly string[]
  readonly port: number
}

/** Names below localhost resolve to this machine (RFC 6761 §6.3); all others do not exist for these browsers. */
const ONLY_LOCALHOST = `${NAMES_OF_SITES}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`

/** An unreachable proxy for everything but this machine, and no requests of the browser's own. */
const FIREFOX_PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  'network.proxy.type': 1,
  'network.proxy.socks': '127.0.0.1',
  'network.proxy.socks_port': 9,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.dns.disableIPv6': true,
  'network.proxy.no_proxies_on': 'localhost, .localhost, 127.0.0.1',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  // Firefox limits the reports of each two seconds; these tests need all of them.
  'security.csp.reporting.limit.count': 10_000,
  'dom.reporting.enabled': true,
  'dom.reporting.header.enabled': true,
  'dom.reporting.delivering.timeout': 0,
}

export const BROWSERS: readonly Browser[] = [
  {
    engine: 'chromium',
    program: 'chromium',
    args: (profile, url) => [
      '--headless=new',
      // Containers have no user namespaces for its sandbox, and little shared memory.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--ignore-certificate-errors',
      // Otherwise the Reporting API delays reports by a minute.
      '--short-reporting-delay',
      `--host-resolver-rules=${ONLY_LOCALHOST}`,
      `--user-data-dir=${profile}`,
      url,
    ],
  },
  {
    engine: 'firefox',
    program: 'firefox-esr',
    args: (profile, url) => ['--headless', '--no-remote', '--profile', profile, url],
    prepare(profile, trusted) {
      const lines = Object.entries(FIREFOX_PREFERENCES).map(
        ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
      )
      writeFileSync(join(profile, 'user.js'), `${lines.join('\n')}\n`)
      writeFileSync(join(profile, 'cert_override.txt'), overridesFor(trusted))
    },
  },
]

/** Firefox's file of certificates accepted by the user: host, port, digest algorithm, digest. */
function overridesFor(trusted: Trusted | undefined): string {
  const sha256 = 'OID.2.16.840.1.101.3.4.2.1'
  return (trusted?.hosts ?? [])
    .map((host) => `${host}:${trusted?.port}:\t${sha256}\t${trusted?.certificate.fingerprint}\t\n`)
    .join('')
}

export interface OpenBrowser {
  /** Ends the browser; its last reports may still be in transit. */
  readonly close: () => Promise<void>
}

/** Opens a URL in a browser with its own empty profile. */
export function openBrowser(browser: Browser, folder: string, url: string, trusted?: Trusted): OpenBrowser {
  mkdirSync(folder, { recursive: true })
  browser.prepare?.(folder, trusted)
  const child = spawn(browser.program, browser.args(folder, url), {
    env: { ...process.env, HOME: folder },
    stdio: 'ignore',
    // A process group, so that helper processes end with it.
    detached: true,
  })
  return { close: () => end(child) }
}

const PATIENCE_MS = 10_000

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  const impatience = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), PATIENCE_MS)
  await gone
  clearTimeout(impatience)
}
