// SRV: fields in `data`; content is `weight port target`, the priority is at the top level (specification §2.2).
import { readData, ruleIssues } from './data-fields.ts'
import { readHost, showHost } from './host-content.ts'
import { brokenRules, defineWireType, type ValueInput } from './wire-type.ts'

const MAX_U16 = 65_535
// `weight port target`, preceded by the priority as in zone files, or without it as in replies.
const TEXT = /^(?:(\d{1,5})\s+)?(\d{1,5})\s+(\d{1,5})\s+(\S+)$/

export const srv = defineWireType({
  type: 'SRV',
  proxiable: false,
  // The last three are sent by octoDNS and dnscontrol; they repeat the record's name.
  members: ['port', 'priority', 'target', 'weight', 'service', 'proto', 'name'],
  read(input, context) {
    const data = readData(parts(input))
    const port = data.integer('port', MAX_U16)
    const priority = data.integer('priority', MAX_U16)
    const text = data.text('target')
    const weight = data.integer('weight', MAX_U16)
    if (data.issues.length > 0) return data.issues
    const target = readHost(text, context.apex)
    if (target === undefined) return ruleIssues([NO_HOST])
    const value = { priority, weight, port, target }
    const broken = brokenRules('SRV', value, context)
    return broken.length === 0 ? { value } : ruleIssues(broken)
  },
  show: ({ priority, weight, port, target }) => ({
    content: `${weight} ${port} ${showHost(target)}`,
    priority,
    data: { port, priority, target: showHost(target), weight },
  }),
})

const NO_HOST = { field: 'target', message: 'must be a host name' }

/** `data` wins over `content`; a priority at the top level is used if `data` has none. */
function parts({ content, data, priority }: ValueInput): Readonly<Record<string, unknown>> {
  if (data !== undefined) return { priority, ...data }
  const [, inText, weight, port, target] = content?.trim().match(TEXT) ?? []
  return { priority: priority ?? inText, weight, port, target }
}
