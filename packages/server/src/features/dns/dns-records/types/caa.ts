// CAA: fields in `data`; content is in presentation format, `0 issue "ca.example.net"`.
import { isUtf8 } from 'node:buffer'
import { rdataFromText, rdataToText, TextError, type Caa } from '@zonereeve/dns'
import { readData, ruleIssues } from './data-fields.ts'
import { brokenRules, defineWireType, type ValueInput } from './wire-type.ts'

const MAX_FLAGS = 255
/** DNS carries any octets, but `data` is JSON, which would change them. */
const NO_TEXT = { field: 'value', message: 'must be text in UTF-8' }

export const caa = defineWireType({
  type: 'CAA',
  proxiable: false,
  members: ['flags', 'tag', 'value'],
  read(input, context) {
    const value = (input.data === undefined ? fromContent(input.content) : undefined) ?? fromData(input)
    if (!('flags' in value)) return value
    const broken = [...brokenRules('CAA', value, context), ...(isUtf8(value.value) ? [] : [NO_TEXT])]
    return broken.length === 0 ? { value } : ruleIssues(broken)
  },
  show: (value) => ({
    content: rdataToText('CAA', value),
    data: { flags: value.flags, tag: value.tag, value: Buffer.from(value.value).toString('utf8') },
  }),
})

function fromContent(content: string | undefined): Caa | undefined {
  if (content === undefined) return undefined
  try {
    return rdataFromText('CAA', content)
  } catch (error) {
    if (error instanceof TextError) return undefined // see content-form.ts
    throw error
  }
}

function fromData({ data }: ValueInput) {
  const reader = readData(data ?? {})
  const flags = reader.integer('flags', MAX_FLAGS)
  const tag = reader.text('tag')
  const value = reader.text('value')
  if (reader.issues.length > 0) return reader.issues
  // Copied from the shared Buffer pool, so that values are plain data.
  return { flags, tag, value: Uint8Array.from(Buffer.from(value, 'utf8')) }
}
