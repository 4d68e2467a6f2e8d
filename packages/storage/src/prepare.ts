// Queries that run thousands of times per second: compiling one takes many times as long as running it, so the
// SQL is compiled once, and only its named parameters change.
import type { Compilable, CompiledQuery } from 'kysely'
import { compileFor, type Engine } from './engine.ts'

/** Marks the place of a parameter in a query. */
class Placeholder {
  readonly name: string
  /** Index in a list parameter; undefined for other parameters. */
  readonly index: number | undefined

  constructor(name: string, index?: number) {
    this.name = name
    this.index = index
  }
}

type Values = Readonly<Record<string, unknown>>
type Read<Source> = (source: Source) => unknown

/**
 * Compiles the query that `build` creates from placeholders for its parameters.
 *
 * @param lengths of list parameters: a shorter list is padded with its last value.
 */
export function prepare<Parameters extends object, Row>(
  build: (parameters: Parameters) => Compilable<Row>,
  lengths: { readonly [Name in keyof Parameters]?: number } = {},
): (values: Parameters) => Compilable<Row> {
  return prepareFor(build, valueReader, lengths)
}

/**
 * Like {@link prepare}, for parameters that are read from the source that the query is run with.
 *
 * @param readerOf is called once per place of a parameter.
 */
export function prepareFor<Parameters extends object, Row, Source>(
  build: (parameters: Parameters) => Compilable<Row>,
  readerOf: (name: string, index: number | undefined) => Read<Source>,
  lengths: { readonly [Name in keyof Parameters]?: number } = {},
): (source: Source) => Compilable<Row> {
  const known = new Map<string, unknown>(Object.entries(lengths))
  const placeholders = new Proxy({}, { get: (_, name: string) => placeholderOf(name, known.get(name)) })
  const built = build(placeholders as Parameters) // `build` only passes them on
  const forms = new Map<Engine, (source: Source) => CompiledQuery<Row>>()
  const formFor = (engine: Engine) => {
    const known = forms.get(engine)
    if (known !== undefined) return known
    const compiled = compileFor(engine, built)
    const readers = compiled.parameters.map((parameter): Read<Source> =>
      parameter instanceof Placeholder ? readerOf(parameter.name, parameter.index) : () => parameter,
    )
    const form = (source: Source) => ({ ...compiled, parameters: readers.map((read) => read(source)) })
    forms.set(engine, form)
    return form
  }
  const sqlite = formFor('sqlite')
  return (source) => {
    let compiled: CompiledQuery<Row> | undefined
    const compile = (): CompiledQuery<Row> => (compiled ??= sqlite(source))
    return {
      compile,
      compileFor: (engine: Engine) => (engine === 'sqlite' ? compile() : formFor(engine)(source)),
    }
  }
}

const placeholderOf = (name: string, length: unknown): Placeholder | Placeholder[] =>
  typeof length !== 'number'
    ? new Placeholder(name)
    : Array.from({ length }, (_, index) => new Placeholder(name, index))

function valueReader(name: string, index: number | undefined): Read<object> {
  return (values) => {
    const value = (values as Values)[name] // members by name
    const given =
      Array.isArray(value) && index !== undefined ? value[Math.min(index, value.length - 1)] : value
    if (given === undefined) throw new Error(`the query has no value for ${name}`)
    return given
  }
}
