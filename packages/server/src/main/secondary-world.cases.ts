// For tests: the whole program over its sockets, with a secondary zone of a scripted primary.
import { createSocket } from 'node:dgram'
import { join } from 'node:path'
import { createTsigSigner, encodeMessage, OPCODE, type TsigKey } from '@zonereeve/dns'
import { loadConfig } from '@zonereeve/config'
import { manualClock, randomIds, silentLog } from '@zonereeve/platform'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { callProgram, mustOf } from '../testing/program-calls.ts'
import { startScriptedPrimary, type Script } from '@zonereeve/transfers/scripted-primary.cases.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { askUdp, HOST, KEY, NOW, requestOf } from '@zonereeve/transfers/asking.cases.ts'
import { hmac } from '@zonereeve/transfers'
import { startApp, type App } from './app.ts'

export const APEX = 'followed.example'

export interface Status {
  readonly state: string
  readonly soa_serial: number | null
  readonly primary_serial: number | null
  readonly problem: string | null
  readonly checked_on: string | null
}

interface Called<Result> {
  readonly status: number
  readonly result: Result
  readonly codes: readonly number[]
}

export type SecondaryWorld = Awaited<ReturnType<typeof startSecondaryWorld>>

/** @param apex the zone of the primary. */
export async function startSecondaryWorld(script: Script, apex = APEX) {
  const data = scratchFolder()
  const clock = manualClock(NOW)
  const nowSeconds = (): number => Math.floor(clock.now() / 1000)
  let app = await start()
  const primary = await startScriptedPrimary({ apex, hmac, nowSeconds }, script)
  let zoneId = ''

  return {
    clock,
    primary,
    /** Path of the database. */
    database: join(data, 'zonereeve.db'),
    get zoneId() {
      return zoneId
    },
    get dnsPort() {
      return app.dns.port
    },
    call,
    must,
    addPrimary,
    followPrimary,
    statusOf,
    until,
    ask,
    notify,
    async restart(): Promise<void> {
      await app.close()
      app = await start()
    },
    async close(): Promise<void> {
      await app.close()
      await primary.close()
    },
  }

  function start(): Promise<App> {
    const config = loadConfig({
      flags: { http: `${HOST}:0`, dns: `${HOST}:0`, 'dns-threads': '0', data },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    })
    return startApp({ config, clock, ids: randomIds(), log: silentLog })
  }

  async function call<Result = { readonly id: string }>(
    method: string,
    path: string,
    body?: object,
  ): Promise<Called<Result>> {
    const { status, envelope } = await callProgram<Result>(app, method, path, body)
    return { status, result: envelope.result, codes: envelope.errors.map(({ code }) => code) }
  }

  function must<Result = { readonly id: string }>(
    method: string,
    path: string,
    body?: object,
  ): Promise<Result> {
    return mustOf<Result>(app, method, path, body)
  }

  /** Sets up the key and the peer. */
  async function addPrimary(isIncremental: boolean): Promise<{ accountId: string; peerId: string }> {
    const [account] = await must<{ id: string }[]>('GET', '/accounts')
    const accountId = account?.id ?? ''
    const root = `/accounts/${accountId}/secondary_dns`
    const secret = Buffer.from(KEY.secret).toString('base64')
    const { id: keyId } = await must('POST', `${root}/tsigs`, { name: KEY.name, secret, algo: KEY.algorithm })
    const peer = {
      name: 'primary',
      ip: HOST,
      port: primary.port,
      tsig_id: keyId,
      ixfr_enable: isIncremental,
    }
    const { id: peerId } = await must('POST', `${root}/peers`, peer)
    return { accountId, peerId }
  }

  /** Sets up the key, the peer and the secondary zone. */
  async function followPrimary(isIncremental: boolean): Promise<void> {
    const { peerId } = await addPrimary(isIncremental)
    zoneId = (await must('POST', '/zones', { name: APEX, type: 'secondary' })).id
    await must('POST', `/zones/${zoneId}/secondary_dns/incoming`, { name: `${APEX}.`, peers: [peerId] })
  }

  function statusOf(): Promise<Status> {
    return must<Status>('GET', `/zonereeve/zones/${zoneId}/secondary_dns/incoming/status`)
  }

  async function until(accept: (status: Status) => boolean): Promise<Status> {
    for (;;) {
      const status = await statusOf()
      if (accept(status)) return status
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  async function ask(name: string, type: string) {
    const { rcode, records } = await askUdp(app.dns.port, { name, type })
    return { rcode, records }
  }

  /**
   * Sends a NOTIFY as the primary would.
   * @returns the response code.
   */
  async function notify(key: TsigKey | undefined): Promise<number> {
    const message = encodeMessage(requestOf({ name: apex, type: 'SOA', opcode: OPCODE.NOTIFY }))
    const packet = key === undefined ? message : createTsigSigner(key, { hmac }).sign(message, nowSeconds())
    const socket = createSocket('udp4')
    try {
      const reply = await new Promise<Uint8Array>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('message', resolve)
        socket.send(packet, app.dns.port, HOST)
      })
      return (reply[3] ?? 0) & 0xf
    } finally {
      socket.close()
    }
  }
}
