// A record as code: the call of the TypeScript SDK that makes it, and its Terraform resource.
import type { WireRecord } from '../../api/records.ts'

type Copied = Pick<
  WireRecord,
  'zone_id' | 'name' | 'type' | 'content' | 'data' | 'priority' | 'ttl' | 'proxied' | 'comment' | 'tags'
>

/** What the record is made of; types with `data` are made from it. */
function membersOf({ name, type, content, data, priority, ttl, proxied, comment, tags }: Copied) {
  return {
    name,
    type,
    ...(data === undefined ? { content } : { data }),
    ...(priority === undefined ? {} : { priority }),
    ttl,
    ...(proxied ? { proxied } : {}),
    ...(comment === null || comment === '' ? {} : { comment }),
    ...(tags.length === 0 ? {} : { tags }),
  }
}

/** @param origin Of this server. */
export function scriptFor(origin: string, record: Copied): string {
  const body = JSON.stringify({ zone_id: record.zone_id, ...membersOf(record) }, null, 2)
  return [
    `import Cloudflare from 'cloudflare'`,
    '',
    `const client = new Cloudflare({ apiToken: process.env.TOKEN, baseURL: '${origin}/client/v4' })`,
    `await client.dns.records.create(${body.replaceAll(/"([a-z_]+)":/g, '$1:')})`,
  ].join('\n')
}

export function terraformFor(record: Copied): string {
  const members = Object.entries({ zone_id: record.zone_id, ...membersOf(record) })
  const width = Math.max(...members.map(([member]) => member.length))
  const lines = members.map(([member, value]) => `  ${member.padEnd(width)} = ${termOf(value, '  ')}`)
  return [`resource "cloudflare_dns_record" "${labelOf(record)}" {`, ...lines, '}'].join('\n')
}

/** Letters, digits and underscores, and no digit at first. */
const labelOf = ({ name, type }: Copied): string =>
  `${name}_${type}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^(?=[0-9])/, '_')

function termOf(value: unknown, indent: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => termOf(item, indent)).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const lines = Object.entries(value).map(
      ([member, item]) => `${indent}  ${member} = ${termOf(item, `${indent}  `)}`,
    )
    return `{\n${lines.join('\n')}\n${indent}}`
  }
  // In a quoted template, these two begin an expression.
  return JSON.stringify(value)
    .replaceAll('${', () => '$${')
    .replaceAll('%{', '%%{')
}
