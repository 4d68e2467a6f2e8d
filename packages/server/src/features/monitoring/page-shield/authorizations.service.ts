// Authorizations of scripts: who is responsible, why the page needs it, until when. They are configuration:
// each change is a change set of its zone.
import { type Actor, type Clock, DomainError } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp, type ChangeOp } from '../../changes/index.ts'
import { requireZone, type Zone } from '../../zones/index.ts'
import { authorizationStateOf, type AuthorizationState } from './authorization-state.rules.ts'
import {
  authorizationsOf,
  deleteAuthorization,
  findAuthorization,
  saveAuthorization,
  type Authorization,
} from './authorizations.store.ts'
import { asBrowserHash, countVersions, runKey, runTimes, type RunTimes } from './contents.store.ts'
import { allSpans, type FetchedSpan } from './sources.store.ts'
import { lastUnfetched, listEvents, unfetchedTimes, type NumberedEvent } from './events.store.ts'
import { cutoffsAt, isForgotten, statusOf, type Status } from './life-cycle.rules.ts'
import { allResources } from './resource-list.store.ts'
import { findResource, type StoredResource } from './resources.store.ts'
import { retentionOf } from './settings.store.ts'
import { MAX_RESOURCES } from './detections.service.ts'

export interface AuthorizationDraft {
  readonly owner: string
  readonly justification: string
  /** undefined = the caller. */
  readonly authorizedBy: string | undefined
  readonly expiresAt: string | null
  /** Digest of the reviewed content; undefined = the last fetched content. */
  readonly contentSha256: string | undefined
}

export interface ShownAuthorization {
  readonly authorization: Authorization
  readonly state: AuthorizationState
}

/** One line of the evidence: a script and its authorization. */
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
  /** The latest events, newest first. */
  readonly events: readonly NumberedEvent[]
  readonly eventCount: number
  /** By script, newest first. */
  readonly contents: readonly EvidenceContent[]
}

/** A content that a script had, and when it was fetched and run. */
export interface EvidenceContent {
  readonly span: FetchedSpan
  readonly url: string
  readonly host: string
  /** undefined = no browser reported to have run it. */
  readonly run: RunTimes | undefined
}

export interface AuthorizationsDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export type Authorizations = ReturnType<typeof createAuthorizations>

export function createAuthorizations({ storage, clock }: AuthorizationsDeps) {
  return { get, list, put, remove, evidence }

  /** @throws DomainError: zone.unknown, page_shield.authorization_unknown. */
  async function get(zoneId: string, scriptId: string): Promise<ShownAuthorization> {
    await requireZone(storage, zoneId)
    const authorization = await requireAuthorization(storage, zoneId, scriptId)
    const script = await findResource(storage, zoneId, scriptId)
    return show(authorization, script, await lastUnfetched(storage, zoneId, scriptId))
  }

  /**
   * Authorizations of a zone in the order of their scripts.
   * @param scriptIds undefined = of all scripts.
   * @throws DomainError: zone.unknown.
   */
  async function list(
    zoneId: string,
    scriptIds: readonly string[] | undefined,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly items: readonly ShownAuthorization[]; readonly totalCount: number }> {
    await requireZone(storage, zoneId)
    const ids = scriptIds && new Set(scriptIds)
    const found = (await authorizationsOf(storage, zoneId)).filter(
      ({ scriptId }) => ids === undefined || ids.has(scriptId),
    )
    const unfetched = await unfetchedTimes(storage.offload, zoneId)
    const items = found.slice(offset, offset + limit).map(async (authorization) => {
      const script = await findResource(storage, zoneId, authorization.scriptId)
      return show(authorization, script, unfetched.get(authorization.scriptId))
    })
    return { items: await Promise.all(items), totalCount: found.length }
  }

  /**
   * Authorizes the given content, or the last fetched one.
   * @throws DomainError: zone.unknown, page_shield.script_unknown, page_shield.expires_at.
   */
  function put(
    zoneId: string,
    scriptId: string,
    { owner, justification, authorizedBy, expiresAt, contentSha256 }: AuthorizationDraft,
    actor: Actor,
  ): Promise<ShownAuthorization> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
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
      await append(tx, { scopeId: zoneId, actor }, [changeOp(KIND, scriptId, before, after)])
      return show(after, script, undefined)
    })
  }

  /** @throws DomainError: zone.unknown, page_shield.authorization_unknown. */
  function remove(zoneId: string, scriptId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await requireAuthorization(tx, zoneId, scriptId)
      await deleteAuthorization(tx, zoneId, scriptId)
      await append(tx, { scopeId: zoneId, actor }, [changeOp(KIND, scriptId, before, null)])
    })
  }

  /**
   * Every script with its authorization, and the latest events.
   * @throws DomainError: zone.unknown.
   * @param maxEvents maximum number of events.
   */
  async function evidence(zoneId: string, maxEvents: number): Promise<Evidence> {
    const zone = await requireZone(storage, zoneId)
    const cutoffs = cutoffsAt(clock.now(), await retentionOf(storage, zoneId))
    // Offloaded: it reads the whole inventory and up to `maxEvents` events.
    const scripts = await allResources(storage.offload, zoneId, 'script', cutoffs, MAX_RESOURCES)
    const versions = await countVersions(storage.offload, zoneId)
    const own = new Map((await authorizationsOf(storage, zoneId)).map((one) => [one.scriptId, one]))
    const { events, totalCount } = await listEvents(storage.offload, zoneId, {
      kind: undefined,
      offset: 0,
      limit: maxEvents,
    })
    const unfetched = await unfetchedTimes(storage.offload, zoneId)
    const lines = scripts.map((script): EvidenceLine => {
      const authorization = own.get(script.id)
      return {
        script,
        status: statusOf(script, cutoffs),
        versions: versions.get(script.id) ?? 0, // never fetched
        authorization: authorization && show(authorization, script, unfetched.get(script.id)),
      }
    })
    const contents = await contentsOf(zoneId, scripts)
    return { zone, at: clock.timestamp(), lines, events, eventCount: totalCount, contents }
  }

  async function contentsOf(
    zoneId: string,
    scripts: readonly StoredResource[],
  ): Promise<readonly EvidenceContent[]> {
    const known = new Map(scripts.map((script) => [script.id, script]))
    const times = await runTimes(storage.offload, zoneId)
    return (await allSpans(storage.offload, zoneId, MAX_CONTENTS)).flatMap((span) => {
      const script = known.get(span.scriptId)
      if (script === undefined) return [] // forgotten, but not deleted yet
      const run = times.get(runKey(span.scriptId, asBrowserHash(span.contentSha256)))
      return { span, url: script.url, host: script.host, run }
    })
  }

  function show(
    authorization: Authorization,
    script: StoredResource | undefined,
    unfetchedAt: string | undefined,
  ): ShownAuthorization {
    const present = script && { ...script, unfetchedAt }
    return { authorization, state: authorizationStateOf(authorization, present, clock.now()) }
  }
}

const KIND = 'page_shield.authorization'
/** Of the evidence: as many as other exports have lines. */
const MAX_CONTENTS = 50_000

export async function authorizationDeletions(db: Reader, zoneId: string): Promise<readonly ChangeOp[]> {
  const own = await authorizationsOf(db, zoneId)
  return own.map((before) => changeOp(KIND, before.scriptId, before, null))
}

async function requireAuthorization(db: Reader, zoneId: string, scriptId: string): Promise<Authorization> {
  const found = await findAuthorization(db, zoneId, scriptId)
  if (found === undefined) throw new DomainError({ reason: 'page_shield.authorization_unknown' })
  return found
}
