// Signing in at an identity provider (OpenID Connect) with a real browser: code and PKCE, and what is refused.
import { deepEqual, equal } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import {
  startTestProvider,
  TEST_CLIENT,
  type TestProvider,
} from '@zonereeve/sign-in/testing/identity-provider.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { startServer } from '../program.ts'
import type { Report } from '../report.ts'
import { openVisitor, type Visitor } from './visitor.ts'

const ANNA = {
  sub: 'anna-1',
  email: 'anna@example.com',
  email_verified: true,
  name: 'Anna Baker',
  groups: ['dns-admins'],
}
const VIEW = { width: 1440, height: 900, theme: 'light' } as const

export async function runProvider(
  launcher: string,
  browser: Browser,
  report: Report,
  folder: string,
): Promise<void> {
  const provider = await startTestProvider()
  const origin = `http://localhost:${await freePort()}`
  const program = await startServer(launcher, folder, {
    flags: Object.entries({
      http: new URL(origin).host.replace('localhost', '127.0.0.1'),
      'public-url': origin,
      'oidc-issuer': provider.issuer,
      'oidc-client-id': TEST_CLIENT.id,
      'oidc-name': 'Example ID',
      'oidc-new-users': 'create',
      'oidc-roles': 'groups:dns-admins=admin',
    }).flatMap(([name, value]) => [`--${name}`, value]),
    prefix: ['env', `ZONEREEVE_OIDC_CLIENT_SECRET=${TEST_CLIENT.secret}`],
  })
  const visitor = await openVisitor(browser, origin, VIEW)
  try {
    await runSignIns(visitor, provider, report)
    await report.check('signing in at a provider violates the policy nowhere', () =>
      deepEqual(visitor.faults, []),
    )
  } finally {
    await visitor.close()
    await provider.close()
    await report.check('the program with a provider ends with code 0 on SIGTERM', program.stop)
  }
}

async function runSignIns({ page }: Visitor, provider: TestProvider, report: Report): Promise<void> {
  const start = async (): Promise<void> => {
    await page.goto('/zones?q=typed')
    await page.getByRole('button', { name: 'Sign in with Example ID' }).press('Enter')
  }
  await report.check('a person whom the claims give no role is refused by name', async () => {
    provider.claims = { ...ANNA, groups: ['others'] }
    await start()
    await page.getByRole('alert').waitFor()
    equal(new URL(page.url()).pathname, '/sign-in')
  })
  await report.check('a token that another key signed is refused', async () => {
    provider.claims = ANNA
    provider.hasWrongKey = true
    await start()
    await page.getByRole('alert').waitFor()
    equal(new URL(page.url()).pathname, '/sign-in')
    provider.hasWrongKey = false
  })
  await report.check(
    'a person signs in at the provider, with the role of the claims, and comes back',
    async () => {
      await start()
      await page.waitForURL((url) => url.pathname === '/zones')
      await page.getByRole('button', { name: 'Account of anna@example.com' }).waitFor()
      // Only owners and admins have these links.
      await page.getByRole('link', { name: 'Audit log' }).waitFor()
      equal(new URL(page.url()).searchParams.get('code'), null)
      await page.locator('.who button').first().click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/sign-in')
    },
  )
}
