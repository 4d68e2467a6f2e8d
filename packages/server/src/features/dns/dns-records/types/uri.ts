// URI: weight and target in `data`, the priority at the top level; content is `weight "target"`, as for SRV.
import { rdataToText, type Uri } from '@zonereeve/dns'
import type { Issue } from '@zonereeve/platform'
import { readData, ruleIssues } from './data-fields.ts'
import { valueFromContent } from './data-type.ts'
import { utf8 } from './member-kinds.ts'
import { brokenRules, defineWireType, type ReadContext, type ValueInput } from './wire-type.ts'

const MAX_U16 = 65_535

export const uri = defineWireType({
  type: 'URI',
  proxiable: false,
  members: ['priority', 'target', 'weight'],
  read(input, context) {
    const value = (input.data === undefined ? fromContent(input) : undefined) ?? fromData(input, context)
    if (!('target' in value)) return value
    const broken = brokenRules('URI', value, context)
    return broken.length === 0 ? { value } : ruleIssues(broken)
  },
  show: (value) => ({
    content: rdataToText('URI', value).replace(/^\d+ /, ''),
    priority: value.priority,
    data: { target: utf8.show(value.target), weight: value.weight },
  }),
})

/** Parses presentation format, with the priority or without it as in replies. */
function fromContent({ content = '', priority }: ValueInput): Uri | undefined {
  const whole = valueFromContent('URI', content)
  if (whole !== undefined) return { ...whole, priority: priority ?? whole.priority }
  return priority === undefined ? undefined : valueFromContent('URI', `${priority} ${content}`)
}

function fromData({ data = {}, priority }: ValueInput, context: ReadContext): Uri | readonly Issue[] {
  const reader = readData({ priority, ...data })
  const hasPriority = data['priority'] !== undefined || priority !== undefined
  const target = utf8.read(reader, 'target', context)
  const weight = reader.integer('weight', MAX_U16)
  if (!hasPriority) return [...reader.issues, { reason: 'record.priority_required', pointer: '/priority' }]
  const value = { priority: reader.integer('priority', MAX_U16), weight, target }
  return reader.issues.length > 0 ? reader.issues : value
}
