// Tokens for tests, described by the names of their permissions.
import { PERMISSION_GROUPS, type PermissionGroupName } from '@zonereeve/contract'
import { SYSTEM } from '@zonereeve/platform'
import type { TestApp } from './app.ts'

export interface TestPolicy {
  readonly effect: 'allow' | 'deny'
  readonly groups: readonly PermissionGroupName[]
  /** Without the vendor's prefix: `account.zone.*`, `account.<id>`, `user.*`; nested for zones within an account. */
  readonly on: readonly (string | readonly [account: string, zones: readonly string[]])[]
}

const PREFIX = 'com.cloudflare.api.'

export const allow = (groups: TestPolicy['groups'], ...on: TestPolicy['on']): TestPolicy => ({
  effect: 'allow',
  groups,
  on,
})
export const deny = (groups: TestPolicy['groups'], ...on: TestPolicy['on']): TestPolicy => ({
  effect: 'deny',
  groups,
  on,
})

export const EVERYTHING = ['account.zone.*', 'account.*', 'user.*'] as const
export const ALL_GROUPS: readonly PermissionGroupName[] = PERMISSION_GROUPS.map(({ name }) => name)

export function groupId(name: PermissionGroupName): string {
  const group = PERMISSION_GROUPS.find((known) => known.name === name)
  if (group === undefined) throw new Error(`there is no permission group ${name}`)
  return group.id
}

/** A policy in the format of the API. */
export function wirePolicy({ effect, groups, on }: TestPolicy) {
  return {
    effect,
    resources: resourcesOf(on),
    permission_groups: groups.map((name) => ({ id: groupId(name) })),
  }
}

function resourcesOf(on: TestPolicy['on']): Record<string, string | Record<string, string>> {
  return Object.fromEntries(
    on.map((resource) => {
      if (typeof resource === 'string') return [PREFIX + resource, '*']
      const [account, zones] = resource
      return [PREFIX + account, Object.fromEntries(zones.map((zone) => [PREFIX + zone, '*']))]
    }),
  )
}

/**
 * Creates a token of the administrator, or of an account.
 * @returns its secret.
 */
export async function makeToken(
  app: TestApp,
  policies: readonly TestPolicy[],
  accountId?: string,
): Promise<string> {
  const owner =
    accountId === undefined
      ? ({ kind: 'user', id: app.userId } as const)
      : ({ kind: 'account', id: accountId } as const)
  const definition = {
    name: 'made for a test',
    status: 'active' as const,
    policies: policies.map(({ effect, groups, on }) => ({
      effect,
      resources: resourcesOf(on),
      groupIds: groups.map(groupId),
    })),
    condition: null,
    notBefore: null,
    expiresOn: null,
  }
  return (await app.tokens.create(owner, definition, SYSTEM)).value
}
