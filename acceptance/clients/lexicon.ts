// Lexicon, which has the vendor's host name built in and sends {} as the body of a GET.
import { equal, match, rejects } from 'node:assert/strict'
import { ask } from '../dns-client.ts'
import { expectAnswers } from './answers.ts'
import { runClient } from './client-process.ts'
import type { ClientSession, ClientSuite } from './client-suite.ts'
import { exampleOf } from './examples.ts'
import { createZone } from './zone.ts'

/** Lexicon expects the zone directly below a public suffix, so a deeper name does not work. */
const ZONE = 'example.net'

export const lexicon: ClientSuite = {
  name: 'lexicon',
  needs: ['lexicon', 'openssl', 'private-mounts'],
  run: runLexicon,
}

async function runLexicon(session: ClientSession): Promise<void> {
  const { report, target } = session
  const zone = await createZone(target, ZONE)
  const shell = (script: string): Promise<string> =>
    runClient(session, script, {
      vendorHost: true,
      env: { LEXICON_CLOUDFLARE_TOKEN: session.clientToken },
    })
  const call = (verb: string, rest: string): Promise<string> =>
    shell(`lexicon cloudflare ${verb} ${ZONE} ${rest}`)

  await report.check('lexicon: the example of docs/clients.md', async () => {
    match(await shell(exampleOf('lexicon', session, ZONE)), /192\.0\.2\.1\b/)
    await expectAnswers(target, `www.${ZONE}`, 'A', ['A 300 192.0.2.1'])
  })
  await report.check('lexicon: create and list TXT records', async () => {
    await call('create', 'TXT --name text --content "bare words"')
    match(await call('list', 'TXT'), /bare words/)
    await expectAnswers(target, `text.${ZONE}`, 'TXT', ['TXT 3600 bare words'])
  })
  await report.check('lexicon: update', async () => {
    await call('update', 'A --name www --content 192.0.2.2 --ttl 300')
    await expectAnswers(target, `www.${ZONE}`, 'A', ['A 300 192.0.2.2'])
  })
  await report.check('lexicon: a bad address is refused, and nothing changes', async () => {
    await rejects(call('create', 'A --name bad --content 192.0.2.256'), /400 Client Error/)
    equal((await ask(target.dns, `bad.${ZONE}`, 'A')).rcode, 'NXDOMAIN')
  })
  await report.check('lexicon: delete by content', async () => {
    await call('delete', 'TXT --name text --content "bare words"')
    await call('delete', 'A --name www')
    await zone.isClean()
    equal((await ask(target.dns, `text.${ZONE}`, 'TXT')).rcode, 'NXDOMAIN')
  })
  await zone.remove()
}
