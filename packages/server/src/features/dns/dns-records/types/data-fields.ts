// Members of `data`: required, of the right type, in range. Numbers may also be decimal strings, as some clients send
// them.
import type { Issue } from '@zonereeve/platform'

export interface DataReader {
  /** An integer of 0..maximum; 0 (and an issue) if it is missing or invalid. */
  integer(field: string, maximum: number): number
  /** A number of minimum..maximum, truncated to `decimals` digits; 0 (and an issue) if it is missing or invalid. */
  decimal(field: string, minimum: number, maximum: number, decimals: number): number
  /** A string; empty (and an issue) if it is missing or invalid. */
  text(field: string): string
  /** A string; empty if it is missing, empty (and an issue) if it is invalid. */
  optionalText(field: string): string
  /** An issue: the field must be `range`. */
  reject(field: string, range: string): void
  readonly issues: readonly Issue[]
}

export function readData(data: Readonly<Record<string, unknown>>): DataReader {
  const issues: Issue[] = []
  const missing = (field: string) =>
    void issues.push({ reason: 'record.data_required', pointer: `/data/${field}`, values: { field } })
  const fieldIssue = (field: string, range: string) =>
    void issues.push({
      reason: 'record.data_field',
      pointer: `/data/${field}`,
      values: { fault: `${field} must be ${range}` },
    })
  return {
    issues,
    reject: fieldIssue,
    integer(field, maximum) {
      const sent = data[field]
      if (sent === undefined || sent === null || sent === '') {
        missing(field)
        return 0
      }
      const number = typeof sent === 'string' && /^\d{1,10}$/.test(sent) ? Number(sent) : sent
      if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= maximum)
        return number
      fieldIssue(field, `a whole number from 0 to ${maximum}`)
      return 0
    },
    decimal(field, minimum, maximum, decimals) {
      const sent = data[field]
      if (sent === undefined || sent === null || sent === '') {
        missing(field)
        return 0
      }
      const number = typeof sent === 'string' && DECIMAL.test(sent) ? Number(sent) : sent
      if (typeof number === 'number' && number >= minimum && number <= maximum)
        return Number(number.toFixed(decimals))
      fieldIssue(field, `a number from ${minimum} to ${maximum}`)
      return 0
    },
    text(field) {
      const sent = data[field]
      if (sent === undefined || sent === null) missing(field)
      else if (typeof sent !== 'string') fieldIssue(field, 'text')
      else return sent
      return ''
    },
    optionalText(field) {
      return data[field] === undefined || data[field] === null ? '' : this.text(field)
    },
  }
}

const DECIMAL = /^[+-]?\d{1,10}(?:\.\d{1,10})?$/

/** "must be 3" follows the field's name; "only bit 128 may be set" is a separate sentence. */
export const faultOf = (field: string, message: string): string =>
  /^(?:must|may) /.test(message) ? `${field} ${message}` : `${field}: ${message}`

/** Rules that packages/dns reports as broken, as issues about members of `data`. */
export function ruleIssues(broken: readonly { readonly field: string; readonly message: string }[]): Issue[] {
  return broken.map(({ field, message }) => ({
    reason: 'record.data_field',
    pointer: `/data/${field}`,
    values: { fault: faultOf(field, message) },
  }))
}
