// Tokens between wire and domain form.
import { PERMISSION_GROUPS, PERMISSION_SCOPES, type TokenDraft, type WireToken } from '@zonereeve/contract'
import { groupName, type IpCondition } from './tokens.rules.ts'
import type { TokenDefinition, TokenWithStatus } from './tokens.service.ts'

export function toDefinition(draft: TokenDraft): TokenDefinition {
  // The documentation has "request.ip", the schema request_ip: clients send both.
  const ip = draft.condition?.request_ip ?? draft.condition?.['request.ip']
  return {
    name: draft.name,
    status: draft.status === 'disabled' ? 'disabled' : 'active',
    policies: draft.policies.map(({ effect, resources, permission_groups }) => ({
      effect,
      resources,
      groupIds: permission_groups.map(({ id }) => id),
    })),
    condition: ip === undefined ? null : toCondition(ip),
    notBefore: draft.not_before ?? null,
    expiresOn: draft.expires_on ?? null,
  }
}

function toCondition(ip: { in?: string[]; not_in?: string[] }): IpCondition {
  return {
    ...(ip.in === undefined ? {} : { in: ip.in }),
    ...(ip.not_in === undefined ? {} : { notIn: ip.not_in }),
  }
}

/** `value` is the secret, for the reply to creation. */
export function toWireToken(token: TokenWithStatus, value?: string): WireToken {
  return {
    id: token.id,
    name: token.name,
    status: token.status,
    issued_on: token.issuedOn,
    modified_on: token.modifiedOn,
    ...(token.lastUsedOn === null ? {} : { last_used_on: token.lastUsedOn }),
    ...times(token),
    policies: token.policies.map(({ id, effect, resources, groupIds }) => ({
      id,
      effect,
      resources: resources as WireToken['policies'][number]['resources'], // the same, but not readonly
      permission_groups: groupIds.map((groupId) => ({ id: groupId, name: groupName(groupId), meta: {} })),
    })),
    ...(token.condition === null ? {} : { condition: { request_ip: wireCondition(token.condition) } }),
    ...(value === undefined ? {} : { value }),
  }
}

export function toWireVerified(token: TokenWithStatus) {
  return { id: token.id, status: token.status, ...times(token) }
}

function times({ notBefore, expiresOn }: TokenWithStatus) {
  return {
    ...(notBefore === null ? {} : { not_before: notBefore }),
    ...(expiresOn === null ? {} : { expires_on: expiresOn }),
  }
}

function wireCondition(condition: IpCondition): { in?: string[]; not_in?: string[] } {
  return {
    ...(condition.in === undefined ? {} : { in: [...condition.in] }),
    ...(condition.notIn === undefined ? {} : { not_in: [...condition.notIn] }),
  }
}

/** The permission groups of this name and scope, if given. */
export function wirePermissionGroups(filter: { name?: string; scope?: string }) {
  return PERMISSION_GROUPS.map(({ id, name, scope }) => ({
    id,
    name,
    scopes: [PERMISSION_SCOPES[scope]],
  })).filter(
    (group) =>
      (filter.name === undefined || group.name === filter.name) &&
      (filter.scope === undefined || group.scopes.some((scope) => scope === filter.scope)),
  )
}
