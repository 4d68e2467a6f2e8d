// The samples of every managed rule.
import type { ManagedRule } from '../managed-rule.ts'
import type { RuleSample, RuleSamples } from '../request-sample.cases.ts'
import { BAD_ROBOTS_SAMPLES } from './bad-robots.cases.ts'
import { BEHAVIOR_RULES_SAMPLES } from './behavior-rules.cases.ts'
import { COMMON_EXCEPTIONS_SAMPLES } from './common-exceptions.cases.ts'
import { DRUPAL_SAMPLES } from './drupal.cases.ts'
import { FLASH_SAMPLES } from './flash.cases.ts'
import { GENERIC_ATTACKS_SAMPLES } from './generic-attacks.cases.ts'
import { HTTP_POLICY_SAMPLES } from './http-policy.cases.ts'
import { JOOMLA_SAMPLES } from './joomla.cases.ts'
import { MAGENTO_SAMPLES } from './magento.cases.ts'
import { MISCELLANEOUS_SAMPLES } from './miscellaneous.cases.ts'
import { NEWER_RULES_SAMPLES } from './newer-rules.cases.ts'
import { PHP_SAMPLES } from './php.cases.ts'
import { PLONE_SAMPLES } from './plone.cases.ts'
import { PROTOCOL_ANOMALIES_SAMPLES } from './protocol-anomalies.cases.ts'
import { PROTOCOL_VIOLATIONS_SAMPLES } from './protocol-violations.cases.ts'
import { REQUEST_LIMITS_SAMPLES } from './request-limits.cases.ts'
import { SLR_ET_JOOMLA_ATTACKS_SAMPLES } from './slr-et-joomla-attacks.cases.ts'
import { SLR_ET_LFI_ATTACKS_SAMPLES } from './slr-et-lfi-attacks.cases.ts'
import { SLR_ET_PHPBB_ATTACKS_SAMPLES } from './slr-et-phpbb-attacks.cases.ts'
import { SLR_ET_RFI_ATTACKS_SAMPLES } from './slr-et-rfi-attacks.cases.ts'
import { SLR_ET_SQLI_ATTACKS_SAMPLES } from './slr-et-sqli-attacks.cases.ts'
import { SLR_ET_WORDPRESS_ATTACKS_SAMPLES } from './slr-et-wordpress-attacks.cases.ts'
import { SLR_ET_XSS_ATTACKS_SAMPLES } from './slr-et-xss-attacks.cases.ts'
import { SPECIALS_SAMPLES } from './specials.cases.ts'
import { SQL_INJECTION_ATTACKS_SAMPLES } from './sql-injection-attacks.cases.ts'
import { TIGHT_SECURITY_SAMPLES } from './tight-security.cases.ts'
import { TROJANS_SAMPLES } from './trojans.cases.ts'
import { URI_SQL_INJECTION_ATTACKS_SAMPLES } from './uri-sql-injection-attacks.cases.ts'
import { URI_XSS_ATTACKS_SAMPLES } from './uri-xss-attacks.cases.ts'
import { WHMCS_SAMPLES } from './whmcs.cases.ts'
import { WORDPRESS_SAMPLES } from './wordpress.cases.ts'
import { XSS_ATTACKS_SAMPLES } from './xss-attacks.cases.ts'

export const SAMPLES: RuleSamples = {
  ...BAD_ROBOTS_SAMPLES,
  ...BEHAVIOR_RULES_SAMPLES,
  ...COMMON_EXCEPTIONS_SAMPLES,
  ...DRUPAL_SAMPLES,
  ...FLASH_SAMPLES,
  ...GENERIC_ATTACKS_SAMPLES,
  ...HTTP_POLICY_SAMPLES,
  ...JOOMLA_SAMPLES,
  ...MAGENTO_SAMPLES,
  ...MISCELLANEOUS_SAMPLES,
  ...NEWER_RULES_SAMPLES,
  ...PHP_SAMPLES,
  ...PLONE_SAMPLES,
  ...PROTOCOL_ANOMALIES_SAMPLES,
  ...PROTOCOL_VIOLATIONS_SAMPLES,
  ...REQUEST_LIMITS_SAMPLES,
  ...SLR_ET_JOOMLA_ATTACKS_SAMPLES,
  ...SLR_ET_LFI_ATTACKS_SAMPLES,
  ...SLR_ET_PHPBB_ATTACKS_SAMPLES,
  ...SLR_ET_RFI_ATTACKS_SAMPLES,
  ...SLR_ET_SQLI_ATTACKS_SAMPLES,
  ...SLR_ET_WORDPRESS_ATTACKS_SAMPLES,
  ...SLR_ET_XSS_ATTACKS_SAMPLES,
  ...SPECIALS_SAMPLES,
  ...SQL_INJECTION_ATTACKS_SAMPLES,
  ...TIGHT_SECURITY_SAMPLES,
  ...TROJANS_SAMPLES,
  ...URI_SQL_INJECTION_ATTACKS_SAMPLES,
  ...URI_XSS_ATTACKS_SAMPLES,
  ...WHMCS_SAMPLES,
  ...WORDPRESS_SAMPLES,
  ...XSS_ATTACKS_SAMPLES,
}

/** @throws Error: a rule without samples. */
export function samplesOf({ id, description }: Pick<ManagedRule, 'id' | 'description'>): RuleSample {
  const samples = SAMPLES[id]
  if (samples === undefined) throw new Error(`"${description}" has no samples`)
  return samples
}
