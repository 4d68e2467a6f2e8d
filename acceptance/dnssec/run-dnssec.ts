// DNSSEC and encrypted DNS as others see them: validators, verifiers of whole zones, resolvers and clients of Debian's,
// with our server and with the secondaries that took the zone from it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { missingOf } from '../../scripts/requirements.ts'
import { startServer, type Program } from '../program.ts'
import type { Report } from '../report.ts'
import type { Nameserver } from '../secondaries/nameservers.ts'
import {
  appears,
  enable,
  presentSecondaries,
  startSecondaries,
  type SecondaryName,
} from '../secondaries/world.ts'
import { runEncrypted } from './encrypted.ts'
import { APEX, createSignedZones } from './signed-zone.ts'
import { QUESTION_COUNT, trustsNothingElse, validates, writeAnchors } from './validating.ts'
import { refusesChanged, takeZone, verifies } from './verifying.ts'

interface Variant {
  readonly name: string
  readonly algorithm: 'ECDSAP256SHA256' | 'ED25519'
  readonly useNsec3: boolean
}

const VARIANTS: readonly Variant[] = [
  { name: 'p256-nsec', algorithm: 'ECDSAP256SHA256', useNsec3: false },
  { name: 'p256-nsec3', algorithm: 'ECDSAP256SHA256', useNsec3: true },
  { name: 'ed25519-nsec', algorithm: 'ED25519', useNsec3: false },
]

/** @param launcher of the program, which is started once for each way to sign. */
export async function runDnssec(launcher: string, report: Report, parentFolder: string): Promise<void> {
  const missing = missingOf(['delv', 'dig', 'ldns-verify-zone', 'dnssec-verify'])
  if (missing !== undefined) return report.skip('DNSSEC', missing.reason, missing.required)
  await runEncrypted(launcher, report, parentFolder)
  for (const variant of VARIANTS) {
    const folder = join(parentFolder, `dnssec-${variant.name}`)
    mkdirSync(folder, { recursive: true })
    const flags = ['--dnssec-algorithm', variant.algorithm, '--resolver', 'off']
    const program = await startServer(launcher, join(folder, 'state'), { flags })
    const servers = new Map<SecondaryName, Nameserver>()
    try {
      await judge(program, variant, { report, folder, servers })
    } finally {
      for (const server of servers.values()) await server.stop()
      await report.check(`${variant.name}: the program ends with code 0 on SIGTERM`, program.stop)
    }
  }
}

interface Place {
  readonly report: Report
  readonly folder: string
  readonly servers: Map<SecondaryName, Nameserver>
}

async function judge(program: Program, variant: Variant, { report, folder, servers }: Place): Promise<void> {
  const world = await startSecondaries(program, folder, presentSecondaries(report), servers)
  const zones = await createSignedZones(world.api, variant)
  for (const zone of zones) await enable(world, zone)
  const anchors = writeAnchors(folder, zones[0].ds)
  const { port } = program.dns
  const says = (text: string): string => `${variant.name}: ${text}`

  await report.check(says(`delv validates ${QUESTION_COUNT} kinds of answers`), () =>
    validates(port, anchors),
  )
  await report.check(says('with another DS nothing validates'), () => trustsNothingElse(port, folder))
  await report.check(says('ldns-verify-zone and dnssec-verify accept the zone by AXFR'), async () => {
    for (const { name, ds } of zones)
      if (ds !== '') await verifies(name, await takeZone(port, name, folder, true))
  })
  await report.check(says('both refuse it with one address changed'), async () =>
    refusesChanged(APEX, await takeZone(port, APEX, folder, true)),
  )
  for (const [name, server] of servers)
    await report.check(says(`delv validates what ${name} answers of its copy`), async () => {
      for (const zone of zones) await appears(server, `www.${zone.name}`, ADDRESSES[zone.name] ?? '')
      await validates(server.port, anchors)
    })
  const knot = servers.get('knotd')
  if (knot !== undefined)
    await report.check(says('the copy of knotd verifies as a whole'), async () =>
      verifies(APEX, await takeZone(knot.port, APEX, folder, false)),
    )
}

const ADDRESSES: Readonly<Record<string, string>> = {
  [APEX]: '192.0.2.1',
  [`secure.${APEX}`]: '192.0.2.7',
  [`insecure.${APEX}`]: '192.0.2.7',
}
