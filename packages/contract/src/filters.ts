// Filter expressions: the language that policies, rulesets and firewall rules share.
import { Type } from 'typebox'
import { operation } from './operation.ts'

const tag = 'Filters'

const Checked = Type.Object({
  expression: Type.String({ description: 'As it was sent.' }),
  canonical: Type.String({ description: 'The same in its canonical text.' }),
  fields: Type.Array(Type.String(), { description: 'Fields that it reads.' }),
  functions: Type.Array(Type.String(), { description: 'Functions that it calls.' }),
})

const Expression = Type.String({
  description: 'A filter expression.',
  examples: ['http.host eq "www.example.com" and not ip.src in {192.0.2.0/24}'],
})

export const filters = {
  validate: operation({
    id: 'filters.validate_expression',
    method: 'POST',
    path: '/filters/validate-expr',
    summary: 'Check a filter expression',
    description: 'A fault is told with its line and column, the line itself, and carets under the place.',
    tag,
    permission: { on: 'credential' },
    asks: true,
    body: Type.Object({ expression: Expression }),
    result: Checked,
  }),
  validateQuery: operation({
    id: 'filters.validate_expression_query',
    method: 'GET',
    path: '/filters/validate-expr',
    summary: 'Check a filter expression given in the query',
    tag,
    permission: { on: 'credential' },
    query: Type.Object({ expression: Expression }),
    result: Checked,
  }),
}
