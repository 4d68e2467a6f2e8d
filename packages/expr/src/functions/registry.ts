// The functions of the language, sorted by name. `any` and `all` are grammar, not functions.
import { concat } from './concat.ts'
import type { FunctionDefinition } from './definition.ts'

export const FUNCTIONS: readonly FunctionDefinition[] = [concat]

/** The function of that name. @throws Error: there is none */
export function functionNamed(name: string): FunctionDefinition {
  const found = FUNCTIONS.find((definition) => definition.name === name)
  if (found === undefined) throw new Error(`no function ${name}`)
  return found
}
