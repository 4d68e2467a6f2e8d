// May the caller do this: holds an operation's declared permission against the caller and the path.
import { permissionText, type Operation } from '@zonereeve/contract'
import type { Caller, Target } from '../platform/caller.ts'
import { DomainError } from '../platform/domain-error.ts'

/** The account that a zone belongs to; undefined when there is no such zone. */
export type ZoneAccount = (zoneId: string) => Promise<string | undefined>

type PathIds = Readonly<Record<string, string | undefined>>

/** @throws DomainError: auth.forbidden (naming what is missing), zone.unknown. */
export async function authorize(
  operation: Operation,
  ids: PathIds,
  caller: Caller,
  zoneAccount: ZoneAccount,
): Promise<void> {
  const { permission } = operation
  if (!('anyOf' in permission)) return
  const { anyOf } = permission
  switch (permission.on) {
    case 'zone': {
      const zoneId = ids['zone_id'] ?? ''
      const accountId = await zoneAccount(zoneId)
      if (accountId === undefined) return refuseUnknownZone(operation, zoneId, caller)
      return demand(operation, caller, { kind: 'zone', zoneId, accountId })
    }
    case 'account':
      return demand(operation, caller, { kind: 'account', accountId: ids['account_id'] ?? '' })
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
    case 'body-account':
      return // the operation checks, once it knows the account
  }
}

// Whoever may see every zone learns that this one does not exist; all others learn nothing.
function refuseUnknownZone(operation: Operation, zoneId: string, caller: Caller): never {
  const { permission } = operation
  const reaches = 'anyOf' in permission ? caller.reach(permission.anyOf, 'zone') : []
  if (reaches.some(({ everything }) => everything)) throw new DomainError({ reason: 'zone.unknown' })
  throw new DomainError({ reason: 'auth.forbidden' }, [missing(operation, `zone ${zoneId}`)])
}

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
