// DNSSEC and encrypted DNS tested with third-party software: Debian's validators, zone verifiers, resolvers and
// clients, against our server and against secondaries that transferred the zone from it.
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
import { judgeFollowingSigned } from './following-signed.ts'
import { runPresigned } from './presigned.ts'
import { runRollOver } from './roll-over.ts'
import { APEX, createSignedZones } from './signed-zone.ts'
import { QUESTION_COUNT, trustsNothingElse, validates, writeAnchors } from './validating.ts'
import { rejectsChanged, takeZone, verifies } from './verifying.ts'

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

/** @param launcher starts the program, once for each signing variant. */
export async function runDnssec(launcher: string, report: Report, parentFolder: string): Promise<void> {
  const missing = missingOf(['delv', 'dig', 'ldns-verify-zone', 'dnssec-verify'])
  if (missing !== undefined) return report.skip('DNSSEC', missing.reason, missing.required)
  await runEncrypted(launcher, report, parentFolder)
  await runRollOver(launcher, report, parentFolder)
  await runPresigned(launcher, report, parentFolder)
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
  const describe = (text: string): string => `${variant.name}: ${text}`

  await report.check(describe(`delv validates ${QUESTION_COUNT} kinds of answers`), () =>
    validates(port, anchors),
  )
  await report.check(describe('nothing validates with another DS'), () => trustsNothingElse(port, folder))
  await report.check(describe('ldns-verify-zone and dnssec-verify accept the zone by AXFR'), async () => {
    for (const { name, ds } of zones)
      if (ds !== '') await verifies(name, await takeZone(port, name, folder, true))
  })
  await report.check(describe('both reject it after one address changed'), async () =>
    rejectsChanged(APEX, await takeZone(port, APEX, folder, true)),
  )
  for (const [name, server] of servers)
    await report.check(describe(`delv validates answers from ${name}'s copy`), async () => {
      for (const zone of zones) await appears(server, `www.${zone.name}`, ADDRESSES[zone.name] ?? '')
      await validates(server.port, anchors)
    })
  const knot = servers.get('knotd')
  if (knot !== undefined)
    await report.check(describe("knotd's whole copy verifies"), async () =>
      verifies(APEX, await takeZone(knot.port, APEX, folder, false)),
    )
  await judgeFollowingSigned({ world, zone: zones[0], folder, describe }, report)
  for (const [name, server] of servers)
    await report.check(describe(`delv validates answers from ${name} after that`), () =>
      validates(server.port, anchors),
    )
}

const ADDRESSES: Readonly<Record<string, string>> = {
  [APEX]: '192.0.2.1',
  [`secure.${APEX}`]: '192.0.2.7',
  [`insecure.${APEX}`]: '192.0.2.7',
}
