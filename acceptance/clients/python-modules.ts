// Python modules tested by a script each, and their short examples in docs/clients.md.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEBIAN_PYTHON } from '../../scripts/requirements.ts'
import { runScripted } from '../scripted.ts'
import { expectAnswers } from './answers.ts'
import { runClient } from './client-process.ts'
import type { ClientSuite } from './client-suite.ts'
import { exampleOf } from './examples.ts'
import { createZone } from './zone.ts'

export const pythonCloudflare = suiteOf('python-cloudflare', 'clients/python-cloudflare.py')
export const libcloud = suiteOf('libcloud', 'clients/libcloud-driver.py')

function suiteOf(module: 'python-cloudflare' | 'libcloud', script: string): ClientSuite {
  const zoneName = 'python-example.example.com'
  return {
    name: module,
    needs: [module, 'dnspython'],
    async run(session) {
      const { target, report } = session
      await runScripted(target, report, DEBIAN_PYTHON, script)
      const zone = await createZone(target, zoneName)
      await report.check(`${module}: the example of docs/clients.md`, async () => {
        writeFileSync(join(session.folder, 'example.py'), exampleOf(module, session, zoneName))
        await runClient(session, `${DEBIAN_PYTHON} example.py`)
        await expectAnswers(target, `www.${zoneName}`, 'A', ['A 300 192.0.2.1'])
      })
      await zone.remove()
    },
  }
}
