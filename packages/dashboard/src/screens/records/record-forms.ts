// The form of each record type: its fields in the order of the zone file, how they become text, and what is wrong.
import {
  rdataFromText,
  recordTypeByName,
  splitTxt,
  TextError,
  txtFromText,
  txtToText,
  WireError,
  type TypeName,
} from '@zonereeve/dns'
import type { RecordDraft, WireRecord } from '../../api/records.ts'

export interface FormField {
  /** Name of the value in the form. For types with `data`, the member of it. */
  readonly member: string
  readonly label: string
  /** Name of the field in packages/dns, if it is another one. */
  readonly field?: string
  readonly kind?: 'number' | 'host' | 'quoted' | 'text' | 'octets'
  readonly options?: readonly (readonly [string, string])[]
  readonly hint?: string
  readonly start?: string
}

export type FormValues = Readonly<Record<string, string>>

/** What is wrong, by member. */
export type FormErrors = Readonly<Record<string, string>>

const content = (label: string, field: string, more: Partial<FormField> = {}): readonly FormField[] => [
  { member: 'content', label, field, ...more },
]
const number = (member: string, label: string, field = member, start = '0'): FormField => ({
  member,
  label,
  field,
  kind: 'number',
  start,
})

const ALGORITHMS = [
  ['8', '8 RSA/SHA-256'],
  ['10', '10 RSA/SHA-512'],
  ['13', '13 ECDSA P-256'],
  ['14', '14 ECDSA P-384'],
  ['15', '15 Ed25519'],
  ['16', '16 Ed448'],
] as const
const DIGESTS = [
  ['1', '1 SHA-1'],
  ['2', '2 SHA-256'],
  ['4', '4 SHA-384'],
] as const

const TLSA_FIELDS: readonly FormField[] = [
  {
    member: 'usage',
    label: 'Usage',
    options: [
      ['0', '0 CA, checked'],
      ['1', '1 certificate, checked'],
      ['2', '2 own CA'],
      ['3', '3 own certificate'],
    ],
    start: '3',
  },
  {
    member: 'selector',
    label: 'Selector',
    options: [
      ['0', '0 certificate'],
      ['1', '1 public key'],
    ],
    start: '1',
  },
  {
    member: 'matching_type',
    label: 'Matching',
    field: 'matchingType',
    options: [
      ['0', '0 exact'],
      ['1', '1 SHA-256'],
      ['2', '2 SHA-512'],
    ],
    start: '1',
  },
  { member: 'certificate', label: 'Certificate data, hexadecimal', kind: 'octets' },
]

const SERVICE_FIELDS: readonly FormField[] = [
  number('priority', 'Priority', 'priority', '1'),
  { member: 'target', label: 'Target', kind: 'host', start: '.' },
  { member: 'value', label: 'Parameters', field: 'params', kind: 'text', hint: 'alpn="h2,h3" port=8443' },
]

