import { dsCases } from './ds.cases.ts'
import type { Ds } from './ds.ts'
import { renamedCases } from './type-cases.cases.ts'
import type { TypeCases } from './type-cases.cases.ts'

const cases = renamedCases(dsCases, 'ds', 'dlv')

/** The format of DS, without a meaning for its reserved numbers. */
export const dlvCases: TypeCases<Ds> = {
  ...cases,
  badValue: cases.badValue.filter(([, , rules]) => !rules.some((rule) => rule.endsWith('-reserved'))),
}
