// The packed program in a network namespace with only loopback: every feature that sends to another machine fails there
// at once, with a system error. No such error may end the process, and features that need no other machine still work:
// DNS answers, the API, a start with all of it stored.
// Options: --program PATH (default: pack and install the program).
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import packet from 'dns-packet'
import { missingOf } from '../scripts/requirements.ts'
import { createApi, type Api } from './browsers/api.ts'
import { until } from './browsers/site.ts'
import { ask } from './dns-client.ts'
import { installPackedProgram, startServer, temporaryFolder, type Program } from './program.ts'
import { createReport } from './report.ts'

/** Documentation addresses (RFC 5737, RFC 3849): no route leads to them here, and they are unused elsewhere. */
const OUTSIDE = ['192.0.2.53', '2001:db8::53'] as const
const ZONE = 'example.com'
const TRANSFERRED = 'transferred.example'
const SECONDARY = 'followed.example'

const RESOLVERS = [
  { name: 'a resolver that cannot be reached over IPv4', setting: '192.0.2.53:53' },
  { name: 'a resolver that cannot be reached over IPv6', setting: '[2001:db8::53]:53' },
  { name: 'the resolver of the system', setting: 'system' },
] as const

const { values: options } = parseArgs({
  options: { inside: { type: 'boolean', default: false }, program: { type: 'string' } },
})

