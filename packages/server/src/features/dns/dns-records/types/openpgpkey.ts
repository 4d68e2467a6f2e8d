// OPENPGPKEY: the key in base64 as content.
import { rdataToText } from '@zonereeve/dns'
import { valueFromContent } from './data-type.ts'
import { brokenRules, defineWireType } from './wire-type.ts'

const type = 'OPENPGPKEY'

export const openpgpkey = defineWireType({
  type,
  proxiable: false,
  read({ content }, context) {
    if (content === undefined)
      return [{ reason: 'record.content_missing', pointer: '/content', values: { type } }]
    const value = valueFromContent(type, content)
    const [broken] = value === undefined ? [NO_BASE64] : brokenRules(type, value, context)
    if (value !== undefined && broken === undefined) return { value }
    const detail = `It ${broken?.message}.`
    return [{ reason: 'record.content', pointer: '/content', values: { type }, detail }]
  },
  show: (value) => ({ content: rdataToText(type, value) }),
})

const NO_BASE64 = { message: 'must be base64 with its padding' }
