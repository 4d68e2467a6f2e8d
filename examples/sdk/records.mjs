// Creates a zone and its records with the official SDK. Environment: ZONEREEVE_URL (ending in /client/v4),
// ZONEREEVE_TOKEN, ZONE.
import Cloudflare from 'cloudflare'

const { ZONEREEVE_URL: baseURL, ZONEREEVE_TOKEN: apiToken, ZONE: name = 'example.com' } = process.env
const client = new Cloudflare({ baseURL, apiToken })

const zone = await client.zones.create({ name, account: {} })
await client.dns.records.create({ zone_id: zone.id, type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 })

// All or nothing, with one change of the serial.
await client.dns.records.batch({
  zone_id: zone.id,
  posts: [
    { type: 'MX', name: '@', content: `mail.${name}`, priority: 10, ttl: 3600 },
    { type: 'TXT', name: '@', content: '"v=spf1 mx -all"', ttl: 3600 },
  ],
})

for await (const record of client.dns.records.list({ zone_id: zone.id }))
  console.log(record.type, record.name, record.content)
