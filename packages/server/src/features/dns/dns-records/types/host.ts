// CNAME, NS and PTR: a host name as content.
import { ROOT } from '@zonereeve/dns'
import { readHost, showHost } from './host-content.ts'
import { brokenRules, defineWireType, type ReadContext, type ValueInput } from './wire-type.ts'

function readTarget(type: 'CNAME' | 'NS' | 'PTR', { content }: ValueInput, context: ReadContext) {
  if (content === undefined)
    return [{ reason: 'record.content_missing', pointer: '/content', values: { type } }] as const
  const target = readHost(content, context.apex)
  const [broken] =
    target === undefined || target === ROOT ? [NO_HOST] : brokenRules(type, { target }, context)
  if (target !== undefined && broken === undefined) return { value: { target } }
  return [
    { reason: 'record.content', pointer: '/content', values: { type }, detail: `It ${broken?.message}.` },
  ] as const
}

const NO_HOST = { message: 'must be a host name' }

export const cname = defineWireType({
  type: 'CNAME',
  proxiable: true,
  read: (input, context) => readTarget('CNAME', input, context),
  show: ({ target }) => ({ content: showHost(target) }),
})

export const ns = defineWireType({
  type: 'NS',
  proxiable: false,
  read: (input, context) => readTarget('NS', input, context),
  show: ({ target }) => ({ content: showHost(target) }),
})

export const ptr = defineWireType({
  type: 'PTR',
  proxiable: false,
  read: (input, context) => readTarget('PTR', input, context),
  show: ({ target }) => ({ content: showHost(target) }),
})
