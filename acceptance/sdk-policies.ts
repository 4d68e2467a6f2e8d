// Content-security policies through the SDK.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { BadRequestError, NotFoundError } from 'cloudflare'
import type Cloudflare from 'cloudflare'
import type { Report } from './report.ts'

const policy = {
  action: 'log',
  description: 'Checkout',
  enabled: true,
  expression: 'ends_with(http.request.uri.path, "/checkout")',
  value: "script-src 'self' https://cdn.example.net",
} as const

/** @param zoneId a zone whose plan includes policies. */
export async function runPolicies(client: Cloudflare, report: Report, zoneId: string): Promise<void> {
  const zone = { zone_id: zoneId }
  const { policies } = client.pageShield
  let id = ''

  await report.check('sdk: a policy is created, got and listed', async () => {
    const created = await policies.create({ ...zone, ...policy })
    id = created?.id ?? ''
    deepEqual(created, { id, ...policy })
    deepEqual(await policies.get(id, zone), created)
    const listed = []
    for await (const one of policies.list(zone)) listed.push(one)
    deepEqual(listed, [created])
  })
  await report.check('sdk: single members of a policy are updated', async () => {
    const updated = await policies.update(id, { ...zone, action: 'allow', enabled: false })
    deepEqual(updated, { id, ...policy, action: 'allow', enabled: false })
    deepEqual(await policies.get(id, zone), updated)
  })
  await report.check(
    'sdk: a policy that browsers would not understand is rejected with the position',
    async () => {
      await rejects(
        policies.update(id, { ...zone, value: "script-src 'nonce-abc'" }),
        (error: unknown) =>
          error instanceof BadRequestError &&
          error.errors[0]?.code === 19_646 &&
          error.message.includes('at character 12'),
      )
      equal((await policies.get(id, zone))?.value, policy.value)
    },
  )
  await report.check('sdk: a policy is deleted', async () => {
    await policies.delete(id, zone)
    await rejects(policies.get(id, zone), NotFoundError)
  })
}
