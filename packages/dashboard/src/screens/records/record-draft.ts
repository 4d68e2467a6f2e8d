// A record while it is edited: what the fields hold, what is wrong with it, what the server is sent.
import { NameError, parseName } from '@zonereeve/dns'
import type { ApiError } from '../../api/call.ts'
import type { RecordDraft, WireRecord } from '../../api/records.ts'
import { strings } from '../../strings.ts'
import {
  bodyOf,
  errorsOf,
  formOf,
  startValues,
  valuesOf,
  type FormErrors,
  type FormValues,
} from './record-forms.ts'
import { relativeTo, ttlText } from './record-text.ts'

export interface Draft {
  readonly type: string
  readonly name: string
  /** `auto`, or seconds. */
  readonly ttl: string
  readonly proxied: boolean
  readonly comment: string
  /** Separated by commas or spaces. */
  readonly tags: string
  readonly values: FormValues
}

const MIN_TTL = 30
const MAX_TTL = 86_400
const PROXIABLE = new Set(['A', 'AAAA', 'CNAME'])

export const isProxiable = (type: string): boolean => PROXIABLE.has(type)

export const newDraft = (): Draft => ({
  type: 'A',
  name: '',
  ttl: 'auto',
  proxied: false,
  comment: '',
  tags: '',
  values: startValues('A'),
})

export const draftOf = (record: WireRecord): Draft => ({
  type: record.type,
  name: relativeTo(record.name, record.zone_name),
  ttl: ttlText(record.ttl),
  proxied: record.proxied,
  comment: record.comment ?? '', // null: it has none
  tags: record.tags.join(', '),
  values: valuesOf(record),
})

/** The draft with another type; a value that both types have is kept. */
export function withType(draft: Draft, type: string): Pick<Draft, 'type' | 'values' | 'proxied'> {
  const start = startValues(type)
  const entries = Object.entries(start).map(([member, value]) => [member, draft.values[member] ?? value])
  return { type, values: Object.fromEntries(entries), proxied: draft.proxied && isProxiable(type) }
}

/** All that is wrong, by field: `name`, `ttl`, and the members of the type's form. */
export function draftErrors(draft: Draft): FormErrors {
  const name = nameError(draft.name)
  const ttl = ttlError(draft.ttl)
  return {
    ...errorsOf(draft.type, draft.values),
    ...(name === undefined ? {} : { name }),
    ...(ttl === undefined ? {} : { ttl }),
  }
}

function nameError(name: string): string | undefined {
  const written = name.trim()
  if (written === '') return strings.records.nameMissing
  if (written === '@') return undefined
  try {
    parseName(written)
    return undefined
  } catch (error) {
    if (error instanceof NameError)
      return strings.records.nameWrong(error.message.replace(/ \(at \d+\)$/, ''))
    throw error
  }
}

function ttlError(ttl: string): string | undefined {
  if (ttl === 'auto') return undefined
  const seconds = /^\d+$/.test(ttl) ? Number(ttl) : Number.NaN
  return seconds >= MIN_TTL && seconds <= MAX_TTL ? undefined : strings.records.ttlWrong(ttl)
}

/** The whole record: members that are not sent would be reset. */
export function writtenDraft(draft: Draft, record: WireRecord | undefined): RecordDraft {
  return {
    type: draft.type,
    name: draft.name.trim(),
    ...bodyOf(draft.type, draft.values),
    ttl: draft.ttl === 'auto' ? 1 : Number(draft.ttl),
    proxied: draft.proxied,
    comment: draft.comment,
    tags: draft.tags.split(/[\s,]+/).filter((tag) => tag !== ''),
    ...(record === undefined || record.type !== draft.type ? {} : { settings: record.settings }),
  }
}

/** The server's issues, at the fields that they are about. */
export function serverErrors(type: string, { issues }: ApiError): FormErrors {
  const members = new Set(['name', 'ttl', 'comment', 'tags', ...formOf(type).map(({ member }) => member)])
  return Object.fromEntries(
    issues.flatMap(({ source, message, code }) => {
      const member = source?.pointer.split('/').at(-1)
      return member === undefined || !members.has(member) ? [] : [[member, `${message} (${code})`]]
    }),
  )
}
