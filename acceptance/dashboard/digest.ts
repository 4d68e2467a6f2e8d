// The digest of a zone (ZONEMD): switched by the keyboard, answered in DNS, and verified by a secondary.
import { equal, ok } from 'node:assert/strict'
import { createApi } from '../browsers/api.ts'
import type { Report } from '../report.ts'
import { signInInvited } from './signed-in.ts'
import { ZONE, type Site } from './site.ts'
import type { Visitor } from './visitor.ts'

const COPIED = 'alpha.example'
const NOT_SENT = 'example.net'

export async function runDigest({ page }: Visitor, site: Site, report: Report): Promise<void> {
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const toggle = page.getByRole('switch', { name: 'Transfers contain a digest of the zone' })
  // While a change is read again, keys do nothing.
  const usable = toggle.and(page.locator(':enabled'))
  const digests = async () => {
    const path = `/zonereeve/zones/${await idOf(site, ZONE)}/query?name=@&type=ZONEMD`
    return (await site.api.get<{ answer: readonly string[] }>(path)).answer.length
  }

  await report.check('the digest of a zone is switched on, made, answered, and switched off', async () => {
    await page.goto(`/zones/${ZONE}/dns-settings`)
    await toggle.press('Space')
    await said('Transfers contain a digest from the next serial on.')
    await page.getByText(/^answered for serial \d+$/).waitFor()
    equal(await digests(), 1)
    await usable.press('Space')
    await said('Transfers no longer contain a digest.')
    await page.getByText(/^answered for serial/).waitFor({ state: 'detached' })
    equal(await digests(), 0)
  })

  await report.check('without transfers there is no digest, and the page says why', async () => {
    await page.goto(`/zones/${NOT_SENT}/dns-settings`)
    await toggle.press('Space')
    await page.getByText('none: transfers are not enabled').waitFor()
    await page.getByRole('link', { name: 'Transfers of this zone' }).press('Enter')
    await page.waitForURL(`**/zones/${NOT_SENT}/transfers`)
    await page.goto(`/zones/${NOT_SENT}/dns-settings`)
    await toggle.press('Space')
    await said('Transfers no longer contain a digest.')
  })

  await report.check('a secondary zone says whether its primary’s digest was right', async () => {
    await page.goto(`/zones/${COPIED}/dns-settings`)
    await page.getByText('not verified: no usable digest was sent').waitFor()
    equal(await toggle.count(), 0)
    const primary = createApi(site.primary)
    const [sent] = await primary.get<readonly { id: string }[]>(`/zones?name=${COPIED}`)
    await primary.call('PATCH', `/zonereeve/zones/${sent?.id}/dns_settings`, { zone_digest: true })
    const status = `/zonereeve/zones/${await idOf(site, COPIED)}/secondary_dns`
    const deadline = Date.now() + 30_000
    for (;;) {
      const { verified_serial: serial } = await site.api.get<{ verified_serial: number | null }>(
        `${status}/incoming/status`,
      )
      if (serial !== null) break
      ok(Date.now() < deadline, 'the digest of the primary is verified')
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await page.reload()
    await page.getByText(/^serial \d+ is verified$/).waitFor()
    await page.goto(`/zones/${COPIED}/transfers`)
    await page.getByText(/^serial \d+ is verified$/).waitFor()
  })
}

/** A viewer cannot switch it. */
export async function runDigestOfViewer(
  browser: Parameters<typeof signInInvited>[0],
  site: Site,
  report: Report,
): Promise<void> {
  await report.check('a viewer sees the switch of the digest, and cannot use it', async () => {
    const viewer = await signInInvited(browser, site, { email: 'digest-viewer@example.com', role: 'viewer' })
    await viewer.page.goto(`/zones/${ZONE}/dns-settings`)
    const toggle = viewer.page.getByRole('switch', { name: 'Transfers contain a digest of the zone' })
    equal(await toggle.isDisabled(), true)
    await viewer.close()
  })
}

const idOf = async ({ api }: Site, name: string): Promise<string | undefined> =>
  (await api.get<readonly { id: string }[]>(`/zones?name=${name}`))[0]?.id
