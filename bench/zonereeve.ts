// Our server's API for the operations of benchmarks.
import type { Target } from '../acceptance/program.ts'
import { openConnection, type HttpConnection } from './http-client.ts'

/** Records in one batch request; the limit of an Enterprise zone is 3,500. */
const BATCH_SIZE = 1000

export interface NewRecord {
  readonly type: string
  readonly name: string
  readonly content: string
  readonly priority?: number
}

export function connectTo({ http, token }: Target): HttpConnection {
  return openConnection(Number(new URL(http).port), { authorization: `Bearer ${token}` })
}

/** @returns the result in the reply. @throws if the request fails. */
export async function callApi<Result>(
  { http, token }: Target,
  method: string,
  path: string,
  body?: object,
): Promise<Result> {
  const response = await fetch(`${http}/client/v4${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  const { result } = JSON.parse(text) as { readonly result: Result }
  return result
}

/** @returns the new zone's id. */
export async function createZone(connection: HttpConnection, name: string): Promise<string> {
  const reply = await connection.send('POST', '/client/v4/zones', JSON.stringify({ name }))
  const id = /"result":\{"id":"([0-9a-f]{32})"/.exec(reply.body.toString())?.[1]
  if (id === undefined) throw new Error(`no zone: ${reply.status} ${reply.body.toString()}`)
  return id
}

/** Adds records in batches, so that filling a zone takes little of the benchmark's time. */
export async function addRecords(
  connection: HttpConnection,
  zoneId: string,
  records: readonly NewRecord[],
): Promise<void> {
  for (let start = 0; start < records.length; start += BATCH_SIZE) {
    const posts = records.slice(start, start + BATCH_SIZE).map((record) => ({ ...record, ttl: 300 }))
    const path = `/client/v4/zones/${zoneId}/dns_records/batch`
    const reply = await connection.send('POST', path, JSON.stringify({ posts }))
    if (reply.status !== 200) throw new Error(`batch: ${reply.status} ${reply.body.toString().slice(0, 500)}`)
  }
}

/** A record that is unique for each number. */
export function numberedRecord(zone: string, number: number): NewRecord {
  const content = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  return { type: 'A', name: `r${number}.${zone}`, content }
}
