// Clients that write records by dynamic update (RFC 2136) instead of over HTTP.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/process.ts'
import { DEBIAN_PYTHON } from '../../scripts/requirements.ts'
import { ask } from '../dns-client.ts'
import { certificateNames, withAcmeServer } from './acme-server.ts'
import { runClient } from './client-process.ts'
import type { ClientSession, ClientSuite } from './client-suite.ts'
import { exampleOf } from './examples.ts'
import { runScripted } from '../scripted.ts'
import { call, createZone, type Zone } from './zone.ts'

interface Key {
  readonly id: string
  readonly name: string
  readonly secret: string
}

/** Values on the page that are replaced in each run. */
const SAMPLE = {
  key: 'acme.update',
  secret: 'c2hvd24tb25jZS13aGVuLXRoZS1rZXktaXMtbWFkZS1rZWVwLWl0',
  server: '127.0.0.1 5353',
  endpoint: '127.0.0.1:5353',
  port: 'dns_rfc2136_port = 5353',
} as const

export const nsupdate: ClientSuite = {
  name: 'nsupdate',
  needs: ['nsupdate'],
  run: (session) => withKey(session, 'nsupdate.example.com', judgeNsupdate),
}

export const acmeNsupdate: ClientSuite = {
  name: 'acme-nsupdate',
  needs: ['nsupdate'],
  run: (session) => withKey(session, 'acme-nsupdate.example.com', judgeAcmeScript),
}

/** The messages of clients that are not packaged in Debian. */
export const updateMessages: ClientSuite = {
  name: 'update-messages',
  needs: ['dnspython'],
  run: ({ target, report }) => runScripted(target, report, DEBIAN_PYTHON, 'clients/update-messages.py'),
}

export const certbotUpdate: ClientSuite = {
  name: 'certbot-rfc2136',
  needs: ['certbot-rfc2136', 'pebble', 'openssl'],
  run: (session) => withKey(session, 'certbot-update.example.com', judgeCertbot),
}

export const legoUpdate: ClientSuite = {
  name: 'lego-rfc2136',
  needs: ['lego', 'pebble', 'openssl'],
  run: (session) => withKey(session, 'lego-update.example.com', judgeLego),
}

async function withKey(
  session: ClientSession,
  zoneName: string,
  judge: (session: ClientSession, zone: Zone, key: Key) => Promise<void>,
): Promise<void> {
  const { target, clientToken } = session
  const zone = await createZone(target, zoneName)
  const { id: tokenId } = await call<{ id: string }>(
    { ...target, token: clientToken },
    'GET',
    '/user/tokens/verify',
  )
  const draft = { name: zoneName, token_id: tokenId }
  const key = await call<Key>(target, 'POST', '/zonereeve/update_keys', draft)
  try {
    await judge(session, zone, key)
  } finally {
    await call(target, 'DELETE', `/zonereeve/update_keys/${key.id}`)
    await zone.remove()
  }
}

async function judgeNsupdate(session: ClientSession, zone: Zone, key: Key): Promise<void> {
  const { report, target } = session
  const host = `www.${zone.name}`
  const answers = async (): Promise<readonly string[]> => (await ask(target.dns, host, 'A')).answers
  await report.check(
    'nsupdate: the documented commands add a record, and DNS answers it at once',
    async () => {
      await runClient(session, keyed('nsupdate', session, zone, key))
      deepEqual(await answers(), ['A 300 192.0.2.1'])
    },
  )
  await report.check('nsupdate: prerequisites and deletions, also over TCP', async () => {
    match(await update(session, key, ['prereq nxdomain {host}', 'update delete {host} A'], host), /YXDOMAIN/)
    deepEqual(await answers(), ['A 300 192.0.2.1'])
    const steps = [
      'prereq yxrrset {host} A 192.0.2.1',
      'update delete {host} A',
      'update add {host} 60 A 192.0.2.2',
    ]
    equal(await update(session, key, steps, host, ['-v']), '')
    deepEqual(await answers(), ['A 60 192.0.2.2'])
  })
  await report.check(
    'nsupdate: an update is one change set of the token, and bumps the serial once',
    async () => {
      const before = await changes(session, zone)
      equal(
        await update(
          session,
          key,
          ['update delete {host}', 'update add {host} 60 TXT a', 'update add {host} 60 TXT b'],
          host,
        ),
        '',
      )
      const after = await changes(session, zone)
      equal(after.length, before.length + 1)
      equal(after[0]?.serial, (before[0]?.serial ?? 0) + 1)
      equal(after[0]?.operations, 3)
    },
  )
  await report.check(
    'nsupdate: refuses updates unsigned, wrongly signed or for another zone, and changes nothing',
    async () => {
      const before = await changes(session, zone)
      const step = ['update delete {host}']
      match(await update(session, undefined, step, host), /REFUSED/)
      match(await update(session, { ...key, secret: SAMPLE.secret }, step, host), /BADSIG|NOTAUTH/)
      match(
        await update(session, key, ['zone other.example', 'update add a.other.example 60 A 192.0.2.1'], host),
        /NOTAUTH/,
      )
      match(await update(session, key, ['update add {host} 60 SOA a. b. 1 2 3 4 5'], host), /REFUSED/)
      equal((await changes(session, zone)).length, before.length)
    },
  )
}

