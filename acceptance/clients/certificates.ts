// Clients that get certificates: for a name and its wildcard, so that two challenges share one name.
import { equal } from 'node:assert/strict'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, askUntil } from '../dns-client.ts'
import { certificateNames, withAcmeServer, type AcmeServer } from './acme-server.ts'
import { runClient } from './client-process.ts'
import type { ClientSession, ClientSuite } from './client-suite.ts'
import { exampleOf } from './examples.ts'
import { createZone } from './zone.ts'

interface Issuance {
  readonly client: string
  readonly zone: string
  /** Gets the certificate and returns its file. */
  readonly issue: (session: ClientSession, server: AcmeServer, zone: string) => Promise<string>
}

export const certbot: ClientSuite = {
  name: 'certbot',
  needs: ['certbot-cloudflare', 'pebble', 'openssl'],
  run: (session) =>
    runIssuance(session, { client: 'certbot', zone: 'certbot.example.com', issue: useCertbot }),
}

export const dehydrated: ClientSuite = {
  name: 'dehydrated',
  needs: ['dehydrated', 'lexicon', 'lexicon-hook', 'pebble', 'openssl', 'private-mounts'],
  // The hook expects the zone directly below a public suffix.
  run: (session) => runIssuance(session, { client: 'dehydrated', zone: 'example.net', issue: useDehydrated }),
}

export async function runIssuance(
  session: ClientSession,
  { client, zone: name, issue }: Issuance,
): Promise<void> {
  const { report, target } = session
  const zone = await createZone(target, name)
  const before = await serialOf(session, name)
  await report.check(`${client}: a certificate for a name and its wildcard`, () =>
    withAcmeServer(session, async (server) =>
      certificateNames(await issue(session, server, name), [name, `*.${name}`]),
    ),
  )
  await report.check(`${client}: both challenges were added and removed, with one change each`, async () => {
    await zone.isClean()
    await askUntil(target.dns, `_acme-challenge.${name}`, 'TXT', (reply) => reply.rcode === 'NXDOMAIN')
    equal((await serialOf(session, name)) - before, 4)
  })
  await zone.remove()
}

async function serialOf({ target }: ClientSession, zone: string): Promise<number> {
  return Number((await ask(target.dns, zone, 'SOA')).answers[0]?.split(' ').at(-1))
}

async function useCertbot(session: ClientSession, server: AcmeServer, zone: string): Promise<string> {
  const credentials = exampleOf('credentials.ini', session, zone)
  writeFileSync(join(session.folder, 'credentials.ini'), credentials, { mode: 0o600 })
  // Answers to interactive questions, and folders of this run.
  const settings = {
    server: server.directory,
    'config-dir': join(session.folder, 'config'),
    'work-dir': join(session.folder, 'work'),
    'logs-dir': join(session.folder, 'logs'),
    'non-interactive': 'true',
    'agree-tos': 'true',
    'register-unsafely-without-email': 'true',
  }
  const settingsFolder = join(session.folder, '.config/letsencrypt')
  mkdirSync(settingsFolder, { recursive: true })
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(settingsFolder, 'cli.ini'), lines.join(''))
  await runClient(session, exampleOf('certbot', session, zone), {
    env: { REQUESTS_CA_BUNDLE: server.authorityFile },
  })
  return join(session.folder, `config/live/${zone}/cert.pem`)
}

async function useDehydrated(session: ClientSession, server: AcmeServer, zone: string): Promise<string> {
  const config = join(session.folder, 'config')
  writeFileSync(config, exampleOf('dehydrated.config', session, zone))
  const settings = {
    CA: server.directory,
    BASEDIR: session.folder,
    CURL_OPTS: `"--cacert ${server.authorityFile}"`,
  }
  for (const [name, value] of Object.entries(settings)) appendFileSync(config, `${name}=${value}\n`)
  await runClient(session, exampleOf('dehydrated', session, zone), { vendorHost: true })
  return join(session.folder, 'certs/example/cert.pem')
}
