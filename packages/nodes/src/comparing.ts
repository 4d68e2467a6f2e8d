// A node that follows compares its zones in memory with those of the node that writes, some at a time. A zone that
// differs at the same serial, or whose changes could not be applied, is read from the database again: here, and, if it
// still differs, there.
import type { NodeClient } from './node-client.ts'

/** A zone in memory. */
export interface ZoneState {
  readonly serial: number
  /** Equal for equal contents. */
  readonly checksum: string
  /** A change could not be applied: it is wrong at whatever serial. */
  readonly isOutOfStep?: boolean
}

export interface ComparedZones {
  ids(): readonly string[]
  /** Zones of which a change could not be applied, loaded or not. */
  outOfStep(): readonly string[]
  /** undefined if this node does not answer the zone, or it is changing. */
  stateOf(zoneId: string): Promise<ZoneState | undefined>
  /** Reads the zone from the database again. */
  reread(zoneId: string): Promise<void>
}

export interface ComparingDeps {
  readonly client: Pick<NodeClient, 'begin'>
  /** Of the node that writes; undefined: it is this one, or there is none. */
  readonly writerAddress: () => string | undefined
  /** Proves that a node asks. */
  readonly headers: Readonly<Record<string, string>>
  readonly zones: ComparedZones
  /** A zone differed. */
  readonly report: (zoneId: string, wrongAt: WrongAt) => void
}

/** At this node, or at the one that writes; unknown: it still differs. */
export type WrongAt = 'self' | 'writer' | 'unknown'

/** Answers with the states of the zones in its query, or, with POST, reads its one zone again before. */
export const ZONE_STATES_PATH = '/nodes/zone-states'
/** Compared in one run: the next run goes on with the next ones. */
export const ZONES_PER_RUN = 50
const LIMIT_MILLIS = 30_000
/** Far more than the states of the zones of one run. */
const MAX_REPLY_CHARACTERS = 100_000

type States = Readonly<Record<string, ZoneState | undefined>>

/** The reply to another node. @param signal aborted when that one waits for it no longer: the reply lacks zones then. */
export async function zoneStates(
  { stateOf }: Pick<ComparedZones, 'stateOf'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<States> {
  const states: Record<string, ZoneState> = {}
  for (const id of ids.slice(0, ZONES_PER_RUN)) {
    if (signal.aborted) break
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

interface StatesRequest {
  readonly address: string
  readonly method: 'GET' | 'POST'
  readonly signal: AbortSignal
}

export function createComparing({ client, writerAddress, headers, zones, report }: ComparingDeps) {
  /** Zones of this round, in the order of their IDs, and how many of them have had their turn. */
  let round: readonly string[] = []
  let done = 0
  return {
    /**
     * Compares the next zones, and those of which a change could not be applied; does nothing on the node that writes.
     * Failures are left to the next run.
     *
     * @param signal ends it soon.
     */
    async compareSome(signal: AbortSignal): Promise<void> {
      const address = writerAddress()
      if (address === undefined) return
      try {
        const ids = nextZones()
        const theirs = await requestStates({ address, method: 'GET', signal }, ids)
        for (const id of ids) {
          if (signal.aborted) return
          if (await differs(id, theirs)) await repair(address, id, signal)
        }
      } catch (failure) {
        if (!signal.aborted) throw failure
      }
    },
  }

  /** Each zone once in a round. Those that have come or gone since it began are not in it, or not answered. */
  function nextZones(): readonly string[] {
    if (done >= round.length) [round, done] = [zones.ids().toSorted(), 0]
    const outOfStep = zones.outOfStep().slice(0, ZONES_PER_RUN / 2)
    const next = round.slice(done, done + ZONES_PER_RUN - outOfStep.length)
    done += next.length
    return [...next, ...outOfStep] // the last, because they are the ones that cannot be read
  }

  /** At different serials, one of the nodes is only later. */
  async function differs(id: string, theirs: States): Promise<boolean> {
    const [own, their] = [await zones.stateOf(id), theirs[id]]
    if (own?.isOutOfStep === true) return true
    if (own === undefined || their === undefined) return false
    return their.isOutOfStep === true || (own.serial === their.serial && own.checksum !== their.checksum)
  }

  async function repair(address: string, id: string, signal: AbortSignal): Promise<void> {
    const statesBy = (method: 'GET' | 'POST') => requestStates({ address, method, signal }, [id])
    // A setting without a serial of its own may have been applied between the two looks.
    if (!(await differs(id, await statesBy('GET')))) return
    await zones.reread(id)
    if (!(await differs(id, await statesBy('GET')))) return report(id, 'self')
    const reread = await statesBy('POST')
    report(id, (await differs(id, reread)) ? 'unknown' : 'writer')
  }

  /** @throws Error: the node did not answer, or the signal was aborted */
  function requestStates(
    { address, method, signal }: StatesRequest,
    ids: readonly string[],
  ): Promise<States> {
    const path = `${ZONE_STATES_PATH}?zones=${ids.join(',')}`
    return new Promise((resolve, reject) => {
      const nodeRequest = client.begin({ address, method, path, headers })
      const end = (): void => void nodeRequest.destroy(new Error('not needed any more'))
      const limit = setTimeout(
        () => nodeRequest.destroy(new Error('no states of zones in time')),
        LIMIT_MILLIS,
      )
      signal.addEventListener('abort', end)
      nodeRequest.once('response', (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (chunk: string) => {
          text += chunk
          if (text.length > MAX_REPLY_CHARACTERS) nodeRequest.destroy(new Error('the reply has no end'))
        })
        reply.once('error', reject)
        reply.once('end', () => {
          if (reply.statusCode !== 200)
            return reject(new Error(`the node answered with status ${reply.statusCode}`))
          try {
            resolve(readStates(text))
          } catch (failure) {
            reject(failure)
          }
        })
      })
      nodeRequest.once('error', reject)
      nodeRequest.once('close', () => {
        clearTimeout(limit)
        signal.removeEventListener('abort', end)
        reject(new Error('the node closed the connection'))
      })
      if (signal.aborted) end()
      nodeRequest.end()
    })
  }
}
