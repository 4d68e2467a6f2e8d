// Scores and findings that need a paid add-on or a vendor's own network. They are known by name and refused.
import { arrayOf, BOOL, BYTES, BYTES_ARRAY, INT, type Type } from '../types.ts'
import { type CatalogField, computedField, configuredField, unavailable } from './catalog-field.ts'
import type { CredentialFacts } from './facts.ts'

/** Names under a prefix, with their types, and why they have no values. */
function absentScore(
  prefix: string,
  reason: string,
  fields: Readonly<Record<string, Type>>,
): readonly CatalogField[] {
  return Object.entries(fields).map(([name, type]) => unavailable(`${prefix}.${name}`, type, reason))
}

/** False in zones whose credential checks are off. */
const credentialField = (name: string, read: (found: CredentialFacts) => boolean): CatalogField =>
  configuredField(name, BOOL, 'leaked-passwords', ({ credentials }) =>
    credentials === undefined ? false : read(credentials()),
  )

export const SCORE_FIELDS: readonly CatalogField[] = [
  ...absentScore('cf.api_gateway', 'there is no API gateway', {
    auth_id_present: BOOL,
    fallthrough_detected: BOOL,
    request_violates_schema: BOOL,
  }),
  ...absentScore('cf.bot_management', 'bots are not scored', {
    corporate_proxy: BOOL,
    detection_ids: arrayOf(INT),
    ja3_hash: BYTES,
    ja4: BYTES,
    'js_detection.passed': BOOL,
    score: INT,
    static_resource: BOOL,
    verified_bot: BOOL,
  }),
  // False where no list is in use: a rule that was stored with one must not fail.
  configuredField('cf.client.bot', BOOL, 'verified-bots', ({ isVerifiedBot }) =>
    isVerifiedBot === undefined ? false : isVerifiedBot(),
  ),
  ...absentScore('cf.llm.prompt', 'prompts are not examined', {
    detected: BOOL,
    injection_score: INT,
    pii_categories: BYTES_ARRAY,
    pii_detected: BOOL,
    unsafe_topic_categories: BYTES_ARRAY,
    unsafe_topic_detected: BOOL,
  }),
  // In the reference the field still exists and is always 0.
  computedField('cf.threat_score', INT, () => 0),
  unavailable('cf.verified_bot_category', BYTES, 'published ranges of bots have no categories'),
  ...absentScore('cf.waf', 'requests are not scored by a learned model', {
    score: INT,
    'score.class': BYTES,
    'score.rce': INT,
    'score.sqli': INT,
    'score.xss': INT,
  }),
  ...absentScore('cf.waf.content_scan', 'uploads are not scanned', {
    has_failed: BOOL,
    has_malicious_obj: BOOL,
    has_obj: BOOL,
    num_malicious_obj: INT,
    num_obj: INT,
    obj_results: BYTES_ARRAY,
    obj_sizes: arrayOf(INT),
    obj_types: BYTES_ARRAY,
  }),
  credentialField('cf.waf.auth_detected', ({ areFound }) => areFound),
  credentialField('cf.waf.credential_check.password_leaked', ({ isPasswordLeaked }) => isPasswordLeaked),
  credentialField('cf.waf.credential_check.username_and_password_leaked', ({ isPairLeaked }) => isPairLeaked),
  credentialField('cf.waf.credential_check.username_password_similar', ({ areSimilar }) => areSimilar),
  unavailable(
    'cf.waf.credential_check.username_leaked',
    BOOL,
    'a collection of leaked passwords has no user names alone; use cf.waf.credential_check.username_and_password_leaked, or cf.waf.credential_check.password_leaked',
  ),
]
