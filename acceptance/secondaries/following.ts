// Our zone follows Knot as its primary, set up as docs/transfers.md says.
import { deepEqual, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { missingOf } from '../../scripts/requirements.ts'
import type { Api } from '../browsers/api.ts'
import { ask, askUntil } from '../dns-client.ts'
import type { Target } from '../program.ts'
import { tellTimes, type Report } from '../report.ts'
import { startKnotPrimary } from './nameservers.ts'

const ZONE = 'followed.example'
/** NOTIFY, the question for the serial, and the transfer. */
const FIRST_LIMIT_MS = 15_000
const TEXT = `$ORIGIN ${ZONE}.
@ 3600 SOA ns1 hostmaster 10 3600 600 86400 60
@ 3600 NS ns1
ns1 3600 A 192.0.2.53
www 60 A 192.0.2.1
odd 1 TYPE65280 \\# 2 0a0b
`

export interface FollowingWorld {
  readonly api: Api
  readonly target: Target
  readonly accountId: string
  readonly keyId: string
  readonly port: number
  readonly folder: string
}

interface Status {
  readonly state: string
  readonly problem: string | null
  readonly soa_serial: number | null
}

export async function judgeFollowing(world: FollowingWorld, report: Report): Promise<void> {
  const { api, target, accountId, keyId, port, folder } = world
  const missing = missingOf(['knotd'])
  if (missing !== undefined) return report.skip('knotd as a primary', missing.reason, missing.required)
  const place = {
    primaryPort: target.dns.port,
    catalog: 'unused.example',
    folder: join(folder, 'primary-knot'),
  }
  const primary = await startKnotPrimary({ ...place, port }, { file: `${ZONE}.zone`, text: TEXT })
  try {
    const root = `/accounts/${accountId}/secondary_dns`
    const peer = { name: 'knot', ip: '127.0.0.1', port, tsig_id: keyId, ixfr_enable: true }
    const { id: peerId } = await api.post<{ id: string }>(`${root}/peers`, peer)
    const { id } = await api.post<{ id: string }>('/zones', { name: ZONE, type: 'secondary' })
    await api.post(`/zones/${id}/secondary_dns/incoming`, { name: `${ZONE}.`, peers: [peerId] })
    const status = () => api.get<Status>(`/zonereeve/zones/${id}/secondary_dns/incoming/status`)
    await report.check('knotd as a primary is followed', async () => {
      for (const began = performance.now(); (await status()).state !== 'current'; await sleep(50))
        ok(performance.now() - began < FIRST_LIMIT_MS, `${JSON.stringify(await status())}\n${primary.log()}`)
      await isSame(world, port)
    })
    await report.check('what knotc changes is answered, by NOTIFY and IXFR', async () => {
      const took: number[] = []
      for (const last of [21, 22, 23]) {
        await primary.change(
          ['zone-begin', ZONE],
          ['zone-unset', ZONE, 'www', 'A'],
          ['zone-set', ZONE, 'www', '60', 'A', `192.0.2.${last}`],
          ['zone-commit', ZONE],
        )
        const isAnswer = ({ answers }: { readonly answers: readonly string[] }) =>
          answers.some((answer) => answer.endsWith(` 192.0.2.${last}`))
        took.push(await askUntil(target.dns, `www.${ZONE}`, 'A', isAnswer))
        await isSame(world, port)
      }
      tellTimes(took)
      match(primary.log(), /\[followed\.example\.\] IXFR, outgoing, remote .*finished/)
    })
    await report.check('without its primary the zone is still answered', async () => {
      await primary.stop()
      await api.post(`/zones/${id}/secondary_dns/force_axfr`, {})
      for (const began = performance.now(); (await status()).problem === null; await sleep(20))
        ok(performance.now() - began < FIRST_LIMIT_MS, 'nobody missed the primary')
      deepEqual((await ask(target.dns, `www.${ZONE}`, 'A')).answers.length, 1)
    })
    await api.call('DELETE', `/zones/${id}`)
  } finally {
    await primary.stop()
  }
}

async function isSame({ target }: FollowingWorld, port: number): Promise<void> {
  for (const [name, type] of [
    [ZONE, 'SOA'],
    [ZONE, 'NS'],
    [`www.${ZONE}`, 'A'],
  ] as const)
    deepEqual(
      (await ask(target.dns, name, type)).answers,
      (await ask({ host: '127.0.0.1', port }, name, type)).answers,
    )
}
