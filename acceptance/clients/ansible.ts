// Ansible's cloudflare_dns: runs every task twice, because the second run must report no change.
import { deepEqual, equal } from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEBIAN_PYTHON } from '../../scripts/requirements.ts'
import { ask } from '../dns-client.ts'
import { expectAnswers } from './answers.ts'
import { runClient } from './client-process.ts'
import type { ClientSession, ClientSuite } from './client-suite.ts'
import { exampleOf } from './examples.ts'
import { createZone } from './zone.ts'

const ZONE = 'ansible.example.com'
/** Every task of ansible-playbook.yml. */
const TASKS = ['An address', 'An alias', 'Mail', 'Text', 'A service', 'A host key', "A certificate's hash"]
/** Always reports a change: the module sends the service in `data`, but replies have it only in the record's name. */
const ALWAYS_CHANGED = ['A service']

export const ansible: ClientSuite = {
  name: 'ansible',
  needs: ['ansible-cloudflare', 'openssl', 'private-mounts'],
  run: runAnsible,
}

async function runAnsible(session: ClientSession): Promise<void> {
  const { report, target } = session
  const zone = await createZone(target, ZONE)
  await report.check('ansible: a playbook of seven types', async () => {
    deepEqual(await changedTasks(session, 'present'), TASKS)
    await expectAnswers(target, `www.${ZONE}`, 'A', ['A 300 192.0.2.1'])
    await expectAnswers(target, `alias.${ZONE}`, 'CNAME', ['CNAME 300 www.example.net'])
    await expectAnswers(target, ZONE, 'MX', ['MX 300 10 mail.example.net'])
    await expectAnswers(target, `text.${ZONE}`, 'TXT', ['TXT 300 bare words'])
    await expectAnswers(target, `_sip._tcp.${ZONE}`, 'SRV', ['SRV 300 1 2 5060 sip.example.net'])
    equal((await zone.stored()).length, TASKS.length + 1)
  })
  await report.check('ansible: a second run changes no record', async () => {
    const before = [await zone.stored(), await ask(target.dns, ZONE, 'SOA')]
    deepEqual(await changedTasks(session, 'present'), ALWAYS_CHANGED)
    deepEqual([await zone.stored(), await ask(target.dns, ZONE, 'SOA')], before)
  })
  await report.check('ansible: absent, and absent again', async () => {
    deepEqual(await changedTasks(session, 'absent'), TASKS)
    await zone.isClean()
    deepEqual(await changedTasks(session, 'absent'), [])
  })
  await zone.remove()
}

/** Runs the playbook and returns the tasks that report a change. */
async function changedTasks(
  session: ClientSession,
  state: 'present' | 'absent',
): Promise<readonly (string | undefined)[]> {
  // The example uses state=present; its playbook is the file in this folder.
  const command = exampleOf('ansible', session, ZONE).replace('state=present', `state=${state}`)
  copyFileSync(
    new URL('./ansible-playbook.yml', import.meta.url),
    join(session.folder, 'ansible-playbook.yml'),
  )
  const output = await runClient(session, command, {
    vendorHost: true,
    env: { ANSIBLE_PYTHON_INTERPRETER: DEBIAN_PYTHON, ANSIBLE_LOCALHOST_WARNING: 'false' },
  })
  const played = [...output.matchAll(/^TASK \[(.*)\] \*+\n(ok|changed): /gm)]
  equal(played.length, TASKS.length, output)
  return played.filter(([, , outcome]) => outcome === 'changed').map(([, task]) => task)
}
