// Verifies whole zones with ldns-verify-zone and BIND's dnssec-verify.
import { equal, match, notEqual } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/process.ts'
import { SECRET } from '../secondaries/world.ts'

/** Transfers a zone by AXFR, with TSIG if `isTsigSigned`. @returns the zone's file */
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
  // The message's TSIG is not a record of the zone.
  const lines = output.split('\n').filter((line) => !/\sANY\s+TSIG\s/.test(line))
  writeFileSync(file, lines.join('\n'))
  return file
}

/** @throws with the verifier's output if the zone in this file is invalid */
export async function verifies(name: string, file: string): Promise<void> {
  match((await run('ldns-verify-zone', [file])).output, /^Zone is verified and complete\s*$/)
  equal((await run('dnssec-verify', ['-q', '-o', name, file])).output, '')
}

/** Both reject the zone if a signed address is changed. */
export async function rejectsChanged(name: string, file: string): Promise<void> {
  const changed = `${file}.changed`
  writeFileSync(changed, readFileSync(file, 'utf8').replace('192.0.2.3', '192.0.2.99'))
  notEqual(readFileSync(changed, 'utf8'), readFileSync(file, 'utf8'))
  equal((await run('ldns-verify-zone', [changed])).ok, false)
  equal((await run('dnssec-verify', ['-q', '-o', name, changed])).ok, false)
}
