// Every managed rule, group by group. A new group is a file and a line here.
import type { ManagedRule } from '../managed-rule.ts'
import { BAD_ROBOTS } from './bad-robots.ts'
import { BEHAVIOR_RULES } from './behavior-rules.ts'
import { COMMON_EXCEPTIONS } from './common-exceptions.ts'
import { DRUPAL } from './drupal.ts'
import { FLASH } from './flash.ts'
import { GENERIC_ATTACKS } from './generic-attacks.ts'
import { HTTP_POLICY } from './http-policy.ts'
import { JOOMLA } from './joomla.ts'
import { MAGENTO } from './magento.ts'
import { MISCELLANEOUS } from './miscellaneous.ts'
import { NEWER_RULES } from './newer-rules.ts'
import { PHP } from './php.ts'
import { PLONE } from './plone.ts'
import { PROTOCOL_ANOMALIES } from './protocol-anomalies.ts'
import { PROTOCOL_VIOLATIONS } from './protocol-violations.ts'
import { REQUEST_LIMITS } from './request-limits.ts'
import { SLR_ET_JOOMLA_ATTACKS } from './slr-et-joomla-attacks.ts'
import { SLR_ET_LFI_ATTACKS } from './slr-et-lfi-attacks.ts'
import { SLR_ET_PHPBB_ATTACKS } from './slr-et-phpbb-attacks.ts'
import { SLR_ET_RFI_ATTACKS } from './slr-et-rfi-attacks.ts'
import { SLR_ET_SQLI_ATTACKS } from './slr-et-sqli-attacks.ts'
import { SLR_ET_WORDPRESS_ATTACKS } from './slr-et-wordpress-attacks.ts'
import { SLR_ET_XSS_ATTACKS } from './slr-et-xss-attacks.ts'
import { SPECIALS } from './specials.ts'
import { SQL_INJECTION_ATTACKS } from './sql-injection-attacks.ts'
import { TIGHT_SECURITY } from './tight-security.ts'
import { TROJANS } from './trojans.ts'
import { URI_SQL_INJECTION_ATTACKS } from './uri-sql-injection-attacks.ts'
import { URI_XSS_ATTACKS } from './uri-xss-attacks.ts'
import { WHMCS } from './whmcs.ts'
import { WORDPRESS } from './wordpress.ts'
import { XSS_ATTACKS } from './xss-attacks.ts'

/** The order of evaluation: the traditional package, newer rules, the anomaly package. */
export const MANAGED_RULES: readonly ManagedRule[] = [
  ...SPECIALS,
  ...MISCELLANEOUS,
  ...DRUPAL,
  ...FLASH,
  ...JOOMLA,
  ...MAGENTO,
  ...PHP,
  ...PLONE,
  ...WHMCS,
  ...WORDPRESS,
  ...NEWER_RULES,
  ...BEHAVIOR_RULES,
  ...PROTOCOL_VIOLATIONS,
  ...PROTOCOL_ANOMALIES,
  ...REQUEST_LIMITS,
  ...HTTP_POLICY,
  ...BAD_ROBOTS,
  ...GENERIC_ATTACKS,
  ...SQL_INJECTION_ATTACKS,
  ...XSS_ATTACKS,
  ...TIGHT_SECURITY,
  ...TROJANS,
  ...COMMON_EXCEPTIONS,
  ...SLR_ET_JOOMLA_ATTACKS,
  ...SLR_ET_LFI_ATTACKS,
  ...SLR_ET_PHPBB_ATTACKS,
  ...SLR_ET_RFI_ATTACKS,
  ...SLR_ET_SQLI_ATTACKS,
  ...SLR_ET_WORDPRESS_ATTACKS,
  ...SLR_ET_XSS_ATTACKS,
  ...URI_SQL_INJECTION_ATTACKS,
  ...URI_XSS_ATTACKS,
]
