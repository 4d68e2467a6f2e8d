// May the caller do this: holds an operation's declared permission against the caller and the path.
import { permissionText, type Operation } from '@zonereeve/contract'
import type { Caller, Reach, Target } from '../platform/caller.ts'
import { DomainError } from '../platform/domain-error.ts'

/** What exists. */
export interface Known {
  /** The account that a zone belongs to; undefined when there is no such zone. */
  zoneAccount(zoneId: string): Promise<string | undefined>
  hasAccount(accountId: string): Promise<boolean>
  /** Whether the zone has left the previous managed rules. */
  isMigrated(zoneId: string): Promise<boolean>
}

type PathIds = Readonly<Record<string, string | undefined>>

/** @throws DomainError: auth.forbidden (naming what is missing), zone.unknown, account.unknown. */
export async function authorize(
  operation: Operation,
  ids: PathIds,
  caller: Caller,
  known: Known,
): Promise<void> {
  const { permission } = operation
  if (!('anyOf' in permission)) return
  const { anyOf } = permission
  switch (permission.on) {
    case 'zone': {
      const zoneId = ids['zone_id'] ?? ''
      const accountId = await known.zoneAccount(zoneId)
      if (accountId === undefined) return refuseUnknownZone(operation, zoneId, caller)
      return demand(operation, caller, { kind: 'zone', zoneId, accountId })
    }
    case 'account': {
      const accountId = ids['account_id'] ?? ''
      demand(operation, caller, { kind: 'account', accountId })
      if (!(await known.hasAccount(accountId))) throw new DomainError({ reason: 'account.unknown' })
      return
    }
    case 'user':
      return demand(operation, caller, { kind: 'user', userId: caller.userId })
    case 'some-zone':
      if (caller.reach(anyOf, 'zone').length > 0) return
      throw new DomainError({ reason: 'auth.zone_list', values: { token: caller.id } }, [
        missing(operation, 'any zone'),
      ])
    case 'some-account':
      if (caller.reach(anyOf, 'account').length > 0) return
      throw new DomainError({ reason: 'auth.forbidden' }, [missing(operation, 'any account')])
    case 'every-account':
      if (caller.reach(anyOf, 'account').some(isWhole)) return
      throw new DomainError({ reason: 'auth.forbidden' }, [missing(operation, 'every account')])
    case 'body-account':
      return // the operation checks, once it knows the account
  }
}

// Whoever may see every zone, without exception, learns that this one does not exist; all others learn nothing.
function refuseUnknownZone(operation: Operation, zoneId: string, caller: Caller): never {
  const { permission } = operation
  const reaches = 'anyOf' in permission ? caller.reach(permission.anyOf, 'zone') : []
  if (reaches.some(isWhole)) throw new DomainError({ reason: 'zone.unknown' })
  throw new DomainError({ reason: 'auth.forbidden' }, [missing(operation, `zone ${zoneId}`)])
}

const isWhole = ({ everything, exceptAccountIds, exceptZoneIds }: Reach): boolean =>
  everything && exceptAccountIds.length + exceptZoneIds.length === 0

function demand(operation: Operation, caller: Caller, target: Target): void {
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
