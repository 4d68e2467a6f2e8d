// SVCB and HTTPS: priority, target and parameters in `data`; content is in presentation format, `1 . alpn="h3,h2"`.
import { rdataFromText, rdataToText, ROOT, TextError, type Svcb } from '@zonereeve/dns'
import { defineDataType, membersOf, type MemberKind } from './data-type.ts'
import { absoluteName, u16 } from './member-kinds.ts'

const member = membersOf<Svcb>()

/** Service parameters in presentation format, canonical when shown; none if the member is missing or empty. */
const params: MemberKind<Svcb['params']> = {
  read: (reader, name) => {
    try {
      return rdataFromText('SVCB', `1 . ${reader.optionalText(name).trim()}`).params
    } catch (error) {
      if (!(error instanceof TextError)) throw error
      reader.reject(
        name,
        `service parameters such as alpn="h3,h2" port="443": ${withoutOffset(error.message)}`,
      )
      return []
    }
  },
  show: (value) => rdataToText('SVCB', { priority: 1, target: ROOT, params: value }).replace(/^1 \. ?/, ''),
}

/** Offsets count from the start of the whole record, which the client did not write. */
const withoutOffset = (message: string): string => message.replace(/ \(at \d+\)$/, '')

const members = {
  priority: member('priority', u16),
  target: member('target', absoluteName),
  value: member('params', params),
}

export const svcb = defineDataType({ type: 'SVCB', members })
export const https = defineDataType({ type: 'HTTPS', members })
