// Writers that remember acknowledged writes, to compare them with the server's records at the end.
import { deepEqual, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../dns-client.ts'
import type { Target } from '../program.ts'

/** Statuses of a server with a full disk or queue; every other status except 200 is a failure. */
const TEMPORARY = new Set([429, 503, 507])
const RETRY_MS = 50
const COMPARED_BY_DNS = 500
const PAGE = 5_000

interface ListedRecord {
  readonly name: string
  readonly content: string
}

export interface TrackedWrites {
  /** Creates and deletes its own records until the signal is aborted. */
  readonly write: (target: Target, until: AbortSignal) => Promise<void>
  /** @throws if an acknowledged record is missing, an acknowledged deletion is undone, or an unknown record exists. */
  readonly compare: (target: Target) => Promise<void>
  readonly counts: { acknowledged: number; refused: number; readonly failures: string[] }
}

export function trackWrites(zone: string, zoneId: string): TrackedWrites {
  /** Ids of records that must exist, by name. */
  const present = new Map<string, { id: string; content: string }>()
  /** Writes without a reply: both outcomes are correct. */
  const unknown = new Set<string>()
  const counts = { acknowledged: 0, refused: 0, failures: [] as string[] }
  let sequence = 0
  return { write, compare, counts }

  async function write(target: Target, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const [oldest] = present
      if (present.size > 2_000 && oldest !== undefined) await remove(target, oldest[0], oldest[1].id)
      else await create(target)
    }
  }

  async function create(target: Target): Promise<void> {
    const number = sequence++
    const name = `r${number}.${zone}`
    const content = [10, (number >> 16) & 255, (number >> 8) & 255, number & 255].join('.')
    unknown.add(name)
    const result = await send(target, 'POST', '', { type: 'A', name, content, ttl: 300 })
    if (result === 'unknown') return
    unknown.delete(name)
    if (result !== 'refused') present.set(name, { id: result.id, content })
  }

  async function remove(target: Target, name: string, id: string): Promise<void> {
    const record = present.get(name)
    present.delete(name)
    unknown.add(name)
    const result = await send(target, 'DELETE', `/${id}`)
    if (result === 'unknown') return
    unknown.delete(name)
    if (result === 'refused' && record !== undefined) present.set(name, record)
  }

  async function send(
    { http, token }: Target,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ id: string } | 'refused' | 'unknown'> {
    let reply: Response
    let text: string
    try {
      reply = await fetch(`${http}/client/v4/zones/${zoneId}/dns_records${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      text = await reply.text()
    } catch {
      await sleep(RETRY_MS) // the connection was evicted, or the program is being restarted
      return 'unknown'
    }
    if (reply.ok) {
      counts.acknowledged++
      return (JSON.parse(text) as { result: { id: string } }).result // the envelope
    }
    if (TEMPORARY.has(reply.status)) counts.refused++
    else if (counts.failures.length < 20)
      counts.failures.push(`${method}: ${reply.status} ${text.slice(0, 300)}`)
    await sleep(RETRY_MS)
    return 'refused'
  }

  async function compare(target: Target): Promise<void> {
    const found = new Map<string, string>()
    for (let page = 1; ; page++) {
      const path = `/zones/${zoneId}/dns_records?type=A&per_page=${PAGE}&page=${page}`
      const reply = await fetch(`${target.http}/client/v4${path}`, {
        headers: { authorization: `Bearer ${target.token}` },
      })
      const { result } = (await reply.json()) as { result: ListedRecord[] } // the envelope
      for (const { name, content } of result) found.set(name, content)
      if (result.length < PAGE) break
    }
    const missing = [...present].filter(([name, { content }]) => found.get(name) !== content)
    deepEqual(missing, [], `${missing.length} acknowledged records are missing`)
    const unexpected = [...found.keys()].filter(
      (name) => !present.has(name) && !unknown.has(name) && name.startsWith('r'),
    )
    deepEqual(unexpected, [], `${unexpected.length} records exist that were deleted or never acknowledged`)
    for (const [name, { content }] of [...present].slice(-COMPARED_BY_DNS)) {
      const { answers } = await ask(target.dns, name, 'A')
      ok(answers.includes(`A 300 ${content}`), `${name} answers ${answers.join()}`)
    }
  }
}
