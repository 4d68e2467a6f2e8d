// The list of service parameters in SVCB and HTTPS (RFC 9460 §2.1, §2.2): keys ascending, each once.

import { elementAt } from '../checked-reads.ts'
import { TextError, WireError } from '../errors.ts'
import type { Token, TokenReader } from '../presentation.ts'
import { quoteOctets, unescapeOctets } from '../presentation.ts'
import type { Reader } from '../wire.ts'
import type { Field } from './define.ts'
import { opaque, svcParamKey, svcParamKind } from './svc-param-kinds.ts'

/** A service parameter as it is on the wire. */
export interface SvcParam {
  /** IANA "Service Parameter Keys", 0..65534. */
  readonly key: number
  /** Its format depends on the key. */
  readonly value: Uint8Array
}

/** All parameters up to the end of the rdata. Text may have them in any order; they are stored and printed by key. */
export const svcParams: Field<readonly SvcParam[]> = {
  read: (r) => {
    const params: SvcParam[] = []
    for (let previous = -1; r.remaining > 0; previous = elementAt(params, params.length - 1).key)
      params.push(readParam(r, previous))
    return params
  },
  write: (w, params) => {
    const problem = problemOf(params)
    if (problem !== undefined) throw new WireError('wire.value', w.offset, problem)
    for (const { key, value } of params) {
      w.u16(key)
      w.counted(() => w.bytes(value))
    }
  },
  toText: (params) => params.map(paramText).join(' '),
  fromText: (tokens) => {
    const params: SvcParam[] = []
    while (tokens.remaining > 0) params.push(paramFromText(tokens, params))
    return params.toSorted((a, b) => a.key - b.key)
  },
  check: problemOf,
}

function readParam(r: Reader, previous: number): SvcParam {
  const start = r.offset
  const key = r.u16()
  const value = r.bytes(r.u16())
  if (key > previous && svcParamKind(key).fits(value)) return { key, value }
  throw new WireError('wire.value', start, `service parameter ${key} is out of order or malformed`)
}

function problemOf(params: readonly SvcParam[]): string | undefined {
  let previous = -1
  for (const { key, value } of params) {
    if (!Number.isInteger(key) || key < 0) return 'keys must be whole numbers from 0 to 65534'
    if (key <= previous) return 'keys must ascend, each once'
    previous = key
    const kind = svcParamKind(key)
    if (value.length > 0xffff || !kind.fits(value)) return `must have a well-formed value for ${kind.name}`
  }
  return undefined
}

/** Values are always quoted, which works for every reader and every value. */
function paramText({ key, value }: SvcParam): string {
  const kind = svcParamKind(key)
  const shown = kind.format(value)
  return shown === undefined ? kind.name : `${kind.name}=${quoteOctets(shown)}`
}

function paramFromText(tokens: TokenReader, before: readonly SvcParam[]): SvcParam {
  const token = tokens.next()
  const equals = token.text.indexOf('=')
  const name = equals === -1 ? token.text : token.text.slice(0, equals)
  const key = token.quoted ? undefined : svcParamKey(name)
  if (key === undefined)
    throw new TextError('text.svc-key', token.offset, `${name} is not a service parameter key`)
  if (before.some((param) => param.key === key)) {
    throw new TextError('text.svc-duplicate', token.offset, `${name} occurs twice`)
  }
  const kind = name.startsWith('key') ? opaque(key) : svcParamKind(key)
  const value = kind.parse(equals === -1 ? new Uint8Array() : valueOctets(token, equals + 1))
  if (value !== undefined && svcParamKind(key).fits(value)) return { key, value }
  throw new TextError('text.svc-value', token.offset, `the value of ${name} is malformed`)
}

/** Octets of the value that begins at `start`: a word, or one quoted string (RFC 9460 Appendix A). */
function valueOctets({ text, offset }: Token, start: number): Uint8Array {
  const quoted = text[start] === '"'
  const inner = quoted ? text.slice(start + 1, -1) : text.slice(start)
  if (/^(?:[^"\\]|\\[^])*"/.test(inner)) {
    throw new TextError('text.svc-value', offset + start, 'the quotes must enclose the whole value')
  }
  return unescapeOctets(inner, offset + start + (quoted ? 1 : 0))
}
