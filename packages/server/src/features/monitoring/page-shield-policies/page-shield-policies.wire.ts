// Maps content security policies between wire format and domain model.
import type { PolicyPost, PolicyPut, WirePolicy } from '@zonereeve/contract'
import { DomainError } from '@zonereeve/platform'
import type { Policy, PolicyAction, PolicyFields } from './page-shield-policies.rules.ts'

/** @param isSwitchAsSent whether `enabled` is returned as a string if it was sent as one. */
export function toWirePolicy(policy: Policy, isSwitchAsSent: boolean): WirePolicy {
  const { id, description, action, expression, isEnabled, isEnabledText, value } = policy
  const text = isEnabled ? 'true' : 'false'
  const enabled = isSwitchAsSent && isEnabledText ? text : isEnabled
  return { id, description, action, expression, enabled, value }
}

export function toFields({ description, action, expression, enabled, value }: PolicyPost): PolicyFields {
  return { description, action: toAction(action), expression, ...toSwitch(enabled), value }
}

/**
 * Omits members that were not sent.
 * @param policyId from the path.
 * @throws DomainError: page_shield_policy.other_id.
 */
export function toPatch(body: PolicyPut, policyId: string): Partial<PolicyFields> {
  const { id = '', action, enabled, ...strings } = body
  if (id !== '' && id !== policyId)
    throw new DomainError({ reason: 'page_shield_policy.other_id', pointer: '/id' })
  const { description, expression, value } = strings
  return {
    ...(description === undefined ? {} : { description }),
    ...(action === undefined ? {} : { action: toAction(action) }),
    ...(expression === undefined ? {} : { expression }),
    ...(enabled === undefined ? {} : toSwitch(enabled)),
    ...(value === undefined ? {} : { value }),
  }
}

const toAction = (text: string): PolicyAction => text.toLowerCase() as PolicyAction // the schema accepts no other value

const toSwitch = (enabled: PolicyPost['enabled']) => ({
  isEnabled: enabled === true || enabled === 'true',
  isEnabledText: typeof enabled === 'string',
})