const FORMS: Readonly<Record<string, readonly FormField[]>> = {
  A: content('IPv4 address', 'address'),
  AAAA: content('IPv6 address', 'address'),
  CAA: [
    {
      member: 'flags',
      label: 'Critical',
      options: [
        ['0', '0, no'],
        ['128', '128, yes'],
      ],
      start: '0',
    },
    {
      member: 'tag',
      label: 'Tag',
      options: ['issue', 'issuewild', 'iodef', 'issuemail', 'contactemail'].map((tag) => [tag, tag] as const),
      start: 'issue',
    },
    { member: 'value', label: 'Certificate authority', kind: 'quoted' },
  ],
  CERT: [
    number('type', 'Type', 'type', '1'),
    number('key_tag', 'Key tag', 'keyTag'),
    { member: 'algorithm', label: 'Algorithm', options: ALGORITHMS, start: '13' },
    { member: 'certificate', label: 'Certificate, base64', kind: 'octets' },
  ],
  CNAME: content('Target', 'target', { kind: 'host' }),
  DNSKEY: [
    number('flags', 'Flags', 'flags', '257'),
    number('protocol', 'Protocol', 'protocol', '3'),
    { member: 'algorithm', label: 'Algorithm', options: ALGORITHMS, start: '13' },
    { member: 'public_key', label: 'Public key, base64', field: 'publicKey', kind: 'octets' },
  ],
  DS: [
    number('key_tag', 'Key tag', 'keyTag'),
    { member: 'algorithm', label: 'Algorithm', options: ALGORITHMS, start: '13' },
    { member: 'digest_type', label: 'Digest type', field: 'digestType', options: DIGESTS, start: '2' },
    { member: 'digest', label: 'Digest, hexadecimal', kind: 'octets' },
  ],
  HTTPS: SERVICE_FIELDS,
  LOC: content('Location', 'latitude', { kind: 'text', hint: '52 22 23.000 N 4 53 32.000 E -2.00m' }),
  MX: [
    number('priority', 'Priority', 'preference', '10'),
    { member: 'content', label: 'Mail server', field: 'exchange', kind: 'host' },
  ],
  NAPTR: [
    number('order', 'Order', 'order', '100'),
    number('preference', 'Preference', 'preference', '10'),
    { member: 'flags', label: 'Flags', kind: 'quoted' },
    { member: 'service', label: 'Service', field: 'services', kind: 'quoted' },
    { member: 'regex', label: 'Expression', field: 'regexp', kind: 'quoted' },
    { member: 'replacement', label: 'Replacement', kind: 'host', start: '.' },
  ],
  NS: content('Name server', 'target', { kind: 'host' }),
  OPENPGPKEY: content('Key, base64', 'key', { kind: 'octets' }),
  PTR: content('Host name', 'target', { kind: 'host' }),
  SMIMEA: TLSA_FIELDS,
  SRV: [
    number('priority', 'Priority', 'priority', '10'),
    number('weight', 'Weight'),
    number('port', 'Port'),
    { member: 'target', label: 'Target', kind: 'host' },
  ],
  SSHFP: [
    {
      member: 'algorithm',
      label: 'Algorithm',
      options: [
        ['1', '1 RSA'],
        ['3', '3 ECDSA'],
        ['4', '4 Ed25519'],
        ['6', '6 Ed448'],
      ],
      start: '4',
    },
    {
      member: 'type',
      label: 'Hash',
      options: [
        ['1', '1 SHA-1'],
        ['2', '2 SHA-256'],
      ],
      start: '2',
    },
    { member: 'fingerprint', label: 'Fingerprint, hexadecimal', kind: 'octets' },
  ],
  SVCB: SERVICE_FIELDS,
  TLSA: TLSA_FIELDS,
  TXT: content('Text', 'strings'),
  URI: [
    number('priority', 'Priority', 'priority', '10'),
    number('weight', 'Weight'),
    { member: 'target', label: 'URI', kind: 'quoted' },
  ],
}

/** Types with a form, in the order of the list to choose from. */
export const FORM_TYPES: readonly string[] = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'SRV',
  'CAA',
  'HTTPS',
  'CERT',
  'DNSKEY',
  'DS',
  'LOC',
  'NAPTR',
  'OPENPGPKEY',
  'PTR',
  'SMIMEA',
  'SSHFP',
  'SVCB',
  'TLSA',
  'URI',
]

/** All other types have one field, in the format of RFC 3597. */
const OTHER = content('Octets', 'content', { kind: 'text', hint: '\\# 4 0a000001' })

export const formOf = (type: string): readonly FormField[] => FORMS[type] ?? OTHER

export function startValues(type: string): FormValues {
  return Object.fromEntries(formOf(type).map(({ member, start = '' }) => [member, start]))
}

/** The values of a stored record. */
export function valuesOf(record: WireRecord): FormValues {
  if (record.type === 'TXT') return { content: plainText(record.content) }
  const sources = { content: record.content, priority: record.priority, ...record.data }
  return Object.fromEntries(
    formOf(record.type).map(({ member }) => [member, String(valueIn(sources, member))]),
  )
}

function valueIn(sources: Readonly<Record<string, unknown>>, member: string): unknown {
  const value = sources[member]
  return value === undefined || value === null ? '' : value
}

