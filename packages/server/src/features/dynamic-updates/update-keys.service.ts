// Keys that sign updates: made for a token, shown once, in force when that is answered, gone with their token.
import { octetsFromBase64, NameError, parseName, ROOT } from '@zonereeve/dns'
import type { Name, TsigAlgorithm, TsigKey } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { appendChange } from '../changes/index.ts'
import { findToken } from '../tokens/index.ts'
import {
  allUpdateKeys,
  deleteUpdateKey,
  findUpdateKey,
  insertUpdateKey,
  isUpdateKeyNamed,
  listUpdateKeys,
  type UpdateKey,
} from './update-keys.store.ts'

export interface UpdateKeyDefinition {
  readonly name: string
  readonly tokenId: string
  readonly algorithm: TsigAlgorithm
}

export interface UpdateKeysDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

/** Keys of one user. */
export const MAX_UPDATE_KEYS = 1_000

export type UpdateKeys = ReturnType<typeof createUpdateKeys>

export function createUpdateKeys({ storage, clock, ids }: UpdateKeysDeps) {
  /** All keys, by name: signatures are checked without waiting. */
  const inForce = new Map<string, UpdateKey>()
  return { load, list, get, create, remove, find, findKey }

  /** Reads the stored keys; before messages are taken. */
  async function load(): Promise<void> {
    for (const key of await allUpdateKeys(storage)) inForce.set(key.name, key)
  }

  function list(userId: string): Promise<UpdateKey[]> {
    return listUpdateKeys(storage, userId)
  }

  /** @throws DomainError: update_key.unknown. */
  async function get(userId: string, id: string): Promise<UpdateKey> {
    const key = await findUpdateKey(storage, userId, id)
    if (key === undefined) throw new DomainError({ reason: 'update_key.unknown', values: { id } })
    return key
  }

  /** @throws DomainError: update_key.name, update_key.taken, update_key.token, update_key.quota. */
  function create(userId: string, definition: UpdateKeyDefinition, actor: Actor): Promise<UpdateKey> {
    const { tokenId, algorithm } = definition
    const name = readKeyName(definition.name)
    return storage.write(async (tx) => {
      if ((await findToken(tx, { kind: 'user', id: userId }, tokenId)) === undefined)
        throw new DomainError({ reason: 'update_key.token', pointer: '/token_id', values: { id: tokenId } })
      if (await isUpdateKeyNamed(tx, name))
        throw new DomainError({ reason: 'update_key.taken', pointer: '/name', values: { name } })
      if ((await listUpdateKeys(tx, userId)).length >= MAX_UPDATE_KEYS)
        throw new DomainError({ reason: 'update_key.quota', values: { limit: MAX_UPDATE_KEYS } })
      const createdOn = clock.timestamp()
      const key = { id: ids.id(), name, algorithm, secret: newSecret(), tokenId, userId, createdOn }
      await insertUpdateKey(tx, key)
      await record(tx, 'update_key.create', null, key, actor)
      tx.onCommit(() => void inForce.set(name, key))
      return key
    })
  }

  /** @throws DomainError: update_key.unknown. */
  function remove(userId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const key = await findUpdateKey(tx, userId, id)
      if (key === undefined) throw new DomainError({ reason: 'update_key.unknown', values: { id } })
      await deleteUpdateKey(tx, id)
      await record(tx, 'update_key.delete', key, null, actor)
      tx.onCommit(() => void inForce.delete(key.name))
    })
  }

  /** The key of a name. One whose token is gone may still be found: what it stands for is not. */
  function find(name: Name): UpdateKey | undefined {
    return inForce.get(name)
  }

  /** As signatures are checked with. */
  function findKey(name: Name, algorithm: TsigAlgorithm): TsigKey | undefined {
    const key = inForce.get(name)
    if (key === undefined || key.algorithm !== algorithm) return undefined
    return { name, algorithm, secret: octetsFromBase64(key.secret) ?? new Uint8Array() }
  }

  /** 240 random bits, as 40 characters that stand for themselves. */
  function newSecret(): string {
    return Buffer.from(ids.tokenValue(), 'latin1').toString('base64')
  }

  async function record(
    tx: Transaction,
    kind: string,
    before: UpdateKey | null,
    after: UpdateKey | null,
    actor: Actor,
  ): Promise<void> {
    const { id, userId } = (after ?? before) as UpdateKey // one of them is there
    const ops = [{ kind, objectId: id, before: logged(before), after: logged(after) }]
    await appendChange(tx, { scopeId: userId, at: clock.timestamp(), actor, serial: null, ops })
  }
}

/** The log is read by more people than may see a secret. */
function logged(key: UpdateKey | null): string | null {
  return key && JSON.stringify({ ...key, secret: '(not shown)' })
}

function readKeyName(text: string): Name {
  try {
    const name = parseName(text)
    if (name !== ROOT) return name
  } catch (error) {
    if (!(error instanceof NameError)) throw error // the caller wrote it: told below
  }
  throw new DomainError({ reason: 'update_key.name', pointer: '/name' })
}
