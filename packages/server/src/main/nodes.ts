// This server as one of several nodes with one database: it follows the change log while another node writes, and takes
// over when that one has ended.
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config, Endpoint } from '@zonereeve/config'
import { createPromise } from '@zonereeve/cooperate'
import {
  createLogFollower,
  lastPosition,
  type EventHub,
  type LogFollower,
} from '../features/changes/index.ts'
import { NODE_CREDENTIAL, type NodeAccess } from '../http/index.ts'
import { createComparing, createNodeClient, type WrongAt } from '@zonereeve/nodes'
import { type ComparedZonesDeps, createComparedZones } from '../features/dns/publication/index.ts'
import type { Log } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'

export interface NodesDeps {
  readonly config: Pick<Config, 'nodeUrl' | 'keyEncryptionSecret' | 'zonesOf'>
  readonly storage: Storage
  readonly hub: EventHub
  readonly log: Log
}

export type Nodes = Awaited<ReturnType<typeof createNodes>>

/**
 * Call it before anything is read into memory: what is written meanwhile is followed.
 *
 * @returns undefined if this server is the only one.
 */
export async function createNodes({ config, storage, hub, log }: NodesDeps) {
  const { nodeUrl, keyEncryptionSecret: secret, zonesOf } = config
  const role = storage.node
  if (role === undefined || nodeUrl === undefined || secret === undefined) return undefined
  const follower: LogFollower = createLogFollower({
    storage,
    hub,
    log,
    position: await lastPosition(storage),
  })
  const lost = createPromise<void>()
  const client = createNodeClient()
  let isEnding = false
  const access: NodeAccess = {
    ...role,
    onlyFollows: zonesOf !== undefined,
    reached: follower.reached,
    waitFor: follower.waitFor,
    credential: createHmac('sha256', secret).update('zonereeve: requests between nodes').digest('hex'),
  }
  return {
    isWriter: role.isWriter,
    /** Compares zones in memory with those of the node that writes. @param count counts those that differed. */
    compareZones(
      publication: Omit<ComparedZonesDeps, 'isWriter' | 'betweenChanges'>,
      count: (wrongAt: WrongAt) => void,
    ) {
      const { isWriter, writerAddress } = role
      const zones = createComparedZones({ ...publication, isWriter, betweenChanges: follower.betweenChanges })
      const headers = { [NODE_CREDENTIAL]: access.credential }
      const { compareSome } = createComparing({
        client,
        headers,
        zones,
        writerAddress,
        report(zoneId, wrongAt) {
          count(wrongAt)
          log.error(
            { zoneId, wrongAt },
            'zone in memory differed between nodes: read again from the database',
          )
        },
      })
      return { compareSome, access: { ...access, zones } }
    },
    /** Notes what this node has written and applied. */
    reach: follower.reach,
    /** The position of the log that this node has applied, or begins to follow at. */
    reached: follower.reached,
    /** Resolves when another node has taken the place of this one. */
    lost: lost.promise,
    /**
     * Follows the log, and publishes where this node is reached.
     *
     * @param lead called when this node has become the writer and applied all changes.
     */
    async start(http: Endpoint, lead: () => Promise<void>): Promise<void> {
      const url = new URL(nodeUrl)
      if (url.port === '0') url.port = String(http.port)
      await role.setAddress(url.origin)
      role.onWake(follower.wake)
      if (!role.isWriter()) follower.start()
      role.begin({
        catchUp: follower.catchUp,
        lead: () => leadUntilDone(lead),
        lose: lost.resolve,
      })
    },
    /** Does not become the writer any more. Resolves when the work of a new writer has begun or failed. */
    end(): Promise<void> {
      isEnding = true
      return role.end()
    },
    async stop(): Promise<void> {
      await follower.stop()
      client.close()
    },
    betweenChanges: follower.betweenChanges,
  }

  /** The database may be gone again. */
  async function leadUntilDone(lead: () => Promise<void>): Promise<void> {
    while (role?.isWriter() === true && !isEnding)
      try {
        return await lead()
      } catch (failure) {
        log.error({ err: failure }, 'work of the writer not begun: it is tried again')
        await sleep(PAUSE_MILLIS)
      }
  }
}

const PAUSE_MILLIS = 1_000
