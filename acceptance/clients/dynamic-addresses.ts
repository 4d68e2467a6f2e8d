// Clients that point a name to a machine's current address.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAnswers } from './answers.ts'
import { runClient } from './client-process.ts'
import type { ClientSession, ClientSuite } from './client-suite.ts'
import { exampleOf } from './examples.ts'
import { createZone } from './zone.ts'

interface Updater {
  readonly client: 'ddclient' | 'inadyn'
  readonly zone: string
  /** Makes the client send the address even if it has not changed. */
  readonly force: string
}

export const ddclient = suiteOf({ client: 'ddclient', zone: 'dynamic.example.com', force: '-force' })
/** The client assumes that a zone has two labels. */
export const inadyn = suiteOf({ client: 'inadyn', zone: 'example.net', force: '--force' })

function suiteOf(updater: Updater): ClientSuite {
  return {
    name: updater.client,
    needs: [updater.client, 'openssl', 'private-mounts'],
    run: (session) => runUpdater(session, updater),
  }
}

async function runUpdater(session: ClientSession, { client, zone: zoneName, force }: Updater): Promise<void> {
  const { report, target } = session
  const zone = await createZone(target, zoneName)
  const [name, other] = [`home.${zoneName}`, `other.${zoneName}`]
  await zone.createRecord({ type: 'A', name, content: '192.0.2.9' })
  await zone.createRecord({ type: 'A', name: other, content: '192.0.2.9' })
  for (const address of ['192.0.2.2', '192.0.2.3']) {
    await report.check(`${client}: the name follows the address to ${address}`, async () => {
      const settings = exampleOf(`${client}.conf`, session, zoneName, address)
      writeFileSync(join(session.folder, `${client}.conf`), settings, { mode: 0o600 })
      await runClient(session, `${exampleOf(client, session, zoneName).trimEnd()} ${force}`, {
        vendorHost: true,
      })
      await expectAnswers(target, name, 'A', [`A 300 ${address}`])
      await expectAnswers(target, other, 'A', ['A 300 192.0.2.9'])
    })
  }
  await zone.remove()
}
