// A record in words of a zone file: relative names, values with their priority, curl.
import type { WireRecord } from '../../api/records.ts'

/** `@` for the zone itself, and the name without the zone's otherwise. */
export function relativeTo(name: string, zone: string): string {
  if (name === zone) return '@'
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

const HOSTS = new Set(['CNAME', 'NS', 'PTR', 'MX', 'SRV'])

/** The value as in a zone file, `10 mail.example.com.` */
export function valueLine({
  type,
  content,
  priority,
}: Pick<WireRecord, 'type' | 'content' | 'priority'>): string {
  const value = HOSTS.has(type) && !content.endsWith('.') ? `${content}.` : content
  return priority === undefined ? value : `${priority} ${value}`
}

/** The whole record as a line of a zone file. */
export function zoneLine(record: WireRecord): string {
  const ttl = record.ttl === 1 ? 'auto' : String(record.ttl)
  return `${record.name}. ${ttl} IN ${record.type} ${valueLine(record)}`
}

/** `1` means automatic on the wire. */
export const ttlText = (ttl: number): string => (ttl === 1 ? 'auto' : String(ttl))

/** The request that makes a record, for a shell with the token in `$TOKEN`. */
export function curlFor(origin: string, method: string, path: string, body?: object): string {
  const lines = [
    `curl -X ${method} '${origin}/client/v4${path}'`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
        ]),
  ]
  return lines.join(' \\\n  ')
}

const LONG_BYTES = 200

/** The size of a long value; undefined for one that is easily read. */
export function longBytes(content: string): number | undefined {
  return content.length > LONG_BYTES ? new TextEncoder().encode(content).length : undefined
}

export function isRecord(value: unknown): value is WireRecord {
  return (
    typeof value === 'object' && value !== null && 'name' in value && 'type' in value && 'content' in value
  )
}
