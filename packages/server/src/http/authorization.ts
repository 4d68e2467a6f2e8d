// Checks an operation's declared permission against the caller and the path.
import { pathId } from './path-id.ts'
import { permissionText, type Operation } from '@zonereeve/contract'
import { type Caller, DomainError, type Reach, type Target } from '@zonereeve/platform'

/** Looks up existing objects. */
export interface ResolvedTarget {
  /** The account of a zone; undefined if there is no such zone. */
  zoneAccount(zoneId: string): Promise<string | undefined>
  hasAccount(accountId: string): Promise<boolean>
  /** Whether the zone has been migrated from legacy managed rules. */
  isMigrated(zoneId: string): Promise<boolean>
}

type PathIds = Readonly<Record<string, string | undefined>>

/** @throws DomainError: auth.forbidden (naming the missing permission), zone.unknown, account.unknown. */
export async function authorize(
  operation: Operation,
  ids: PathIds,
  caller: Caller,
  known: ResolvedTarget,
): Promise<void> {
  const { permission } = operation
  if (!('anyOf' in permission)) return
  const { anyOf } = permission
  switch (permission.on) {
    case 'zone': {
      const zoneId = pathId(ids, 'zone_id')
      const accountId = await known.zoneAccount(zoneId)
      if (accountId === undefined) return rejectUnknownZone(operation, zoneId, caller)
      return requirePermission(operation, caller, { kind: 'zone', zoneId, accountId })
    }
    case 'account': {
      const accountId = pathId(ids, 'account_id')
      requirePermission(operation, caller, { kind: 'account', accountId })
      if (!(await known.hasAccount(accountId))) throw new DomainError({ reason: 'account.unknown' })
      return
    }
    case 'user':
      return requirePermission(operation, caller, { kind: 'user', userId: caller.userId })
    case 'some-zone':
      if (caller.reach(anyOf, 'zone').length > 0) return
      throw new DomainError({ reason: 'auth.zone_list', values: { token: caller.id } }, [
        missing(operation, 'any zone'),
      ])
    case 'some-account':
      if (caller.reach(anyOf, 'account').length > 0) return
      throw new DomainError({ reason: 'auth.forbidden' }, [missing(operation, 'any account')])
    case 'every-account':
      if (reachesEveryAccount(anyOf, caller)) return
      throw new DomainError({ reason: 'auth.forbidden' }, [missing(operation, 'every account')])
    case 'body-account':
      return // the operation checks it once it knows the account
  }
}

/** For operations that reveal data of every zone. @throws DomainError: auth.forbidden. */
export function requireEveryZone(anyOf: readonly string[], caller: Caller): void {
  if (caller.reach(anyOf, 'zone').some(isWhole)) return
  const values = { groups: anyOf.join(' or '), resource: 'every zone' }
  throw new DomainError({ reason: 'auth.forbidden' }, [{ notice: 'auth.missing_permission', values }])
}

/** @throws DomainError: session.confirm. */
export function requireRecentSignIn(
  { needsRecentSignIn: need }: Operation,
  query: unknown,
  { session }: Caller,
  now: number,
): void {
  const isNeeded = typeof need === 'string' ? Object.hasOwn(Object(query), need) : need === true
  if (!isNeeded || session === undefined || session.recentUntil > now) return
  throw new DomainError({ reason: 'session.confirm' })
}

/** Whether the caller has one of the groups on every account, without exception. */
export const reachesEveryAccount = (anyOf: readonly string[], caller: Caller): boolean =>
  caller.reach(anyOf, 'account').some(isWhole)

// Only a caller that may see every zone, without exception, learns that the zone does not exist.
function rejectUnknownZone(operation: Operation, zoneId: string, caller: Caller): never {
  const { permission } = operation
  const reaches = 'anyOf' in permission ? caller.reach(permission.anyOf, 'zone') : []
  if (reaches.some(isWhole)) throw new DomainError({ reason: 'zone.unknown' })
  throw new DomainError({ reason: 'auth.forbidden' }, [missing(operation, `zone ${zoneId}`)])
}

const isWhole = ({ everything, exceptAccountIds, exceptZoneIds }: Reach): boolean =>
  everything && exceptAccountIds.length + exceptZoneIds.length === 0

function requirePermission(operation: Operation, caller: Caller, target: Target): void {
  const { permission } = operation
  if (!('anyOf' in permission) || caller.can(permission.anyOf, target)) return
  throw new DomainError({ reason: 'auth.forbidden' }, [missing(operation, describe(target))])
}

function describe(target: Target): string {
  if (target.kind === 'zone') return `zone ${target.zoneId}`
  return target.kind === 'account' ? `account ${target.accountId}` : `user ${target.userId}`
}

const missing = (operation: Operation, resource: string) =>
  ({
    notice: 'auth.missing_permission',
    values: { groups: permissionText(operation.permission), resource },
  }) as const
