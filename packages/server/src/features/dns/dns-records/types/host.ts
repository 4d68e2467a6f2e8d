// CNAME, NS and PTR: a host name as content.
import { type Name, ROOT } from '@zonereeve/dns'
import type { Issue } from '@zonereeve/platform'
import { readHost, showHost } from './host-content.ts'
import { brokenRules, defineWireType, type ReadContext, type ValueInput } from './wire-type.ts'

type HostType = 'CNAME' | 'NS' | 'PTR'

function readTarget(type: HostType, { content }: ValueInput, context: ReadContext) {
  if (content === undefined)
    return [{ reason: 'record.content_missing', pointer: '/content', values: { type } }] as const
  const target = readHost(content, context.apex)
  const issues = targetIssues(type, target, context)
  return target === undefined || issues.length > 0 ? issues : { value: { target } }
}

function targetIssues(type: HostType, target: Name | undefined, context: ReadContext): readonly Issue[] {
  const [broken] =
    target === undefined || target === ROOT ? [NO_HOST] : brokenRules(type, { target }, context)
  if (broken === undefined) return []
  return [
    { reason: 'record.content', pointer: '/content', values: { type }, detail: `It ${broken.message}.` },
  ]
}

const NO_HOST = { message: 'must be a host name' }

export const cname = defineWireType({
  type: 'CNAME',
  proxiable: true,
  read: (input, context) => readTarget('CNAME', input, context),
  show: ({ target }) => ({ content: showHost(target) }),
  judge: ({ target }, context) => targetIssues('CNAME', target, context),
})

export const ns = defineWireType({
  type: 'NS',
  proxiable: false,
  read: (input, context) => readTarget('NS', input, context),
  show: ({ target }) => ({ content: showHost(target) }),
  judge: ({ target }, context) => targetIssues('NS', target, context),
})

export const ptr = defineWireType({
  type: 'PTR',
  proxiable: false,
  read: (input, context) => readTarget('PTR', input, context),
  show: ({ target }) => ({ content: showHost(target) }),
  judge: ({ target }, context) => targetIssues('PTR', target, context),
})
