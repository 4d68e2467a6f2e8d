// Finds mistakes in SPF, DKIM and DMARC policies of TXT records. They cause notices, never a rejection.
import { checkEmailTxt } from '@zonereeve/dns'
import type { Notice, NoticeReason } from '@zonereeve/platform'
import type { Sibling } from './coexistence.rules.ts'
import type { RecordFields } from './dns-records.rules.ts'

/** Keyed by the part of a rule's id before its dot. */
const NOTICES: Readonly<Record<string, NoticeReason>> = {
  dkim: 'record.email_dkim',
  dmarc: 'record.email_dmarc',
  spf: 'record.email_spf',
}
/** Maximum number of notices per write; the rest is reported on the next write. */
export const MAX_EMAIL_NOTICES = 10

export function emailNotices(record: RecordFields, siblings: readonly Sibling[]): Notice[] {
  if (record.type !== 'TXT' || record.text === null) return []
  const others = siblings.flatMap(({ searchText }) => (searchText === null ? [] : [searchText]))
  const warnings = checkEmailTxt(record.name, record.text, others).slice(0, MAX_EMAIL_NOTICES)
  return warnings.flatMap(({ rule, message: problem }) => {
    const notice = NOTICES[rule.slice(0, rule.indexOf('.'))]
    return notice === undefined ? [] : [{ notice, values: { name: record.name, problem } }]
  })
}
