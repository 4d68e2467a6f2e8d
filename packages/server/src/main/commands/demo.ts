// zonereeve demo: everything in memory, two zones in it, and commands to copy.
import type { Config } from '@zonereeve/config'
import { NO_INPUT, type DnsRecords } from '../../features/dns/dns-records/index.ts'
import { SYSTEM_CALLER } from '../../features/accounts/tokens/index.ts'
import type { Zones } from '../../features/zones/zones/index.ts'
import { SYSTEM, systemClock } from '@zonereeve/platform'
import type { App, SeededFeatures } from '../app.ts'
import { DEMO_RECORDS, DEMO_ZONE } from './demo-data.ts'
import { DEMO_FIREWALL_ZONE, seedFirewall } from './demo-firewall.ts'
import { startDemoEdge } from './demo-edge.ts'
import { seedMonitoring } from './demo-monitoring.ts'
import { httpUrl, runUntilStopped } from './serve.ts'
import { signInUrl } from './sign-in-url.ts'

export async function demo(config: Config): Promise<void> {
  // The guide is the main output: a line per request would bury it.
  const logLevel = config.origins.logLevel === 'default' ? 'warn' : config.logLevel
  // The demo's scripts do not exist on the network.
  const scriptFetches = config.origins.scriptFetches === 'default' ? 0 : config.scriptFetches
  let zoneId = ''
  const seed = async (features: SeededFeatures) => {
    zoneId = await seedZone(features.zones, features.records)
    await seedMonitoring(features, systemClock(), zoneId)
    await seedFirewall(features)
  }
  const options = { inMemory: true, seed }
  await runUntilStopped({ ...config, logLevel, scriptFetches }, options, async (app) => {
    const token = app.newToken ?? config.adminToken
    if (token === undefined) throw new Error('the demo has no administrator')
    const baseUrl = `${httpUrl(app)}/client/v4`
    const edge = await startDemoEdge({ baseUrl, token })
    process.stdout.write(guide(config, app, { zoneId, token, baseUrl, edgeUrl: edge.url }))
    return edge
  })
}

/** @returns the id of the zone. */
async function seedZone(zones: Zones, records: DnsRecords): Promise<string> {
  const zone = await zones.create({ name: DEMO_ZONE }, SYSTEM_CALLER, SYSTEM)
  for (const record of DEMO_RECORDS) await records.create(zone.id, { ...NO_INPUT, ...record }, SYSTEM)
  return zone.id
}

interface Shown {
  readonly zoneId: string
  readonly token: string
  readonly baseUrl: string
  readonly edgeUrl: string
}

function guide(config: Config, app: App, { zoneId, token, baseUrl: base, edgeUrl }: Shown): string {
  const link = app.newLink === undefined ? '' : `\n  sign in    ${signInUrl(config, app.http, app.newLink)}`
  const { host, port } = app.dns
  return `
Zonereeve demo: everything is in memory and lost when this stops.

  base URL   ${base}
  token      ${token}
  zone       ${DEMO_ZONE} (${zoneId})
  API page   ${httpUrl(app)}/docs${link}

Create a record:

  curl -s ${base}/zones/${zoneId}/dns_records \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"type":"A","name":"hello","content":"192.0.2.42"}'

Query it:

  dig @${host} -p ${port} hello.${DEMO_ZONE} A +short

List the scripts that browsers reported for its pages, malicious ones first:

  curl -s '${base}/zones/${zoneId}/page_shield/scripts?prioritize_malicious=true' \\
    -H 'Authorization: Bearer ${token}'

List their connections, including one that a threat feed flags:

  curl -s '${base}/zones/${zoneId}/page_shield/connections?prioritize_malicious=true' \\
    -H 'Authorization: Bearer ${token}'

Show the rulesets that would replace the legacy firewall of ${DEMO_FIREWALL_ZONE}:

  ZONEREEVE_URL=${base} ZONEREEVE_TOKEN=${token} \\
    npx zonereeve waf config ${DEMO_FIREWALL_ZONE}

Get a page through the demo's edge, try an attack, and find it in the activity log:

  curl -i -H 'Host: www.${DEMO_ZONE}' ${edgeUrl}/
  curl -i -H 'Host: www.${DEMO_ZONE}' "${edgeUrl}/?id=1'%20UNION%20SELECT%20name,password%20FROM%20users--"
  curl -s '${base}/zonereeve/zones/${zoneId}/security/events' \\
    -H 'Authorization: Bearer ${token}'

`
}
