// HTTP for checking expressions.
import { filters as operations } from '@zonereeve/contract'
import { route, type Reply, type Route } from '../../http/index.ts'
import { DomainError } from '../../platform/domain-error.ts'
import { readExpression } from './expression.rules.ts'

export function filterRoutes(): Route[] {
  return [
    route(operations.validate, async ({ body }) => validated(body.expression)),
    route(operations.validateQuery, async ({ query }) => validated(query.expression)),
  ]
}

function validated(expression: string): Reply {
  const read = readExpression(expression, '/expression')
  if (!('ok' in read)) throw new DomainError(read)
  const { canonical, usage } = read
  return { result: { expression, canonical, fields: usage.fields, functions: usage.functions } }
}
