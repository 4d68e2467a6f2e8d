// MX: a host name as content, its preference as `priority`. `10 mail.example.net` is accepted too.
import type { Rdata } from '@zonereeve/dns'
import type { Issue } from '@zonereeve/platform'
import { faultOf } from './data-fields.ts'
import { readHost, showHost } from './host-content.ts'
import { brokenRules, defineWireType, type ReadContext } from './wire-type.ts'

const ZONE_FILE_TEXT = /^(\d{1,5})\s+(\S+)$/

export const mx = defineWireType({
  type: 'MX',
  proxiable: false,
  members: ['priority'],
  read({ content, data, priority }, context) {
    const text = content === undefined ? undefined : ZONE_FILE_TEXT.exec(content.trim())
    const preference = priority ?? integer(data?.['priority']) ?? integer(text?.[1])
    const host = text?.[2] ?? content
    const exchange = host === undefined ? undefined : readHost(host, context.apex)
    const issues: Issue[] = []
    if (preference === undefined) issues.push({ reason: 'record.priority_required', pointer: '/priority' })
    if (exchange === undefined) issues.push({ reason: 'record.mx_content', pointer: '/content' })
    if (preference === undefined || exchange === undefined) return issues
    const value = { preference, exchange }
    const broken = mxIssues(value, context)
    return broken.length === 0 ? { value } : broken
  },
  show: ({ preference, exchange }) => ({ content: showHost(exchange), priority: preference }),
  judge: mxIssues,
})

function integer(sent: unknown): number | undefined {
  const number = typeof sent === 'string' && /^\d+$/.test(sent) ? Number(sent) : sent
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

function mxIssues(value: Rdata<'MX'>, context: ReadContext): readonly Issue[] {
  return brokenRules('MX', value, context).map(issueOf)
}

const issueOf = ({ field, message }: { field: string; message: string }): Issue =>
  field === 'preference'
    ? { reason: 'record.data_field', pointer: '/priority', values: { fault: faultOf('priority', message) } }
    : { reason: 'record.mx_content', pointer: '/content' }
