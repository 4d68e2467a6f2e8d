// Verifiers of whole zones: ldns-verify-zone, and BIND's dnssec-verify.
import { equal, match, notEqual } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/process.ts'
import { SECRET } from '../secondaries/world.ts'

/** Takes a zone by AXFR, signed with TSIG where a secret is asked for. @returns the file that it lies in */
export async function takeZone(
  port: number,
  name: string,
  folder: string,
  isTsigSigned: boolean,
): Promise<string> {
  const key = isTsigSigned ? ['-y', `hmac-sha256:xfr-key:${SECRET}`] : []
  const args = [...key, '-p', String(port), '@127.0.0.1', '+onesoa', '+nocmd', name, 'AXFR']
  const { output } = await run('dig', args)
  match(output, /RRSIG\s+DNSKEY/)
  const file = join(folder, `${name}.${port}.zone`)
  // The signature of the message is no record of the zone.
  const lines = output.split('\n').filter((line) => !/\sANY\s+TSIG\s/.test(line))
  writeFileSync(file, lines.join('\n'))
  return file
}

/** @throws with what the verifier says of the zone in this file */
export async function verifies(name: string, file: string): Promise<void> {
  match((await run('ldns-verify-zone', [file])).output, /^Zone is verified and complete\s*$/)
  equal((await run('dnssec-verify', ['-q', '-o', name, file])).output, '')
}

/** The same zone with another address at a name that has a signature is refused by both. */
export async function refusesChanged(name: string, file: string): Promise<void> {
  const changed = `${file}.changed`
  writeFileSync(changed, readFileSync(file, 'utf8').replace('192.0.2.3', '192.0.2.99'))
  notEqual(readFileSync(changed, 'utf8'), readFileSync(file, 'utf8'))
  equal((await run('ldns-verify-zone', [changed])).ok, false)
  equal((await run('dnssec-verify', ['-q', '-o', name, changed])).ok, false)
}
