// A node that follows compares its zones in memory with those of the node that writes, some at a time. A zone that
// differs at the same serial is read from the database again: here, and, if it still differs, there.
import type { Asking } from './asking.ts'

/** A zone in memory. */
export interface ZoneState {
  readonly serial: number
  /** Equal for equal contents. */
  readonly checksum: string
}

export interface ComparedZones {
  ids(): readonly string[]
  /** undefined if this node does not answer the zone, or it is changing. */
  stateOf(zoneId: string): Promise<ZoneState | undefined>
  /** Reads the zone from the database again. */
  reread(zoneId: string): Promise<void>
}

export interface ComparingDeps {
  readonly asking: Pick<Asking, 'begin'>
  /** Of the node that writes; undefined: it is this one, or there is none. */
  readonly writerAddress: () => string | undefined
  /** Proves that a node asks. */
  readonly headers: Readonly<Record<string, string>>
  readonly zones: ComparedZones
  /** A zone differed: where it was wrong, or `unknown` if it still differs. */
  readonly report: (zoneId: string, wrongAt: 'this node' | 'the node that writes' | 'unknown') => void
}

/** Answers with the states of the zones in its query, or, with POST, reads its one zone again before. */
export const ZONE_STATES_PATH = '/nodes/zone-states'
/** Compared in one run: the next run goes on with the next ones. */
export const ZONES_PER_RUN = 50
const LIMIT_MILLIS = 30_000
/** Far more than the states of the zones of one run. */
const MAX_REPLY_CHARACTERS = 100_000

type States = Readonly<Record<string, ZoneState | undefined>>

/** The reply to another node. */
export async function zoneStates({ stateOf }: ComparedZones, ids: readonly string[]): Promise<States> {
  const states: Record<string, ZoneState> = {}
  for (const id of ids.slice(0, ZONES_PER_RUN)) {
    const state = await stateOf(id)
    if (state !== undefined) states[id] = state
  }
  return states
}

/** @throws SyntaxError, TypeError: it is the reply of something else, such as a proxy */
function readStates(text: string): States {
  const read: unknown = JSON.parse(text)
  if (typeof read !== 'object' || read === null) throw new TypeError('no states of zones')
  return read as States // JSON objects are written by a node
}

export function createComparing({ asking, writerAddress, headers, zones, report }: ComparingDeps) {
  let last = ''
  return {
    /** Compares the next zones; does nothing on the node that writes. Failures are left to the next run. */
    async compareSome(): Promise<void> {
      const address = writerAddress()
      if (address === undefined) return
      const ids = nextZones()
      const theirs = await askFor(address, 'GET', ids)
      for (const id of ids) if (await differs(id, theirs)) await repair(address, id)
    },
  }

  /** In the order of their IDs, from the start again after the last. */
  function nextZones(): readonly string[] {
    const all = zones.ids().toSorted()
    const rest = all.filter((id) => id > last)
    const next = (rest.length > 0 ? rest : all).slice(0, ZONES_PER_RUN)
    last = next.at(-1) ?? '' // there is no zone
    return next
  }

  /** At different serials, one of the nodes is only later. */
  async function differs(id: string, theirs: States): Promise<boolean> {
    const [own, their] = [await zones.stateOf(id), theirs[id]]
    return (
      own !== undefined &&
      their !== undefined &&
      own.serial === their.serial &&
      own.checksum !== their.checksum
    )
  }

  async function repair(address: string, id: string): Promise<void> {
    // A setting without a serial of its own may have been applied between the two looks.
    if (!(await differs(id, await askFor(address, 'GET', [id])))) return
    await zones.reread(id)
    if (!(await differs(id, await askFor(address, 'GET', [id])))) return report(id, 'this node')
    const reread = await askFor(address, 'POST', [id])
    report(id, (await differs(id, reread)) ? 'unknown' : 'the node that writes')
  }

  /** @throws Error: the node did not answer */
  function askFor(address: string, method: 'GET' | 'POST', ids: readonly string[]): Promise<States> {
    const path = `${ZONE_STATES_PATH}?zones=${ids.join(',')}`
    return new Promise((resolve, reject) => {
      const asked = asking.begin({ address, method, path, headers })
      const limit = setTimeout(() => asked.destroy(new Error('no states of zones in time')), LIMIT_MILLIS)
      asked.once('response', (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
          if (text.length > MAX_REPLY_CHARACTERS) asked.destroy(new Error('the reply has no end'))
        })
        answer.once('error', reject)
        answer.once('end', () => {
          if (answer.statusCode !== 200)
            return reject(new Error(`the node answered with status ${answer.statusCode}`))
          try {
            resolve(readStates(text))
          } catch (failure) {
            reject(failure)
          }
        })
      })
      asked.once('error', reject)
      asked.once('close', () => {
        clearTimeout(limit)
        reject(new Error('the node closed the connection'))
      })
      asked.end()
    })
  }
}
