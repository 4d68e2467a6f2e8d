// Real browsers, started as people start them: a fresh profile and one address. What they did is what the servers saw.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequirementName } from '../../scripts/requirements.ts'
import type { Certificate } from './certificate.ts'

export interface Browser {
  /** As packages/csp names it. */
  readonly engine: 'chromium' | 'firefox'
  /** Also what tests require it by. */
  readonly program: RequirementName & ('chromium' | 'firefox-esr')
  /** Where it may not reach out of this machine, and how it is told its profile and address. */
  readonly args: (profile: string, url: string) => readonly string[]
  readonly prepare?: (profile: string, trusted: Trusted | undefined) => void
}

/** A site whose certificate nobody else has heard of. */
export interface Trusted {
  readonly certificate: Certificate
  readonly hosts: readonly string[]
  readonly port: number
}

/** Names below localhost are this machine's (RFC 6761 §6.3); all others do not exist for these browsers. */
const ONLY_LOCALHOST = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1'

/** A proxy that nobody listens at, for everything but this machine; and nothing that asks out by itself. */
const FIREFOX_PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  'network.proxy.type': 1,
  'network.proxy.socks': '127.0.0.1',
  'network.proxy.socks_port': 9,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': 'localhost, .localhost, 127.0.0.1',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  // Reports are held together for two seconds and then bounded; here all of a page's are wanted.
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
      // Else reports of the Reporting API wait for a minute.
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

/** What Firefox keeps of certificates that its user accepts: host, port, digest algorithm, digest. */
function overridesFor(trusted: Trusted | undefined): string {
  const sha256 = 'OID.2.16.840.1.101.3.4.2.1'
  return (trusted?.hosts ?? [])
    .map((host) => `${host}:${trusted?.port}:\t${sha256}\t${trusted?.certificate.fingerprint}\t\n`)
    .join('')
}

export interface OpenBrowser {
  /** Ends it; its last reports are on their way then. */
  readonly close: () => Promise<void>
}

/** Opens an address in a browser with an empty profile of its own. */
export function openBrowser(browser: Browser, folder: string, url: string, trusted?: Trusted): OpenBrowser {
  mkdirSync(folder, { recursive: true })
  browser.prepare?.(folder, trusted)
  const child = spawn(browser.program, browser.args(folder, url), {
    env: { ...process.env, HOME: folder },
    stdio: 'ignore',
    // Its helpers end with it.
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
