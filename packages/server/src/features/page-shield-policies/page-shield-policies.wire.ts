// Content-security policies between the wire and the product's own terms.
import type { PolicyPost, PolicyPut, WirePolicy } from '@zonereeve/contract'
import { DomainError } from '../../platform/domain-error.ts'
import type { Policy, PolicyAction, PolicyFields } from './page-shield-policies.rules.ts'

/** @param isSwitchAsSent whether `enabled` is shown as a text where it was sent as one. */
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
 * Members that were not sent are not in it.
 *
 * @param policyId of the path. @throws DomainError: page_shield_policy.other_id.
 */
export function toPatch(body: PolicyPut, policyId: string): Partial<PolicyFields> {
  const { id = '', action, enabled, ...texts } = body
  if (id !== '' && id !== policyId)
    throw new DomainError({ reason: 'page_shield_policy.other_id', pointer: '/id' })
  const { description, expression, value } = texts
  return {
    ...(description === undefined ? {} : { description }),
    ...(action === undefined ? {} : { action: toAction(action) }),
    ...(expression === undefined ? {} : { expression }),
    ...(enabled === undefined ? {} : toSwitch(enabled)),
    ...(value === undefined ? {} : { value }),
  }
}

const toAction = (text: string): PolicyAction => text.toLowerCase() as PolicyAction // the schema takes no other

const toSwitch = (enabled: PolicyPost['enabled']) => ({
  isEnabled: enabled === true || enabled === 'true',
  isEnabledText: typeof enabled === 'string',
})
