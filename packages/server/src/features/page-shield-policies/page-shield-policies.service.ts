// Content-security policies of zones: configuration, so each change is a change set of its zone. DNS does not change.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Notice } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import { demandZone } from '../zones/index.ts'
import {
  checkFields,
  quotaIssues,
  quotaOf,
  type Policy,
  type PolicyFields,
} from './page-shield-policies.rules.ts'
import {
  deletePolicy,
  findPolicy,
  insertPolicy,
  policiesOf,
  updatePolicy,
} from './page-shield-policies.store.ts'
import { deleteViolations } from './violations.store.ts'

export interface PageShieldPoliciesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** Of a zone with the plan that has policies. */
  readonly maxPolicies: number
}

export interface Written {
  readonly policy: Policy
  readonly notices: readonly Notice[]
}

export type PageShieldPolicies = ReturnType<typeof createPageShieldPolicies>

export function createPageShieldPolicies({ storage, clock, ids, maxPolicies }: PageShieldPoliciesDeps) {
  return { list, get, create, edit, remove }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string): Promise<Policy[]> {
    await demandZone(storage, zoneId)
    return policiesOf(storage, zoneId)
  }

  /** @throws DomainError: zone.unknown, page_shield_policy.unknown. */
  async function get(zoneId: string, id: string): Promise<Policy> {
    await demandZone(storage, zoneId)
    return demandPolicy(storage, zoneId, id)
  }

  /** @throws DomainError: every broken rule; zone.unknown, page_shield_policy.quota. */
  function create(zoneId: string, fields: PolicyFields, actor: Actor): Promise<Written> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const { issues, notices } = checkFields(fields)
      refuse(issues)
      refuse(quotaIssues((await policiesOf(tx, zoneId)).length, quotaOf(zone, maxPolicies)))
      const policy = { id: ids.id(), zoneId, ...fields }
      await insertPolicy(tx, policy)
      await record(tx, zoneId, changeOp('create', null, policy), actor)
      return { policy, notices }
    })
  }

  /** Members that are not sent stay. @throws DomainError: every broken rule; zone.unknown, page_shield_policy.unknown. */
  function edit(zoneId: string, id: string, patch: Partial<PolicyFields>, actor: Actor): Promise<Written> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const before = await demandPolicy(tx, zoneId, id)
      const policy: Policy = { ...before, ...patch }
      const { issues, notices } = checkFields(policy)
      refuse(issues)
      if (JSON.stringify(policy) === JSON.stringify(before)) return { policy, notices }
      await updatePolicy(tx, policy)
      await record(tx, zoneId, changeOp('update', before, policy), actor)
      return { policy, notices }
    })
  }

  /** Its violations go with it. @throws DomainError: zone.unknown, page_shield_policy.unknown. */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await demandZone(tx, zoneId)
      const before = await demandPolicy(tx, zoneId, id)
      await deletePolicy(tx, id)
      await deleteViolations(tx, zoneId, id)
      await record(tx, zoneId, changeOp('delete', before, null), actor)
    })
  }

  async function record(tx: Transaction, zoneId: string, op: ChangeOp, actor: Actor): Promise<void> {
    await appendChange(tx, { scopeId: zoneId, at: clock.timestamp(), actor, serial: null, ops: [op] })
  }
}

/** Removes a zone's policies, writing them to the change set at `position`. */
export async function removePolicies(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const policies = await policiesOf(tx, zoneId)
  for (const { id } of policies) {
    await deletePolicy(tx, id)
    await deleteViolations(tx, zoneId, id)
  }
  await appendOps(
    tx,
    position,
    policies.map((policy) => changeOp('delete', policy, null)),
  )
}

async function demandPolicy(db: Reader, zoneId: string, id: string): Promise<Policy> {
  const policy = await findPolicy(db, zoneId, id)
  if (policy === undefined) throw new DomainError({ reason: 'page_shield_policy.unknown' })
  return policy
}

function changeOp(
  what: 'create' | 'update' | 'delete',
  before: Policy | null,
  after: Policy | null,
): ChangeOp {
  const text = (policy: Policy | null) => policy && JSON.stringify(policy)
  const objectId = before?.id ?? after?.id ?? ''
  return { kind: `page_shield_policy.${what}`, objectId, before: text(before), after: text(after) }
}
