// Records that are created at the same time: writes that share a transaction read ahead, and each must still see what the ones
// before it have written.
import { deepEqual } from 'node:assert/strict'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

interface Body {
  readonly type: string
  readonly name: string
  readonly content?: string
  readonly data?: object
  readonly proxied?: boolean
}

interface Outcome {
  /** How many were stored, and how many were refused by code. */
  readonly replies: Readonly<Record<string, number>>
  /** Names and types of the records that the zone then has. */
  readonly records: Readonly<Record<string, number>>
}

const address = (name: string, last = 1): Body => ({ type: 'A', name, content: `192.0.2.${last}` })
const alias = (name: string): Body => ({ type: 'CNAME', name, content: 'target.example.net' })
const redirection: Body = { type: 'DNAME', name: 'below', data: { target: 'target.example.net' } }
const times = (count: number, body: (index: number) => Body): Body[] =>
  Array.from({ length: count }, (_, index) => body(index))

const countEach = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [value, values.filter((one) => one === value).length]),
  )

const STORED: readonly [string, readonly Body[], Outcome][] = [
  [
    'at names of their own are all stored',
    times(40, (index) => address(`n${index}`)),
    {
      replies: { stored: 40 },
      records: countEach(times(40, (index) => address(`n${index} A`)).map(({ name }) => name)),
    },
  ],
  [
    'at one name are all stored if they differ',
    times(20, (index) => address('one', index)),
    { replies: { stored: 20 }, records: { 'one A': 20 } },
  ],
  [
    'of which all are the same: one is stored',
    times(20, () => address('same')),
    { replies: { stored: 1, 81058: 19 }, records: { 'same A': 1 } },
  ],
  [
    'of which all are aliases of one name: one is stored',
    times(20, () => alias('alias')),
    { replies: { stored: 1, 81058: 19 }, records: { 'alias CNAME': 1 } },
  ],
]

/** The first one is stored; those that it excludes are refused. */
const EXCLUSIVE: readonly [string, readonly Body[]][] = [
  [
    'aliases and addresses of one name',
    times(20, (index) => (index % 2 === 0 ? address('mixed', index) : alias('mixed'))),
  ],
  [
    'proxied ones among them',
    times(20, (index) => ({
      ...(index % 2 === 0 ? address('mixed', index) : alias('mixed')),
      proxied: index % 3 === 0,
    })),
  ],
  [
    'a redirection and records below it',
    times(20, (index) => (index % 5 === 0 ? redirection : address(`n${index}.below`))),
  ],
]

/** In a zone of its own for each case. */
export async function runConcurrentRecords({ http, token }: Target, report: Report): Promise<void> {
  const send = async (method: string, path: string, body?: object): Promise<Received> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    return (await (await fetch(`${http}/client/v4${path}`, request)).json()) as Received // as documented
  }
  const account = { id: (await send('GET', '/accounts')).result[0]?.id }
  let zones = 0
  const createAll = async (bodies: readonly Body[]): Promise<Outcome> => {
    const name = `concurrent${(zones += 1)}.example`
    const { id } = (await send('POST', '/zones', { name, account })).result as unknown as Item // one zone
    const path = `/zones/${id}/dns_records`
    const received = await Promise.all(bodies.map((body) => send('POST', path, { ttl: 60, ...body })))
    const { result } = await send('GET', `${path}?per_page=1000`)
    await send('DELETE', `/zones/${id}`)
    return {
      replies: countEach(received.map(({ errors: [error] }) => String(error?.code ?? 'stored'))),
      records: countEach(result.map((record) => `${record.name.slice(0, -name.length - 1)} ${record.type}`)),
    }
  }
  for (const [title, bodies, expected] of STORED)
    await report.check(`records at once: those ${title}`, async () =>
      deepEqual(await createAll(bodies), expected),
    )
  for (const [title, bodies] of EXCLUSIVE)
    await report.check(`records at once: ${title} exclude each other`, async () => {
      const outcome = await createAll(bodies)
      const records = Object.entries(outcome.records)
      deepEqual(
        records.reduce((sum, [, count]) => sum + count, 0),
        outcome.replies['stored'],
      )
      const kinds = [...new Set(records.map(([record]) => record.split(' ')[1]))]
      deepEqual(kinds.length, 1)
      if (kinds[0] !== 'A')
        deepEqual(
          records.map(([, count]) => count),
          [1],
        )
    })
}

interface Item {
  readonly id: string
  readonly name: string
  readonly type: string
}

interface Received {
  readonly result: readonly Item[]
  readonly errors: readonly { readonly code: number }[]
}
