// Schemes of a corpus file: its JSON types, and its test functions, which the file describes in prose.
import {
  arrayOf,
  asciiLower,
  asciiUpper,
  BOOL,
  BYTES,
  createScheme,
  type ExpectedType,
  type FunctionDefinition,
  functionNamed,
  INT,
  IP,
  isArray,
  mapOf,
  type Maybe,
  type Parameter,
  type Scheme,
  type Type,
} from '../packages/expr/src/index.ts'

export type CorpusTypeJson = string | { readonly Array: CorpusTypeJson } | { readonly Map: CorpusTypeJson }

type ParameterJson = readonly [kind: 'Field' | 'Literal' | 'Both', type: CorpusTypeJson, missing?: unknown]

type FunctionJson =
  | { readonly builtin: string }
  | {
      readonly params: readonly ParameterJson[]
      readonly opt: readonly ParameterJson[]
      readonly returns: CorpusTypeJson
      readonly semantics: string
    }

export type CorpusSchemeJson = {
  readonly fields: Readonly<Record<string, { readonly type: CorpusTypeJson }>>
  readonly nil_not_equal: boolean
  readonly functions: Readonly<Record<string, FunctionJson>>
  readonly lists: readonly (CorpusTypeJson | { readonly type: CorpusTypeJson; readonly matcher: string })[]
}

const PRIMITIVES: Readonly<Record<string, Type>> = { Bytes: BYTES, Int: INT, Ip: IP, Bool: BOOL }

/** Type for the name used in the file; `Array<…>` occurs in signatures. */
export function corpusType(json: CorpusTypeJson): Type {
  if (typeof json !== 'string')
    return 'Array' in json ? arrayOf(corpusType(json.Array)) : mapOf(corpusType(json.Map))
  const inner = /^(Array|Map)<(.*)>$/.exec(json)
  if (inner !== null) return (inner[1] === 'Array' ? arrayOf : mapOf)(corpusType(inner[2] ?? ''))
  const type = PRIMITIVES[json]
  if (type === undefined) throw new Error(`unknown type ${json}`)
  return type
}

/** Builds a scheme of the file. @throws Error if it has a function that is not implemented here */
export function corpusScheme(json: CorpusSchemeJson): Scheme {
  return createScheme({
    fields: Object.entries(json.fields).map(([name, { type }]) => ({ name, type: corpusType(type) })),
    functions: Object.entries(json.functions).map(([name, definition]) => corpusFunction(name, definition)),
    listTypes: json.lists.map((list) =>
      corpusType(typeof list === 'object' && 'type' in list ? list.type : list),
    ),
    nilNotEqual: json.nil_not_equal,
    booleanLiterals: false,
  })
}

function corpusFunction(name: string, json: FunctionJson): FunctionDefinition {
  if ('builtin' in json) return functionNamed('concat')
  const implementation = IMPLEMENTATIONS[name]
  if (implementation === undefined) throw new Error(`function ${name} is not implemented: ${json.semantics}`)
  const returns = json.returns
  return {
    name,
    summary: json.semantics,
    parameters: json.params.map(parameter),
    optional: json.opt.map(parameter),
    returns: returns === 'type of arg 0' ? ([first]) => first ?? BYTES : corpusType(returns),
    implement: () => implementation,
  }
}

function parameter([kind, type]: ParameterJson, index: number): Parameter {
  const types: readonly ExpectedType[] = type === 'Array<_>' ? ['array'] : [corpusType(type)]
  return {
    name: `argument ${index}`,
    kind: kind === 'Both' ? 'any' : kind === 'Field' ? 'field' : 'literal',
    types,
  }
}

const IMPLEMENTATIONS: Readonly<Record<string, (args: readonly Maybe[]) => Maybe>> = {
  lower: ([text]) => (typeof text === 'string' ? asciiLower(text) : undefined),
  lowercase: ([text]) => (typeof text === 'string' ? asciiLower(text) : undefined),
  upper: ([text]) => (typeof text === 'string' ? asciiUpper(text) : undefined),
  len: ([text]) => (typeof text === 'string' ? text.length : undefined),
  starts_with: ([text, part]) =>
    typeof text === 'string' && typeof part === 'string' ? text.startsWith(part) : undefined,
  ends_with: ([text, part]) =>
    typeof text === 'string' && typeof part === 'string' ? text.endsWith(part) : undefined,
  take: (args) => {
    const [text, count] = args
    if (typeof text !== 'string') return undefined
    if (args.length === 1) return text.slice(0, 3)
    return count === undefined ? undefined : text.slice(0, Math.max(0, Number(count)))
  },
  concat: (args) => args.filter((arg) => typeof arg === 'string').join(''),
  concat_fields: (args) => args.filter((arg) => typeof arg === 'string').join(''),
  echo: ([first]) => first,
  regex_replace: ([first]) => first,
  filter: ([values, keep]) =>
    isArray(values) && isArray(keep) ? values.filter((_value, i) => keep[i] === true) : undefined,
  array: ([first]) => (first === undefined ? undefined : [first]),
  array2: ([first]) => (first === undefined ? undefined : [[first]]),
}
