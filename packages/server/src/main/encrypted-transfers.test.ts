// The whole program follows BIND over TLS (RFC 9103), as docs/transfers.md configures it.
import { spawn } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIRST, SECOND } from '@zonereeve/nameserver/certificate.cases.ts'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { loadConfig } from '@zonereeve/config'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { mustOf } from '../testing/program-calls.ts'
import { askUdp, HOST } from '@zonereeve/transfers/asking.cases.ts'
import { startApp } from './app.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'

const ZONE = 'followed.example'
const ZONE_TEXT = `@ 3600 IN SOA ns1.${ZONE}. hostmaster.${ZONE}. 7 3600 600 86400 60
@ 3600 IN NS ns1.${ZONE}.
ns1 3600 IN A 192.0.2.53
www 60 IN A 192.0.2.7
`

/** The configuration in the documentation, with the test's paths and ports. */
function configuration(folder: string, port: number, tlsPort: number): string {
  const page = readFileSync(new URL('../../../../docs/transfers.md', import.meta.url), 'utf8')
  const [, block = ''] = /```named-tls\n([^`]*)```/.exec(page) ?? []
  const replaced = block
    .replaceAll('853', String(tlsPort))
    .replaceAll('/etc/bind/', `${folder}/`)
    .replace('/var/cache/bind', folder)
    .replace('{ any; }', `{ ${HOST}; }`)
    .replaceAll('192.0.2.1', HOST)
    .replace(
      'options {',
      `options {\n pid-file "${folder}/pid"; session-keyfile "${folder}/session";
 listen-on port ${port} { ${HOST}; }; listen-on-v6 { none; };`,
    )
  expect(replaced).toContain(`port ${tlsPort}`)
  return `controls { };\n${replaced}`
}

async function startBind(): Promise<number> {
  const folder = scratchFolder()
  const [port, tlsPort] = [await freePort(), await freePort()]
  for (const [name, text] of Object.entries({
    'primary.pem': FIRST.cert,
    'primary.key': FIRST.key,
    [`${ZONE}.zone`]: ZONE_TEXT,
    'named.conf': configuration(folder, port, tlsPort),
  }))
    writeFileSync(join(folder, name), text)
  const named = spawn('named', ['-g', '-n', '1', '-c', join(folder, 'named.conf')])
  onTestFinished(async () => {
    named.kill()
    if (named.exitCode === null) await once(named, 'close')
  })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    named.stderr.on('data', (chunk: Buffer) => {
      log += String(chunk)
      if (/\brunning\n/.test(log)) resolve()
    })
    named.once('close', () => reject(new Error(log)))
  })
  return tlsPort
}

function pinOf(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

describeWith('named', 'BIND as a primary over TLS', () => {
  test('is followed if its key is pinned, and otherwise sends nothing', async () => {
    const tlsPort = await startBind()
    const app = await startApp({
      config: loadConfig({
        flags: { http: `${HOST}:0`, dns: `${HOST}:0`, 'dns-threads': '0' },
        environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
      }),
      clock: systemClock(),
      ids: randomIds(),
      log: silentLog,
      inMemory: true,
    })
    onTestFinished(() => app.close())
    const [account] = await mustOf<{ id: string }[]>(app, 'GET', '/accounts')
    const root = `/accounts/${account?.id ?? ''}/secondary_dns/peers`
    // Nothing listens at the port without TLS.
    const peer = { name: 'bind', ip: HOST, port: await freePort() }
    const tls = { port: tlsPort, pins: [pinOf(SECOND.cert)] }
    const { id: peerId } = await mustOf(app, 'POST', root, { ...peer, tls })
    const { id } = await mustOf(app, 'POST', '/zones', { name: ZONE, type: 'secondary' })
    await mustOf(app, 'POST', `/zones/${id}/secondary_dns/incoming`, { name: ZONE, peers: [peerId] })
    const problem = async (): Promise<string | null> => {
      const path = `/zonereeve/zones/${id}/secondary_dns/incoming/status`
      return (await mustOf<{ problem: string | null }>(app, 'GET', path)).problem
    }
    await expect.poll(problem, { timeout: 60_000 }).toMatch(/not pinned/)
    expect(await askUdp(app.dns.port, { name: `www.${ZONE}`, type: 'A' })).toMatchObject({ rcode: 2 })

    await mustOf(app, 'PUT', `${root}/${peerId}`, { ...peer, tls: { ...tls, pins: [pinOf(FIRST.cert)] } })
    await mustOf(app, 'POST', `/zones/${id}/secondary_dns/force_axfr`)
    const records = async () => (await askUdp(app.dns.port, { name: `www.${ZONE}`, type: 'A' })).records
    await expect.poll(records, { timeout: 60_000 }).toEqual([`www.${ZONE} 60 A 192.0.2.7`])
    expect(await problem()).toBeNull()
  })
})
