// Which nodes live: each has a row with a heartbeat, and watches those of the others. No clocks are compared.
import type { RequestCounts } from '@zonereeve/platform'
import { literal } from './values.ts'

/** Created by each server before anything else. A node of an earlier version has no row. */
export const LIVE_NODES_TABLE = `CREATE TABLE IF NOT EXISTS server_nodes (
    id text PRIMARY KEY, address text NOT NULL, beat int8 NOT NULL);
  ALTER TABLE server_nodes ADD COLUMN IF NOT EXISTS counts text;`

export interface LiveNodesDeps {
  readonly exec: (statements: string) => Promise<readonly object[]>
  /** Of this node. */
  readonly id: string
  /** A node whose heartbeat stands still for so long has ended. */
  readonly silenceMillis: number
}

interface Row {
  readonly id: string
  readonly address: string
  readonly beat: number
  /** What it has reported of its counts: JSON by name. */
  readonly counts: string | null
}

interface Seen {
  readonly beat: number
  readonly at: number
}

/** The row of a node that has ended without deleting it is deleted after so many times of silence. */
const FORGOTTEN_AFTER = 6

export function createLiveNodes({ exec, id, silenceMillis }: LiveNodesDeps) {
  let address: string | undefined
  let beats = 0
  const counts = new Map<string, RequestCounts>()
  let seen = new Map<string, Seen>()
  return {
    /** This node is reached at the address from now on. */
    async join(at: string): Promise<void> {
      address = at
      await beat()
    },
    beat,
    /** Reports to the other nodes what is counted here with each beat, and takes what they count. */
    shareCounts(name: string, own: RequestCounts): void {
      counts.set(name, own)
    },
    /** Addresses of the other nodes that live. */
    async others(): Promise<readonly string[]> {
      return (await look())
        .filter(({ id: other }) => silence(other) < silenceMillis)
        .map((row) => row.address)
    },
    /** This node ends. */
    async leave(): Promise<void> {
      if (address === undefined) return
      address = undefined
      await exec(`DELETE FROM server_nodes WHERE id = '${id}'`)
    },
  }

  /** Shows that this node lives, and sees which others do. */
  async function beat(): Promise<void> {
    if (address === undefined) return
    beats += 1
    const own = JSON.stringify(Object.fromEntries([...counts].map(([name, one]) => [name, one.own()])))
    await exec(`INSERT INTO server_nodes (id, address, beat, counts)
      VALUES ('${id}', ${literal(address)}, ${beats}, ${literal(own)})
      ON CONFLICT (id) DO UPDATE SET address = excluded.address, beat = excluded.beat, counts = excluded.counts`)
    const rows = await look()
    const others = rows.map(readCounts)
    for (const [name, one] of counts) one.take(others.flatMap((reported) => reported.get(name) ?? [])) // it counts no such
    const ended = rows.filter(({ id: other }) => silence(other) > FORGOTTEN_AFTER * silenceMillis)
    if (ended.length > 0)
      await exec(
        `DELETE FROM server_nodes WHERE (id, beat) IN (${ended.map((row) => `('${row.id}', ${row.beat})`).join()})`,
      )
  }

  async function look(): Promise<readonly Row[]> {
    const rows = (await exec(
      `SELECT id, address, beat, counts FROM server_nodes WHERE id <> '${id}'`,
    )) as Row[] // as selected
    const now = performance.now()
    seen = new Map(
      rows.map((row) => {
        const before = seen.get(row.id)
        return [row.id, before?.beat === row.beat ? before : { beat: row.beat, at: now }]
      }),
    )
    return rows
  }

  function silence(other: string): number {
    return performance.now() - (seen.get(other)?.at ?? 0) // each row has just been seen
  }
}

/** Those of another version may have another form. */
function readCounts({ counts }: Row): ReadonlyMap<string, string> {
  try {
    const reported: unknown = JSON.parse(counts ?? '{}')
    if (typeof reported !== 'object' || reported === null) return new Map()
    return new Map(Object.entries(reported).filter(([, own]) => typeof own === 'string'))
  } catch {
    return new Map()
  }
}
