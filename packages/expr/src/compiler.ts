// Compiles a tree to closures. Field slots are resolved here; evaluation allocates only what arrays need.
import type { LogicalNode, ValueNode } from './ast.ts'
import { type Condition, compileLogical, compileReader } from './compile/logical.ts'
import type { Reader } from './compile/value.ts'
import { parseExpression, type ParseOptions, parseValue } from './parser.ts'
import type { Scheme } from './scheme.ts'

export type { Condition, Reader }

/** Compiles a filter to a function of the context. The tree must have been parsed with the same scheme. */
export const compile = (node: LogicalNode, scheme: Scheme): Condition => compileLogical(node, scheme)

/** Compiles a value expression to a function of the context. */
export const compileValueNode = (node: ValueNode | LogicalNode, scheme: Scheme): Reader =>
  compileReader(node, scheme)

/** Parses and compiles a filter. @throws ExprError */
export const compileExpression = (source: string, scheme: Scheme, options?: ParseOptions): Condition =>
  compileLogical(parseExpression(source, scheme, options), scheme)

/** Parses and compiles a value expression. @throws ExprError */
export const compileValueExpression = (source: string, scheme: Scheme, options?: ParseOptions): Reader =>
  compileReader(parseValue(source, scheme, options), scheme)
