// Detects e-mail authentication in a TXT record by its name and content, and checks it.

import { labelsOf } from '../name-tree.ts'
import type { Name } from '../name.ts'
import { checkDkim } from './dkim.ts'
import { checkDmarc } from './dmarc.ts'
import { checkSpf, isSpf } from './spf.ts'
import type { EmailWarning } from './warning.ts'

/**
 * Warnings about a TXT record; none if it is not e-mail authentication. `others` are the other TXT strings at the
 * name.
 */
export function checkEmailTxt(name: Name, text: string, others: readonly string[] = []): EmailWarning[] {
  const labels = labelsOf(name)
  if (labels[0] === '_dmarc') {
    if (!/^\s*v\s*=\s*DMARC1/i.test(text)) return []
    const isTwice = others.some((other) => /^\s*v\s*=\s*DMARC1/i.test(other))
    const second = {
      rule: 'dmarc.two-records',
      message: 'there is another DMARC record at this name: receivers ignore both',
    }
    return [...checkDmarc(text), ...(isTwice ? [second] : [])]
  }
  if (labels[1] === '_domainkey' && /(?:^|;)\s*(?:v|p|k)\s*=/.test(text)) return checkDkim(text)
  return isSpf(text) ? checkSpf(text, others) : []
}