/** Like dns_nsupdate of acme.sh: the key in a file, the zone given or found by nsupdate, values removed by type. */
async function judgeAcmeScript(session: ClientSession, zone: Zone, key: Key): Promise<void> {
  const { report, folder, target } = session
  const name = `_acme-challenge.www.${zone.name}`
  const { host, port } = target.dns
  const strings = async () => (await ask(target.dns, name, 'TXT')).answers
  writeFileSync(join(folder, 'update.key'), keyed('update.key', session, zone, key), { mode: 0o600 })
  const sendUpdate = async (zoneLines: readonly string[], line: string): Promise<void> => {
    const lines = [`server ${host}  ${port}`, ...zoneLines, line, 'send']
    await runClient(session, `nsupdate -k update.key <<'END'\n${lines.join('\n')}\nEND`)
  }
  for (const [how, zoneLines] of [
    ['the zone found by its SOA', []],
    ['the zone given', [`zone ${zone.name}.`]],
  ] as const) {
    await report.check(`acme-nsupdate: two values are added and removed, ${how}`, async () => {
      for (const value of ['first', 'second'])
        await sendUpdate(zoneLines, `update add ${name}. 60 in txt "${value}"`)
      deepEqual(await strings(), ['TXT 60 first', 'TXT 60 second'])
      await sendUpdate(zoneLines, `update delete ${name}. txt`)
      deepEqual(await strings(), [])
      await zone.isClean()
    })
  }
}

async function judgeCertbot(session: ClientSession, zone: Zone, key: Key): Promise<void> {
  const { report, folder } = session
  await report.check('certbot, by dynamic update: a certificate for a name and its wildcard', () =>
    withAcmeServer(session, async ({ directory, authorityFile }) => {
      writeFileSync(join(folder, 'rfc2136.ini'), keyed('rfc2136.ini', session, zone, key), { mode: 0o600 })
      const folders = ['config', 'work', 'logs']
        .map((name) => `--${name}-dir ${join(folder, name)}`)
        .join(' ')
      const unattended = '--non-interactive --agree-tos --register-unsafely-without-email'
      const script = keyed('certbot-rfc2136', session, zone, key)
      await runClient(
        session,
        script.replace('certonly', `certonly --server ${directory} ${folders} ${unattended}`),
        { env: { REQUESTS_CA_BUNDLE: authorityFile } },
      )
      certificateNames(join(folder, `config/live/${zone.name}/cert.pem`), [zone.name, `*.${zone.name}`])
    }),
  )
  await report.check('certbot, by dynamic update: leaves nothing behind', () => zone.isClean())
}

async function judgeLego(session: ClientSession, zone: Zone, key: Key): Promise<void> {
  const { report, folder } = session
  await report.check('lego, by dynamic update: a certificate for a name and its wildcard', () =>
    withAcmeServer(session, async ({ directory, authorityFile }) => {
      const script = keyed('lego-rfc2136', session, zone, key)
      await runClient(
        session,
        script.replace('lego --dns', `lego --server ${directory} --path ${folder} --dns`),
        {
          env: { LEGO_CA_CERTIFICATES: authorityFile },
        },
      )
      certificateNames(join(folder, `certificates/${zone.name}.crt`), [zone.name, `*.${zone.name}`])
    }),
  )
  await report.check('lego, by dynamic update: leaves nothing behind', () => zone.isClean())
}

/** An example of the page with this run's nameserver and key. */
function keyed(name: string, session: ClientSession, zone: Zone, key: Key): string {
  const { host, port } = session.target.dns
  return exampleOf(name, session, zone.name)
    .replaceAll(SAMPLE.key, key.name)
    .replaceAll(SAMPLE.secret, key.secret)
    .replaceAll(SAMPLE.endpoint, `${host}:${port}`)
    .replaceAll(SAMPLE.server, `${host} ${port}`)
    .replaceAll(SAMPLE.port, `dns_rfc2136_port = ${port}`)
}

/** Returns nsupdate's output for an update, empty on success. `{host}` in a line stands for the host. */
async function update(
  { target, folder }: ClientSession,
  key: Key | undefined,
  lines: readonly string[],
  host: string,
  options: readonly string[] = [],
): Promise<string> {
  const script = join(folder, 'update')
  const { host: server, port } = target.dns
  const body = lines.map((line) => line.replaceAll('{host}', host))
  writeFileSync(script, [`server ${server} ${port}`, ...body, 'send', ''].join('\n'))
  const signing = key === undefined ? [] : ['-y', `hmac-sha256:${key.name}:${key.secret}`]
  const { ok: isDone, output } = await run('nsupdate', [...options, ...signing, script])
  ok(isDone === (output.trim() === ''), output)
  return output.trim()
}

interface Change {
  readonly serial: number | null
  readonly operations: number
}

/** Change sets of the zone's records, newest first. */
async function changes({ target }: ClientSession, zone: Zone): Promise<readonly Change[]> {
  return call<Change[]>(target, 'GET', `/zonereeve/zones/${zone.id}/changes`)
}
