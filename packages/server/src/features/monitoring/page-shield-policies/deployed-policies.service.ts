// The policies that are sent with a page, as far as its URL decides it.
import type { Reader } from '@zonereeve/storage'
import { matchResponse } from './matching.rules.ts'
import type { Policy } from './page-shield-policies.rules.ts'
import { policiesOf } from './page-shield-policies.store.ts'

export type DeployedPolicy = Policy & { readonly action: 'allow' | 'log' }

/** A policy whose expression needs more than the URL is not among them: it may or may not be sent. */
export async function deployedPolicies(
  db: Reader,
  zoneId: string,
  url: URL,
): Promise<readonly DeployedPolicy[]> {
  const response = { url, method: 'GET', status: 200, contentType: 'text/html' }
  return (await policiesOf(db, zoneId)).filter(
    (policy): policy is DeployedPolicy =>
      policy.isEnabled &&
      policy.action !== 'add_reporting_directives' &&
      matchResponse(policy, response) === 'matches',
  )
}
