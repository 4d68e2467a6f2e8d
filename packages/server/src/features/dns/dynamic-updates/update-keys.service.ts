// Keys that sign updates: created for a token, shown once, effective once the reply is sent, deleted with their
// token.
import {
  type Name,
  NameError,
  octetsFromBase64,
  parseName,
  ROOT,
  type TsigAlgorithm,
  type TsigKey,
} from '@zonereeve/dns'
import { type Actor, type Clock, DomainError, type Ids, ifReadable } from '@zonereeve/platform'
import type { ChangeEvent, Reader, Storage } from '@zonereeve/storage'
import { append, changeOp, deletionOp } from '../../changes/index.ts'
import { findToken, type Bound, type Tokens } from '../../accounts/index.ts'
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
  readonly tokens: Pick<Tokens, 'requireBounded'>
}

/** Maximum number of keys per user. */
export const MAX_UPDATE_KEYS = 1_000

export type UpdateKeys = ReturnType<typeof createUpdateKeys>

export function createUpdateKeys({ storage, clock, ids, tokens }: UpdateKeysDeps) {
  /** All keys by name, so that signatures are checked without waiting. */
  const inForce = new Map<string, UpdateKey>()
  /** Number of changes to it: a change that is committed during a read may be missing from what was read. */
  let changes = 0
  return { load, follow, list, get, create, remove, find, findKey }

  /** Reads the stored keys: before messages are accepted, and again when this node takes over from another one. */
  async function load(): Promise<void> {
    let stored: readonly UpdateKey[]
    let before: number
    do {
      before = changes
      stored = await allUpdateKeys(storage)
    } while (before !== changes)
    // Another node may have deleted some.
    inForce.clear()
    for (const key of stored) inForce.set(key.name, key)
  }

  /** Those that another node has created and deleted. */
  async function follow({ isOfOtherNode, kinds }: ChangeEvent): Promise<void> {
    if (isOfOtherNode === true && kinds.some((kind) => kind.startsWith('update_key.'))) await load()
  }

  function list(userId: string): Promise<UpdateKey[]> {
    return listUpdateKeys(storage, userId)
  }

  /** @throws DomainError: update_key.unknown. */
  function get(userId: string, id: string): Promise<UpdateKey> {
    return requireUpdateKey(storage, userId, id)
  }

  /** @throws DomainError: update_key.name, update_key.taken, update_key.token, update_key.quota. */
  function create(
    userId: string,
    definition: UpdateKeyDefinition,
    actor: Actor,
    bound?: Bound,
  ): Promise<UpdateKey> {
    const { tokenId, algorithm } = definition
    const name = readKeyName(definition.name)
    return storage.write(async (tx) => {
      const token = await findToken(tx, { kind: 'user', id: userId }, tokenId)
      if (token === undefined)
        throw new DomainError({ reason: 'update_key.token', pointer: '/token_id', values: { id: tokenId } })
      // The key acts as the token, so its secret is worth as much as the token.
      await tokens.requireBounded(tx, token, bound, '/token_id')
      if (await isUpdateKeyNamed(tx, name))
        throw new DomainError({ reason: 'update_key.taken', pointer: '/name', values: { name } })
      if ((await listUpdateKeys(tx, userId)).length >= MAX_UPDATE_KEYS)
        throw new DomainError({ reason: 'update_key.quota', values: { limit: MAX_UPDATE_KEYS } })
      const createdOn = clock.timestamp()
      const key = { id: ids.id(), name, algorithm, secret: newSecret(), tokenId, userId, createdOn }
      await insertUpdateKey(tx, key)
      await append(tx, { scopeId: userId, actor }, [
        changeOp('update_key.create', key.id, null, key, toLogJson),
      ])
      tx.onCommit(() => {
        inForce.set(name, key)
        changes += 1
      })
      return key
    })
  }

  /** @throws DomainError: update_key.unknown. */
  function remove(userId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const key = await ifReadable(requireUpdateKey(tx, userId, id))
      await deleteUpdateKey(tx, id)
      await append(tx, { scopeId: userId, actor }, [deletionOp('update_key.delete', id, key, toLogJson)])
      // A key whose row was damaged after it was read may still be in memory.
      const names = [...inForce.values()].filter((known) => known.id === id).map(({ name }) => name)
      tx.onCommit(() => {
        for (const gone of names) inForce.delete(gone)
        changes += 1
      })
    })
  }

  /** The key of a name. It may still be found after its token is deleted; the token is checked separately. */
  function find(name: Name): UpdateKey | undefined {
    return inForce.get(name)
  }

  /** In the form used to verify signatures. */
  function findKey(name: Name, algorithm: TsigAlgorithm): TsigKey | undefined {
    const key = inForce.get(name)
    if (key === undefined || key.algorithm !== algorithm) return undefined
    return { name, algorithm, secret: octetsFromBase64(key.secret) ?? new Uint8Array() }
  }

  /** 240 random bits, as 40 characters that need no escaping. */
  function newSecret(): string {
    return Buffer.from(ids.tokenValue(), 'latin1').toString('base64')
  }
}

/** @throws DomainError: update_key.unknown. */
async function requireUpdateKey(db: Reader, userId: string, id: string): Promise<UpdateKey> {
  const key = await findUpdateKey(db, userId, id)
  if (key === undefined) throw new DomainError({ reason: 'update_key.unknown', values: { id } })
  return key
}

/** The log has more readers than those who may see a secret. */
const toLogJson = (key: UpdateKey): string => JSON.stringify({ ...key, secret: '(not shown)' })

function readKeyName(text: string): Name {
  try {
    const name = parseName(text)
    if (name !== ROOT) return name
  } catch (error) {
    if (!(error instanceof NameError)) throw error // the client wrote it: reported below
  }
  throw new DomainError({ reason: 'update_key.name', pointer: '/name' })
}
