// zonereeve demo: everything in memory, two zones in it, and commands to copy.
import type { Config } from '../config/index.ts'
import { NOTHING_SAID, type DnsRecords } from '../features/dns-records/index.ts'
import { SYSTEM_CALLER } from '../features/tokens/index.ts'
import type { Zones } from '../features/zones/index.ts'
import { SYSTEM } from '../platform/actor.ts'
import { systemClock } from '../platform/clock.ts'
import type { App } from './app.ts'
import { DEMO_RECORDS, DEMO_ZONE } from './demo-data.ts'
import { DEMO_FIREWALL_ZONE, seedFirewall } from './demo-firewall.ts'
import { seedMonitoring } from './demo-monitoring.ts'
import { httpUrl, runUntilStopped } from './serve.ts'

export async function demo(config: Config): Promise<void> {
  // The guide is what people look at: a line for each request would bury it.
  const logLevel = config.origins.logLevel === 'default' ? 'warn' : config.logLevel
  // The scripts of the demo are nowhere to be fetched from.
  const scriptFetches = config.origins.scriptFetches === 'default' ? 0 : config.scriptFetches
  await runUntilStopped({ ...config, logLevel, scriptFetches }, { inMemory: true }, async (app) => {
    const zoneId = await seed(app.zones, app.records)
    await seedMonitoring(app, systemClock(), zoneId)
    await seedFirewall(app)
    process.stdout.write(guide(app, zoneId, app.newToken ?? config.adminToken ?? ''))
  })
}

/** @returns the id of the zone. */
async function seed(zones: Zones, records: DnsRecords): Promise<string> {
  const zone = await zones.create({ name: DEMO_ZONE }, SYSTEM_CALLER, SYSTEM)
  for (const record of DEMO_RECORDS) await records.create(zone.id, { ...NOTHING_SAID, ...record }, SYSTEM)
  return zone.id
}

function guide(app: App, zoneId: string, token: string): string {
  const base = `${httpUrl(app)}/client/v4`
  const { host, port } = app.dns
  return `
Zonereeve demo: everything is in memory and gone when this stops.

  base URL   ${base}
  token      ${token}
  zone       ${DEMO_ZONE} (${zoneId})
  API page   ${httpUrl(app)}/docs

Create a record:

  curl -s ${base}/zones/${zoneId}/dns_records \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"type":"A","name":"hello","content":"192.0.2.42"}'

Ask for it:

  dig @${host} -p ${port} hello.${DEMO_ZONE} A +short

Scripts that browsers met on its pages, the malicious one first:

  curl -s '${base}/zones/${zoneId}/page_shield/scripts?prioritize_malicious=true' \\
    -H 'Authorization: Bearer ${token}'

Where they sent things to, which a threat feed knows:

  curl -s '${base}/zones/${zoneId}/page_shield/connections?prioritize_malicious=true' \\
    -H 'Authorization: Bearer ${token}'

What would become of the previous firewall of ${DEMO_FIREWALL_ZONE}, which is ready to migrate:

  ZONEREEVE_URL=${base} ZONEREEVE_TOKEN=${token} \\
    npx zonereeve waf config ${DEMO_FIREWALL_ZONE}

`
}