/** Runs this file again in its own network namespace. */
async function enter(): Promise<number> {
  const missing = missingOf(['private-network'])
  if (missing !== undefined) {
    const report = createReport()
    report.skip('a network without routes', missing.reason, missing.required)
    console.log(`0 passed, ${missing.required ? 1 : 0} failed, ${missing.required ? 0 : 1} skipped`)
    return missing.required ? 1 : 0
  }
  const folder = temporaryFolder('unreachable-package')
  try {
    const launcher = options.program ?? (await installPackedProgram(folder))
    const file = fileURLToPath(import.meta.url)
    const script = 'ip link set lo up && exec "$@"'
    const inside = [process.execPath, ...process.execArgv, file, '--inside', '--program', launcher]
    const child = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', ...inside], { stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function judge(launcher: string): Promise<number> {
  const report = createReport()
  for (const { name, setting } of RESOLVERS) {
    const folder = temporaryFolder('unreachable')
    let log = ''
    const start = (): Promise<Program> =>
      startServer(launcher, join(folder, 'state'), {
        flags: [
          '--resolver',
          setting,
          '--log-level',
          'debug',
          '--script-fetches',
          '4',
          '--fetch-ports',
          'any',
          // Otherwise they would be rejected before anything is sent.
          '--fetch-networks',
          '192.0.2.0/24,2001:db8::/32',
        ],
        onLog: (text) => (log += text),
      })
    let program = await start()
    try {
      for (const [step, drive] of Object.entries(STEPS))
        await report.check(`${name}: ${step}`, async () => {
          await drive(createApi(program), program)
          await expectAnswers(program)
        })
      await report.check(`${name}: a NOTIFY was attempted, and could not be sent`, () =>
        until(
          () => log.includes('"notify not sent"'),
          () => 'no line about it in the log',
        ),
      )
      await report.check(`${name}: nothing is logged as an error`, () => deepEqual(errorLines(log), []))
      await report.check(`${name}: the program restarts with this data`, async () => {
        await program.kill()
        log = ''
        program = await start()
        await expectAnswers(program)
        await STEPS['a secondary zone'](createApi(program))
        await expectAnswers(program)
        deepEqual(errorLines(log), [])
      })
      await report.check(`${name}: a clean exit`, program.stop)
    } finally {
      await program.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return report.close()
}

const errorLines = (log: string): string[] =>
  log.split('\n').filter((line) => line !== '' && !/^\{"level":"(?:debug|info|warn)"/.test(line))

/** Checks DNS over UDP and TCP, and the API. */
async function expectAnswers(program: Program): Promise<void> {
  deepEqual((await ask(program.dns, `plain.${ZONE}`, 'A')).answers, ['A 300 192.0.2.1'])
  deepEqual((await ask(program.dns, `large.${ZONE}`, 'TXT')).answers.length, 1)
  equal((await fetch(`${program.http}/readyz`)).status, 200)
}

const STEPS = {
  'records with targets outside the network': async (api: Api): Promise<void> => {
    const { id } = await api.post<{ id: string }>('/zones', { name: ZONE })
    const records = [
      { type: 'A', name: 'plain', content: '192.0.2.1', ttl: 300 },
      { type: 'TXT', name: 'large', content: 'x'.repeat(2000) },
      { type: 'CNAME', name: 'proxied', content: 'www.outside.example', proxied: true },
      { type: 'CNAME', name: '@', content: 'apex.outside.example' },
      { type: 'CNAME', name: 'flat', content: 'flat.outside.example', settings: { flatten_cname: true } },
    ]
    for (const record of records) await api.post(`/zones/${id}/dns_records`, record)
  },

  'an explained DNS query': async (api: Api): Promise<void> => {
    const answer = await api.get<{ rcode: string }>(`${await own(api)}/query?name=flat&type=A`)
    equal(answer.rcode, 'SERVFAIL')
  },

  'a DNS scan': async (api: Api): Promise<void> => {
    const path = `/zones/${await zoneId(api, ZONE)}/dns_records/scan`
    // An error gives the reason; nothing was found in either case.
    await api.call('POST', path).catch((error: Error) => match(error.message, /: (400|502|503|504) /))
    await api.call('POST', `${path}/trigger`).catch((error: Error) => match(error.message, /: (400|409) /))
    deepEqual(await api.get(`${path}/review`), [])
  },

  'fetches of inventory scripts': async (api: Api): Promise<void> => {
    const id = await zoneId(api, ZONE)
    await api.call('PUT', `/zones/${id}/page_shield`, { enabled: true })
    const scripts = [...fetchedUrls('a.js'), 'https://script.outside.example/a.js']
    await api.post(`${await own(api)}/page_shield/observations`, {
      observations: [{ page_url: `https://${ZONE}/`, scripts }],
    })
    const listed = await api.get<{ id: string; url: string }[]>(
      `/zones/${id}/page_shield/scripts?status=active,infrequent`,
    )
    equal(listed.length, scripts.length)
    for (const script of listed) {
      const path = `${await own(api)}/page_shield/scripts/${script.id}/contents`
      await until(
        async () => (await api.get<{ problem: string | null }>(path)).problem !== null,
        () => `${script.url} was not fetched`,
      )
      const { problem } = await api.get<{ problem: string | null }>(path)
      equal(problem, script.url.includes('outside') ? 'name' : 'network')
    }
  },

  'threat feeds': async (api: Api): Promise<void> => {
    for (const url of [...fetchedUrls('feed.txt'), 'https://feed.outside.example/']) {
      const feed = { name: url, format: 'plain', categories: ['Malware'], url }
      const { id } = await api.post<{ id: string }>('/zonereeve/threat_feeds', feed)
      await api.post(`/zonereeve/threat_feeds/${id}/refresh`, {})
      const status = async () =>
        (
          await api.get<{ status: { state: string; problem: string | null } }>(
            `/zonereeve/threat_feeds/${id}`,
          )
        ).status
      await until(
        async () => (await status()).state === 'failed',
        async () => JSON.stringify(await status()),
      )
      match((await status()).problem ?? '', url.includes('outside') ? /^name: / : /^network: E/)
    }
  },

  webhooks: async (api: Api): Promise<void> => {
    const root = `${await own(api)}/page_shield`
    for (const url of [...fetchedUrls('hook'), 'https://hook.outside.example/']) {
      const { id } = await api.post<{ id: string }>(`${root}/webhooks`, { url })
      await api.post(`${root}/observations`, {
        observations: [{ page_url: `https://${ZONE}/`, connections: [`https://${id}.example.net/`] }],
      })
      const problem = async () =>
        (await api.get<{ status: { problem: string | null } }>(`${root}/webhooks/${id}`)).status.problem
      await until(
        async () => (await problem()) !== null,
        () => `${url} was not posted to`,
      )
      match((await problem()) ?? '', url.includes('outside') ? /^name: / : /^network: E/)
    }
  },

  'NOTIFY, and a transfer aborted by its client': async (api: Api, program: Program): Promise<void> => {
    const account = await accountOf(api)
    await api.post(`${account}/acls`, { name: 'loopback', ip_range: '127.0.0.0/24' })
    const peers = await peersOf(api, 'secondary')
    const { id } = await api.post<{ id: string }>('/zones', { name: TRANSFERRED })
    for (let index = 0; index < 200; index++)
      await api.post(`/zones/${id}/dns_records`, {
        type: 'TXT',
        name: `r${index}`,
        content: 'x'.repeat(2000),
      })
    await api.post(`/zones/${id}/secondary_dns/outgoing`, { name: `${TRANSFERRED}.`, peers })
    await api.post(`/zones/${id}/secondary_dns/outgoing/enable`, {})
    await api.post(`/zones/${id}/secondary_dns/outgoing/force_notify`, {})
    notEqual(await transferThenReset(program), 0)
  },

  'a secondary zone': async (api: Api): Promise<void> => {
    if ((await api.get<unknown[]>(`/zones?name=${SECONDARY}`)).length === 0) {
      const { id } = await api.post<{ id: string }>('/zones', { name: SECONDARY, type: 'secondary' })
      const peers = await peersOf(api, 'primary')
      await api.post(`/zones/${id}/secondary_dns/incoming`, { name: `${SECONDARY}.`, peers })
    }
    const id = await zoneId(api, SECONDARY)
    await api.post(`/zones/${id}/secondary_dns/force_axfr`, {})
    const path = `/zonereeve/zones/${id}/secondary_dns/incoming/status`
    const problem = async () => (await api.get<{ problem: string | null }>(path)).problem
    await until(
      async () => (await problem()) !== null,
      () => 'no primary was queried',
    )
    for (const address of OUTSIDE) match((await problem()) ?? '', new RegExp(`${address}: no connection`))
  },

  'DNSSEC, and the check of the parent zone': async (api: Api): Promise<void> => {
    await api.call('PATCH', `/zones/${await zoneId(api, ZONE)}/dnssec`, { status: 'active' })
    const keys = await api.post<{ keys: unknown[] }>(`${await own(api)}/dnssec/parent_check`, {})
    ok(keys.keys.length > 0)
  },

  'changes of records while all of this is pending': async (api: Api): Promise<void> => {
    for (const name of [ZONE, TRANSFERRED]) {
      const record = { type: 'CNAME', name: 'later', content: 'later.outside.example', proxied: true }
      await api.post(`/zones/${await zoneId(api, name)}/dns_records`, record)
    }
  },
}

const fetchedUrls = (file: string): string[] =>
  OUTSIDE.map((address) => `http://${address.includes(':') ? `[${address}]` : address}/${file}`)

async function zoneId(api: Api, name: string): Promise<string> {
  const [zone] = await api.get<{ id: string }[]>(`/zones?name=${name}`)
  return zone?.id ?? ''
}

const own = async (api: Api): Promise<string> => `/zonereeve/zones/${await zoneId(api, ZONE)}`

async function accountOf(api: Api): Promise<string> {
  const [account] = await api.get<{ id: string }[]>('/accounts')
  return `/accounts/${account?.id ?? ''}/secondary_dns`
}

async function peersOf(api: Api, role: string): Promise<string[]> {
  const account = await accountOf(api)
  const peers: string[] = []
  for (const ip of OUTSIDE) {
    const { id } = await api.post<{ id: string }>(`${account}/peers`, { name: `${role} ${ip}` })
    await api.call('PUT', `${account}/peers/${id}`, { name: `${role} ${ip}`, ip, port: 53 })
    peers.push(id)
  }
  return peers
}

/** Reads part of a transfer and resets the connection. @returns the number of octets received. */
async function transferThenReset({ dns }: Program): Promise<number> {
  const socket = connect(dns.port, dns.host)
  // Our own reset.
  socket.on('error', () => {})
  const question = { type: 'AXFR', name: TRANSFERRED, class: 'IN' } as const
  socket.write(packet.streamEncode({ type: 'query', id: 1, questions: [question] }))
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.resetAndDestroy()
  await once(socket, 'close')
  return first.length
}

process.exitCode = options.inside ? await judge(options.program ?? '') : await enter()
