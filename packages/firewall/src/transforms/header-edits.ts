// Changes of header lines. Whatever an expression gives, a value is one line of visible characters.
import { asciiLower, type Bytes, type EvaluationContext, type HeaderLine, type Scheme } from '@zonereeve/expr'
import { type HeaderOperation, isChangeable } from './changeable-headers.ts'
import { compileSource, type ValueSource, type WrittenValue } from './value-source.ts'

/** A member of `action_parameters.headers` of a rewrite. */
export interface WrittenHeader extends WrittenValue {
  readonly operation: HeaderOperation
}

/** What is done to the header lines of a message. Names are in lower case. */
export type HeaderEdit =
  | { readonly operation: 'set' | 'add'; readonly name: Bytes; readonly value: Bytes }
  | { readonly operation: 'remove'; readonly name: Bytes }

export type HeaderEdits = (context: EvaluationContext) => readonly HeaderEdit[]

/** Longer values are none. */
export const MAX_HEADER_VALUE_BYTES = 4_096

/** Headers that rules cannot change are left out: an earlier version may have saved them. */
export function compileHeaders(
  headers: Readonly<Record<string, WrittenHeader>>,
  scheme: Scheme,
  isOfResponse: boolean,
): HeaderEdits {
  const changeable = Object.entries(headers).filter(([name, { operation }]) =>
    isChangeable(name, operation, isOfResponse),
  )
  return compileAnyHeaders(Object.fromEntries(changeable), scheme)
}

/** Any headers, for rules that a zone only switches on. */
export function compileAnyHeaders(
  headers: Readonly<Record<string, WrittenHeader>>,
  scheme: Scheme,
): HeaderEdits {
  const compiled = Object.entries(headers).map(([name, written]) => ({
    name: asciiLower(name),
    operation: written.operation,
    source: compileSource(written, scheme),
  }))
  return (context) => compiled.flatMap((one) => editOf(one, context))
}

interface CompiledHeader {
  readonly name: Bytes
  readonly operation: HeaderOperation
  readonly source: ValueSource
}

/** A header that would be set to nothing is removed: a value that the client sent must not stay in its place. */
function editOf({ name, operation, source }: CompiledHeader, context: EvaluationContext): HeaderEdit[] {
  if (operation === 'remove') return [{ operation, name }]
  const value = validValue(source(context))
  if (value !== '') return [{ operation, name, value }]
  return operation === 'set' ? [{ operation: 'remove', name }] : []
}

/** Control characters become spaces. Other octets outside of ASCII are written as the vendor does: `\u00e9`. */
function validValue(value: Bytes | undefined): Bytes {
  if (value === undefined) return ''
  const line = value
    .replace(/[\0-\x1f\x7f]/g, ' ') // eslint-disable-line no-control-regex -- these are the ones that could end a line
    .trim()
    .replace(/[\x80-\xff]/g, (octet) => `\\u00${octet.charCodeAt(0).toString(16)}`)
  return line.length > MAX_HEADER_VALUE_BYTES ? '' : line
}

/** The lines after all edits, in order. */
export function editHeaders(
  lines: readonly HeaderLine[],
  edits: readonly HeaderEdit[],
): readonly HeaderLine[] {
  let edited = lines
  for (const edit of edits) {
    if (edit.operation !== 'add') edited = edited.filter(([name]) => asciiLower(name) !== edit.name)
    if (edit.operation !== 'remove') edited = [...edited, [edit.name, edit.value]]
  }
  return edited
}
