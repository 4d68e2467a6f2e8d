// Authorisations of scripts: who answers for each, why the page needs it, until when. Configuration: each change is a
// change set of its zone.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps } from '../changes/index.ts'
import { demandZone, type Zone } from '../zones/index.ts'
import { authorizationStateOf, type AuthorizationState } from './authorization-state.rules.ts'
import {
  authorizationsOf,
  deleteAuthorization,
  findAuthorization,
  saveAuthorization,
  type Authorization,
} from './authorizations.store.ts'
import { countVersions } from './contents.store.ts'
import { lastUnfetched, listEvents, unfetchedTimes, type NumberedEvent } from './events.store.ts'
import { cutoffsAt, isForgotten, statusOf, type Status } from './life-cycle.rules.ts'
import { allResources } from './resource-list.store.ts'
import { findResource, type StoredResource } from './resources.store.ts'
import { retentionOf } from './settings.store.ts'
import { changeOp } from './settings.service.ts'
import { MAX_RESOURCES } from './sightings.service.ts'

export interface AuthorizationDraft {
  readonly owner: string
  readonly justification: string
  /** undefined = the caller. */
  readonly authorizedBy: string | undefined
  readonly expiresAt: string | null
  /** Of the content that was reviewed; undefined = what was last fetched. */
  readonly contentSha256: string | undefined
}

export interface ShownAuthorization {
  readonly authorization: Authorization
  readonly state: AuthorizationState
}

/** A line of the evidence: a script, and who answers for it. */
export interface EvidenceLine {
  readonly script: StoredResource
  readonly status: Status
  readonly versions: number
  readonly authorization: ShownAuthorization | undefined
}

export interface Evidence {
  readonly zone: Zone
  readonly at: string
  readonly lines: readonly EvidenceLine[]
  /** The latest, newest first. */
  readonly events: readonly NumberedEvent[]
  readonly eventCount: number
}

export interface AuthorizationsDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export type Authorizations = ReturnType<typeof createAuthorizations>

export function createAuthorizations({ storage, clock }: AuthorizationsDeps) {
  return { get, put, remove, evidence }

  /** @throws DomainError: zone.unknown, page_shield.authorization_unknown. */
  async function get(zoneId: string, scriptId: string): Promise<ShownAuthorization> {
    await demandZone(storage, zoneId)
    const authorization = await demandAuthorization(storage, zoneId, scriptId)
    const script = await findResource(storage, zoneId, scriptId)
    return show(authorization, script, await lastUnfetched(storage, zoneId, scriptId))
  }

  /**
   * For the content that was last fetched, or the one that is named. @throws DomainError: zone.unknown, page_shield.script_unknown,
   * page_shield.expires_at.
   */
  function put(
    zoneId: string,
    scriptId: string,
    { owner, justification, authorizedBy, expiresAt, contentSha256 }: AuthorizationDraft,
    actor: Actor,
  ): Promise<ShownAuthorization> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const script = await findResource(tx, zoneId, scriptId)
      const cutoffs = cutoffsAt(clock.now(), await retentionOf(tx, zoneId))
      if (script?.kind !== 'script' || isForgotten(script, cutoffs))
        throw new DomainError({ reason: 'page_shield.script_unknown' })
      if (expiresAt !== null && Date.parse(expiresAt) <= clock.now())
        throw new DomainError({ reason: 'page_shield.expires_at', pointer: '/expires_at' })
      const before = (await findAuthorization(tx, zoneId, scriptId)) ?? null
      const { url, host } = script
      const authorized = contentSha256 ?? script.contentSha256
      const after: Authorization = {
        zoneId,
        scriptId,
        url,
        host,
        owner,
        justification,
        hash: authorized === script.contentSha256 ? script.hash : null,
        contentSha256: authorized,
        authorizedBy: authorizedBy ?? actor.name,
        authorizedAt: clock.timestamp(),
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      }
      await saveAuthorization(tx, after)
      await record(tx, before, after, actor)
      return show(after, script, undefined)
    })
  }

  /** @throws DomainError: zone.unknown, page_shield.authorization_unknown. */
  function remove(zoneId: string, scriptId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const before = await demandAuthorization(tx, zoneId, scriptId)
      await deleteAuthorization(tx, zoneId, scriptId)
      await record(tx, before, null, actor)
    })
  }

  /**
   * Every script with its authorisation, and the latest events. @throws DomainError: zone.unknown.
   *
   * @param maxEvents of the events, as many at most.
   */
  async function evidence(zoneId: string, maxEvents: number): Promise<Evidence> {
    const zone = await demandZone(storage, zoneId)
    const cutoffs = cutoffsAt(clock.now(), await retentionOf(storage, zoneId))
    // Aside: it looks through the whole inventory, and through as many events.
    const scripts = await allResources(storage.aside, zoneId, 'script', cutoffs, MAX_RESOURCES)
    const versions = await countVersions(storage.aside, zoneId)
    const own = new Map((await authorizationsOf(storage, zoneId)).map((one) => [one.scriptId, one]))
    const { events, totalCount } = await listEvents(storage.aside, zoneId, {
      kind: undefined,
      offset: 0,
      limit: maxEvents,
    })
    const unfetched = await unfetchedTimes(storage.aside, zoneId)
    const lines = scripts.map((script): EvidenceLine => {
      const authorization = own.get(script.id)
      return {
        script,
        status: statusOf(script, cutoffs),
        versions: versions.get(script.id) ?? 0,
        authorization: authorization && show(authorization, script, unfetched.get(script.id)),
      }
    })
    return { zone, at: clock.timestamp(), lines, events, eventCount: totalCount }
  }

  function show(
    authorization: Authorization,
    script: StoredResource | undefined,
    unfetchedAt: string | undefined,
  ): ShownAuthorization {
    const present = script && { ...script, unfetchedAt }
    return { authorization, state: authorizationStateOf(authorization, present, clock.now()) }
  }

  async function record(
    tx: Transaction,
    before: Authorization | null,
    after: Authorization | null,
    actor: Actor,
  ): Promise<void> {
    const { zoneId, scriptId } = before ?? after ?? { zoneId: '', scriptId: '' }
    const ops = [changeOp(KIND, scriptId, before, after)]
    await appendChange(tx, { scopeId: zoneId, at: clock.timestamp(), actor, serial: null, ops })
  }
}

const KIND = 'page_shield.authorization'

/** Removes a zone's authorisations, writing them to the change set at `position`. */
export async function removeAuthorizations(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const own = await authorizationsOf(tx, zoneId)
  for (const { scriptId } of own) await deleteAuthorization(tx, zoneId, scriptId)
  await appendOps(
    tx,
    position,
    own.map((before) => changeOp(KIND, before.scriptId, before, null)),
  )
}

async function demandAuthorization(db: Reader, zoneId: string, scriptId: string): Promise<Authorization> {
  const found = await findAuthorization(db, zoneId, scriptId)
  if (found === undefined) throw new DomainError({ reason: 'page_shield.authorization_unknown' })
  return found
}
