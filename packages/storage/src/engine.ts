// One query, two databases: builders keep the query as a tree, and each engine's compiler writes its own SQL.
// Where their SQL differs, the tree has both forms.
import {
  type Compilable,
  type CompiledQuery,
  type OperationNode,
  PostgresQueryCompiler,
  type RawBuilder,
  RawNode,
  sql,
} from 'kysely'
import { query } from './query.ts'

export type Engine = 'sqlite' | 'postgres'

/** A query that knows its tree: all that Kysely builds, and those of {@link rawQuery} and `prepare`. */
interface EngineQuery {
  compileFor(engine: Engine): CompiledQuery
}

interface TwoForms extends RawNode {
  /** The form for PostgreSQL; the members of the node itself are the form for SQLite. */
  readonly postgres: OperationNode
}

class Compiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    if ('postgres' in node) this.visitNode((node as TwoForms).postgres) // made by byEngine
    else super.visitRaw(node)
  }
}

const compiler = new Compiler()
const QUERY_ID = { queryId: 'query' } // read by Kysely's own executor only

/** An expression whose SQL differs. Prefer SQL that both understand. */
export function byEngine<Value>(forms: Readonly<Record<Engine, RawBuilder<Value>>>): RawBuilder<Value> {
  const [sqlite, postgres] = [forms.sqlite.toOperationNode(), forms.postgres.toOperationNode()]
  const both: TwoForms = { ...RawNode.create(['', ''], [sqlite]), postgres }
  return sql<Value>`${{ toOperationNode: () => both }}`
}

/** A query that is written as SQL. */
export function rawQuery<Row>(text: RawBuilder<Row>): Compilable<Row> {
  const both = { compile: () => text.compile(query), toOperationNode: () => text.toOperationNode() }
  return both as unknown as Compilable<Row> // the form that the compiler returns
}

/** @throws Error: the query has no tree. */
export function compileFor<Row>(engine: Engine, compilable: Compilable<Row>): CompiledQuery<Row> {
  if (engine === 'sqlite') return compilable.compile()
  if (isEngineQuery(compilable)) return compilable.compileFor(engine) as CompiledQuery<Row> // of this query
  if ('toOperationNode' in compilable)
    return compiler.compileQuery(
      (compilable.toOperationNode as () => never)(), // the root node of a query
      QUERY_ID,
    ) as CompiledQuery<Row> // as above
  throw new Error('the query can be compiled for SQLite only')
}

const isEngineQuery = (compilable: object): compilable is EngineQuery => 'compileFor' in compilable