/** The text of a TXT record without its quotes; as it is, if its octets are no UTF-8. */
function plainText(content: string): string {
  try {
    const octets = txtFromText(content).flatMap((string) => [...string])
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(octets))
  } catch {
    // Invalid UTF-8 or quoting: the text is shown as the server has it.
    return content
  }
}

/** The value in zone-file text, with the place of each field in it. */
function compose(
  type: string,
  values: FormValues,
): { text: string; starts: readonly (readonly [string, number])[] } {
  let text = ''
  const starts: (readonly [string, number])[] = []
  for (const field of formOf(type)) {
    const written = writtenField(type, field, valueFor(values, field.member))
    if (written === '') continue
    if (text !== '') text += ' '
    starts.push([field.member, text.length])
    text += written
  }
  return { text, starts }
}

function valueFor(values: FormValues, member: string): string {
  const value = values[member]
  if (value === undefined) throw new Error(`the form has no ${member}`)
  return value.trim()
}

function writtenField(type: string, { kind }: FormField, value: string): string {
  if (type === 'TXT') return txtToText(splitTxt(new TextEncoder().encode(value)))
  if (kind === 'quoted') return `"${value.replace(/[\\"]/g, '\\$&')}"`
  return kind === 'octets' ? value.replaceAll(/\s/g, '') : value
}

/** The record as a line of a zone file, without its owner: `3600 IN MX 10 mail.example.com.` */
export const valueText = (type: string, values: FormValues): string => compose(type, values).text

/** What the server is sent of the value. */
export function bodyOf(type: string, values: FormValues): Pick<RecordDraft, 'content' | 'data' | 'priority'> {
  if (type === 'MX')
    return { content: valueFor(values, 'content'), priority: Number(valueFor(values, 'priority')) }
  const isContent = formOf(type).every(({ member }) => member === 'content')
  if (isContent) return { content: valueText(type, values) }
  const data = Object.fromEntries(
    formOf(type).map(({ member, kind, options }) => {
      const value = valueFor(values, member)
      return [member, kind === 'number' || isNumbers(options) ? Number(value) : value]
    }),
  )
  return type === 'URI' ? { data, priority: Number(valueFor(values, 'priority')) } : { data }
}

const isNumbers = (options: FormField['options']): boolean =>
  options !== undefined && options.every(([value]) => /^\d+$/.test(value))

/** All that is wrong, by the same rules as the server's. */
export function errorsOf(type: string, values: FormValues): FormErrors {
  const empty = formOf(type).filter(
    ({ member, kind, field }) => valueFor(values, member) === '' && kind !== 'quoted' && field !== 'params',
  )
  if (empty.length > 0) return Object.fromEntries(empty.map(({ member }) => [member, 'Missing.']))
  const { text, starts } = compose(type, values)
  if (!(type in FORMS)) return {}
  try {
    const known = type as TypeName // every type with a form is one of packages/dns
    const value = rdataFromText(known, text)
    const broken = recordTypeByName(known).check(value)
    return Object.fromEntries(broken.map(({ field, message }) => [memberOf(type, field), sentence(message)]))
  } catch (error) {
    if (error instanceof TextError)
      return { [memberAt(starts, error.offset)]: sentence(withoutPlace(error.message)) }
    if (error instanceof WireError) return { [memberAt(starts, 0)]: sentence(error.message) }
    throw error
  }
}

function memberOf(type: string, field: string): string {
  const found = formOf(type).find((candidate) => (candidate.field ?? candidate.member) === field)
  return found?.member ?? 'content'
}

function memberAt(starts: readonly (readonly [string, number])[], offset: number): string {
  const found = starts.findLast(([, start]) => start <= offset)
  return found?.[0] ?? 'content'
}

const withoutPlace = (message: string): string => message.replace(/ \(at \d+\)$/, '')

/** `must be a host name` → `It must be a host name.` */
function sentence(message: string): string {
  if (/^(?:must|may) /.test(message)) return `It ${message}.`
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}
