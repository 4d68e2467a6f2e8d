// Keys, ACLs and peers of accounts. Each change is a change set of the account, and is in force when it is answered.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { findAccount } from '../accounts/index.ts'
import { appendChange } from '../changes/index.ts'
import {
  MAX_TRANSFER_OBJECTS,
  type ObjectOf,
  type StoredPeer,
  type StoredTsig,
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
  readonly clock: Clock
  readonly ids: Ids
  /** Puts into force what an account has now. */
  readonly announceAccount: (tx: Transaction, accountId: string) => Promise<void>
  /** Whether a zone or catalog zone of the account refers to a peer. */
  readonly isPeerUsed: (db: Reader, accountId: string, peerId: string) => Promise<boolean>
}

/** An object before it has an id and an owner. */
type Draft<K extends TransferKind> = Omit<ObjectOf<K>, 'id' | 'accountId'>

export function createTransferObjects(deps: TransferObjectsDeps) {
  const { storage, clock, ids, announceAccount, isPeerUsed } = deps

  return {
    /** @throws DomainError: every broken rule of keys; tsig.taken, tsig.in_use, tsig.unknown. */
    tsigs: kindOf('tsig', (definition: TsigDefinition) => readTsig(definition)),
    /** @throws DomainError: acl.ip_range, acl.unknown. */
    acls: kindOf('acl', (definition: AclDefinition) => readAcl(definition)),
    /** @throws DomainError: peer.ip, peer.tsig, peer.in_use, peer.unknown. */
    peers: kindOf('peer', (definition: PeerDefinition) => readPeer(definition)),
  }

  function kindOf<K extends TransferKind, Definition>(kind: K, read: (definition: Definition) => Draft<K>) {
    return { list, get, create, update, remove }

    async function list(accountId: string): Promise<ObjectOf<K>[]> {
      await demandAccount(storage, accountId)
      return objectsOf(storage, accountId, kind)
    }

    function get(accountId: string, id: string): Promise<ObjectOf<K>> {
      return demand(storage, accountId, kind, id)
    }

    function create(accountId: string, definition: Definition, actor: Actor): Promise<ObjectOf<K>> {
      const object = { ...read(definition), id: ids.id(), accountId } as ObjectOf<K> // a draft and what it lacked
      return storage.write(async (tx) => {
        await demandAccount(tx, accountId)
        await demandFitting(tx, object)
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
        const before = await demand(tx, accountId, kind, id)
        const after = { ...draft, id, accountId } as ObjectOf<K> // a draft and what it lacked
        await demandFitting(tx, after)
        await updateObject(tx, after)
        await record(tx, { before, after }, actor)
        return after
      })
    }

    function remove(accountId: string, id: string, actor: Actor): Promise<void> {
      return storage.write(async (tx) => {
        const before = await demand(tx, accountId, kind, id)
        await demandUnused(tx, before)
        await deleteObject(tx, id)
        await record(tx, { before, after: null }, actor)
      })
    }
  }

  async function record(
    tx: Transaction,
    { before, after }: { readonly before: TransferObject | null; readonly after: TransferObject | null },
    actor: Actor,
  ): Promise<void> {
    const { kind, id, accountId } = (after ?? before) as TransferObject // one of them is there
    const verb = before === null ? 'create' : after === null ? 'delete' : 'update'
    const ops = [
      { kind: `transfer_${kind}.${verb}`, objectId: id, before: logged(before), after: logged(after) },
    ]
    await appendChange(tx, { scopeId: accountId, at: clock.timestamp(), actor, serial: null, ops })
    await announceAccount(tx, accountId)
  }

  /** What must be true of an object beside others. */
  async function demandFitting(tx: Transaction, object: TransferObject): Promise<void> {
    if (object.kind === 'tsig' && (await isKeyNameTaken(tx, object.name, object.id)))
      throw new DomainError({ reason: 'tsig.taken', pointer: '/name', values: { name: object.name } })
    if (object.kind === 'peer') await demandKey(tx, object)
  }

  async function demandKey(tx: Transaction, { accountId, tsigId }: StoredPeer): Promise<void> {
    if (tsigId !== null && (await findObject(tx, accountId, 'tsig', tsigId)) === undefined)
      throw new DomainError({ reason: 'peer.tsig', pointer: '/tsig_id', values: { id: tsigId } })
  }

  async function demandUnused(tx: Transaction, object: TransferObject): Promise<void> {
    if (object.kind === 'tsig' && (await isKeyUsed(tx, object)))
      throw new DomainError({ reason: 'tsig.in_use', values: { id: object.id } })
    if (object.kind === 'peer' && (await isPeerUsed(tx, object.accountId, object.id)))
      throw new DomainError({ reason: 'peer.in_use', values: { id: object.id } })
  }
}

async function isKeyUsed(db: Reader, { accountId, id }: StoredTsig): Promise<boolean> {
  return (await objectsOf(db, accountId, 'peer')).some(({ tsigId }) => tsigId === id)
}

async function demand<K extends TransferKind>(
  db: Reader,
  accountId: string,
  kind: K,
  id: string,
): Promise<ObjectOf<K>> {
  const object = await findObject(db, accountId, kind, id)
  if (object === undefined) throw new DomainError({ reason: `${kind}.unknown`, values: { id } })
  return object
}

async function demandAccount(db: Reader, id: string): Promise<void> {
  if ((await findAccount(db, id)) === undefined) throw new DomainError({ reason: 'account.unknown' })
}

/** The log is read by more people than may see a secret. */
function logged(object: TransferObject | null): string | null {
  if (object === null) return null
  return JSON.stringify(object.kind === 'tsig' ? { ...object, secret: '(not shown)' } : object)
}
