// Runs every suite of a real client, one after the other; skips suites whose client is not installed.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { missingOf } from '../../scripts/requirements.ts'
import type { Target } from '../program.ts'
import type { Report } from '../report.ts'
import { runScripted } from '../scripted.ts'
import { ansible } from './ansible.ts'
import { certbot, dehydrated } from './certificates.ts'
import { createClientToken } from './client-token.ts'
import type { ClientSuite } from './client-suite.ts'
import { ddclient, inadyn } from './dynamic-addresses.ts'
import { acmeNsupdate, certbotUpdate, legoUpdate, nsupdate, updateMessages } from './dynamic-updates.ts'
import { lexicon } from './lexicon.ts'
import { octodns } from './octodns.ts'
import { libcloud, pythonCloudflare } from './python-modules.ts'
import { startVendorHost, type VendorHost } from './vendor-host.ts'

const suites: readonly ClientSuite[] = [
  octodns,
  {
    name: 'acme-txt.sh',
    needs: ['curl', 'dig'],
    run: ({ target, report }) => runScripted(target, report, 'bash', 'clients/acme-txt.sh'),
  },
  pythonCloudflare,
  libcloud,
  certbot,
  dehydrated,
  lexicon,
  ddclient,
  inadyn,
  ansible,
  nsupdate,
  acmeNsupdate,
  updateMessages,
  certbotUpdate,
  legoUpdate,
]

/** Runs the suites named in `only`, or all of them. `folder` must be empty; the caller removes it. */
export async function runClients(
  target: Target,
  report: Report,
  folder: string,
  only?: readonly string[],
): Promise<void> {
  const unknown = only?.find((name) => !suites.some((suite) => suite.name === name))
  if (unknown !== undefined) {
    throw new Error(`unknown client ${unknown}; clients:  ${suites.map(({ name }) => name).join(', ')}`)
  }
  const clientToken = await createClientToken(target)
  let vendorHost: Promise<VendorHost> | undefined
  for (const suite of suites.filter(({ name }) => only?.includes(name) ?? true)) {
    const missing = missingOf(suite.needs)
    if (missing !== undefined) {
      report.skip(suite.name, missing.reason, missing.required)
      continue
    }
    const own = join(folder, suite.name)
    mkdirSync(own)
    const session = {
      target,
      clientToken: clientToken.value,
      report,
      folder: own,
      vendorHost: () => (vendorHost ??= startVendorHost(target, folder)),
    }
    try {
      await suite.run(session)
    } catch (error) {
      await report.check(`${suite.name} ran to its end`, () => {
        throw error
      })
    }
  }
  await (await vendorHost)?.close()
  await clientToken.remove()
}
