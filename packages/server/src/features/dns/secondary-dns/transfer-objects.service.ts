// Keys, ACLs and peers of accounts. Each change is a change set of the account, and is effective once the reply is
// sent.
import { type Actor, DomainError, type Ids, ifReadable } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, deletionOp, verbOf } from '../../changes/index.ts'
import { requireAccount } from './catalog-zone.service.ts'
import {
  MAX_TRANSFER_OBJECTS,
  type ObjectOf,
  type StoredPeer,
  type TransferKind,
  type TransferObject,
} from './transfer-object.ts'
import { readAcl, readPeer, readTsig } from './transfer-objects.rules.ts'
import type { AclDefinition, PeerDefinition, TsigDefinition } from './transfer-objects.rules.ts'
import {
  deleteObject,
  findObject,
  insertObject,
  isKeyNameTaken,
  objectsOf,
  updateObject,
} from './transfer-objects.store.ts'

export interface TransferObjectsDeps {
  readonly storage: Storage
  readonly ids: Ids
  /** Whether a zone or catalog zone of the account refers to a peer. */
  readonly isPeerUsed: (db: Reader, accountId: string, peerId: string) => Promise<boolean>
}

type ObjectPlace = Pick<TransferObject, 'kind' | 'id' | 'accountId'>

/** An object before it has an id and an account. */
type Draft<K extends TransferKind> = Omit<ObjectOf<K>, 'id' | 'accountId'>

export function createTransferObjects(deps: TransferObjectsDeps) {
  const { storage, ids, isPeerUsed } = deps

  return {
    /** @throws DomainError: every broken rule of keys; tsig.taken, tsig.in_use, tsig.unknown. */
    tsigs: kindOf('tsig', (definition: TsigDefinition) => readTsig(definition)),
    /** @throws DomainError: acl.ip_range, acl.unknown. */
    acls: kindOf('acl', (definition: AclDefinition) => readAcl(definition)),
    /** @throws DomainError: peer.ip, peer.tls, peer.tsig, peer.in_use, peer.unknown. */
    peers: kindOf('peer', (definition: PeerDefinition) => readPeer(definition)),
  }

  function kindOf<K extends TransferKind, Definition>(kind: K, read: (definition: Definition) => Draft<K>) {
    return { list, get, create, update, remove }

    async function list(accountId: string): Promise<ObjectOf<K>[]> {
      await requireAccount(storage, accountId)
      return objectsOf(storage, accountId, kind)
    }

    function get(accountId: string, id: string): Promise<ObjectOf<K>> {
      return requireTransferObject(storage, accountId, kind, id)
    }

    function create(accountId: string, definition: Definition, actor: Actor): Promise<ObjectOf<K>> {
      const object = { ...read(definition), id: ids.id(), accountId } as ObjectOf<K> // a draft and its missing members
      return storage.write(async (tx) => {
        await requireAccount(tx, accountId)
        await requireFitting(tx, object)
        if ((await objectsOf(tx, accountId, kind)).length >= MAX_TRANSFER_OBJECTS)
          throw new DomainError({ reason: 'transfer_object.quota', values: { limit: MAX_TRANSFER_OBJECTS } })
        await insertObject(tx, object)
        await record(tx, { before: null, after: object }, actor)
        return object
      })
    }

    function update(
      accountId: string,
      id: string,
      definition: Definition,
      actor: Actor,
    ): Promise<ObjectOf<K>> {
      const draft = read(definition)
      return storage.write(async (tx) => {
        const before = await ifReadable(requireTransferObject(tx, accountId, kind, id))
        const after = { ...draft, id, accountId } as ObjectOf<K> // a draft and its missing members
        await requireFitting(tx, after)
        await updateObject(tx, after)
        await record(tx, { before: before ?? null, after }, actor)
        return after
      })
    }

    function remove(accountId: string, id: string, actor: Actor): Promise<void> {
      return storage.write(async (tx) => {
        const before = await ifReadable(requireTransferObject(tx, accountId, kind, id))
        await requireUnused(tx, before ?? { kind, id, accountId })
        await deleteObject(tx, id)
        const op = deletionOp(`transfer_${kind}.delete`, id, before, toLogJson)
        await append(tx, { scopeId: accountId, actor }, [op])
      })
    }
  }

  async function record(
    tx: Transaction,
    { before, after }: { readonly before: TransferObject | null; readonly after: TransferObject },
    actor: Actor,
  ): Promise<void> {
    const { kind, id, accountId } = after
    const verb = verbOf(before, after)
    await append(tx, { scopeId: accountId, actor }, [
      changeOp(`transfer_${kind}.${verb}`, id, before, after, toLogJson),
    ])
  }

  /** Checks an object against the other objects. */
  async function requireFitting(tx: Transaction, object: TransferObject): Promise<void> {
    if (object.kind === 'tsig' && (await isKeyNameTaken(tx, object.name, object.id)))
      throw new DomainError({ reason: 'tsig.taken', pointer: '/name', values: { name: object.name } })
    if (object.kind === 'peer') await requireKey(tx, object)
  }

  async function requireKey(tx: Transaction, { accountId, tsigId }: StoredPeer): Promise<void> {
    if (tsigId !== null && (await findObject(tx, accountId, 'tsig', tsigId)) === undefined)
      throw new DomainError({ reason: 'peer.tsig', pointer: '/tsig_id', values: { id: tsigId } })
  }

  async function requireUnused(tx: Transaction, object: ObjectPlace): Promise<void> {
    if (object.kind === 'tsig' && (await isKeyUsed(tx, object)))
      throw new DomainError({ reason: 'tsig.in_use', values: { id: object.id } })
    if (object.kind === 'peer' && (await isPeerUsed(tx, object.accountId, object.id)))
      throw new DomainError({ reason: 'peer.in_use', values: { id: object.id } })
  }
}

async function isKeyUsed(db: Reader, { accountId, id }: ObjectPlace): Promise<boolean> {
  return (await objectsOf(db, accountId, 'peer')).some(({ tsigId }) => tsigId === id)
}

async function requireTransferObject<K extends TransferKind>(
  db: Reader,
  accountId: string,
  kind: K,
  id: string,
): Promise<ObjectOf<K>> {
  const object = await findObject(db, accountId, kind, id)
  if (object === undefined) throw new DomainError({ reason: `${kind}.unknown`, values: { id } })
  return object
}

/** The log has more readers than those who may see a secret. */
const toLogJson = (object: TransferObject): string =>
  JSON.stringify(object.kind === 'tsig' ? { ...object, secret: '(not shown)' } : object)
