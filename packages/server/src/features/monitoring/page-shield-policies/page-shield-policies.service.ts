// Content security policies of zones. They are configuration: each change is a change set of its zone. DNS
// does not change.
import { type Actor, DomainError, type Ids, type Notice, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp, verbOf, type ChangeOp } from '../../changes/index.ts'
import { requireZone, type ZoneContents } from '../../zones/index.ts'
import {
  checkFields,
  quotaIssues,
  quotaOf,
  type Policy,
  type PolicyFields,
} from './page-shield-policies.rules.ts'
import {
  deletePolicies,
  deletePolicy,
  findPolicy,
  insertPolicy,
  policiesOf,
  updatePolicy,
} from './page-shield-policies.store.ts'
import { deleteViolations } from './violations.store.ts'

export interface PageShieldPoliciesDeps {
  readonly storage: Storage
  readonly ids: Ids
  /** Limit for zones whose plan includes policies. */
  readonly maxPolicies: number
}

export interface Written {
  readonly policy: Policy
  readonly notices: readonly Notice[]
}

export type PageShieldPolicies = ReturnType<typeof createPageShieldPolicies>

export function createPageShieldPolicies({ storage, ids, maxPolicies }: PageShieldPoliciesDeps) {
  return { list, get, create, edit, remove }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string): Promise<Policy[]> {
    await requireZone(storage, zoneId)
    return policiesOf(storage, zoneId)
  }

  /** @throws DomainError: zone.unknown, page_shield_policy.unknown. */
  async function get(zoneId: string, id: string): Promise<Policy> {
    await requireZone(storage, zoneId)
    return requirePolicy(storage, zoneId, id)
  }

  /** @throws DomainError: every violated rule; zone.unknown, page_shield_policy.quota. */
  function create(zoneId: string, fields: PolicyFields, actor: Actor): Promise<Written> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const { issues, notices } = checkFields(fields)
      throwIfIssues(issues)
      throwIfIssues(quotaIssues((await policiesOf(tx, zoneId)).length, quotaOf(zone, maxPolicies)))
      const policy = { id: ids.id(), zoneId, ...fields }
      await insertPolicy(tx, policy)
      await append(tx, { scopeId: zoneId, actor }, [policyOp(policy.id, null, policy)])
      return { policy, notices }
    })
  }

  /**
   * Keeps members that are not sent.
   * @throws DomainError: every violated rule; zone.unknown, page_shield_policy.unknown.
   */
  function edit(zoneId: string, id: string, patch: Partial<PolicyFields>, actor: Actor): Promise<Written> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await requirePolicy(tx, zoneId, id)
      const policy: Policy = { ...before, ...patch }
      const { issues, notices } = checkFields(policy)
      throwIfIssues(issues)
      if (JSON.stringify(policy) === JSON.stringify(before)) return { policy, notices }
      await updatePolicy(tx, policy)
      await append(tx, { scopeId: zoneId, actor }, [policyOp(id, before, policy)])
      return { policy, notices }
    })
  }

  /**
   * Also deletes its violations.
   * @throws DomainError: zone.unknown, page_shield_policy.unknown.
   */
  function remove(zoneId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await requirePolicy(tx, zoneId, id)
      await deletePolicy(tx, id)
      await deleteViolations(tx, zoneId, id)
      await append(tx, { scopeId: zoneId, actor }, [policyOp(id, before, null)])
    })
  }
}

export const zonePolicies: ZoneContents = {
  name: 'content security policies',
  operations: async (db, zoneId) =>
    (await policiesOf(db, zoneId)).map((policy) => policyOp(policy.id, policy, null)),
  async remove(tx, zoneId) {
    await deletePolicies(tx, zoneId)
    await deleteViolations(tx, zoneId)
  },
}

async function requirePolicy(db: Reader, zoneId: string, id: string): Promise<Policy> {
  const policy = await findPolicy(db, zoneId, id)
  if (policy === undefined) throw new DomainError({ reason: 'page_shield_policy.unknown' })
  return policy
}

const policyOp = (id: string, before: Policy | null, after: Policy | null): ChangeOp =>
  changeOp(`page_shield_policy.${verbOf(before, after)}`, id, before, after)
