// Which functions of a script its own code calls by name.
import { isFunction, type Node, type Visited } from './syntax-tree.ts'

interface Sites {
  first: number
  last: number
}

/** `f` of `f()`, `o.f()` and `f.call()`, with a dot before the names of members. */
function namesOfCall(callee: Node): readonly string[] {
  if (callee.type === 'Identifier') return [callee.name]
  if (callee.type !== 'MemberExpression') return []
  const own = memberName(callee)
  if (own !== '.call' && own !== '.apply') return own === null ? [] : [own]
  return callee.object.type === 'Super' ? [] : namesOfCall(callee.object)
}

function memberName(node: Node): string | null {
  if (node.type !== 'MemberExpression') return null
  const { property } = node
  if (property.type === 'Identifier' && node.computed !== true) return `.${property.name}`
  return property.type === 'Literal' ? `.${String(property.value)}` : null
}

/** The names under which other code of the script can call a function. */
function namesOfFunction(node: Node, parent: Node | null): readonly (string | null)[] {
  const own = node.type === 'FunctionDeclaration' && node.id !== null ? node.id.name : null
  if (parent?.type === 'VariableDeclarator')
    return [own, parent.id.type === 'Identifier' ? parent.id.name : null]
  if (parent?.type === 'AssignmentExpression')
    return [own, parent.left.type === 'Identifier' ? parent.left.name : memberName(parent.left)]
  if (parent?.type === 'Property' || parent?.type === 'MethodDefinition')
    return [own, parent.key?.type === 'Identifier' ? `.${parent.key.name}` : null]
  return [own]
}

/** The functions that a call names which is not within the function itself. */
export function calledByName(nodes: readonly Visited[]): readonly Node[] {
  const sites = new Map<string, Sites>()
  for (const { node } of nodes) {
    if ((node.type !== 'CallExpression' && node.type !== 'NewExpression') || node.start === undefined)
      continue
    for (const name of namesOfCall(node.callee)) {
      const known = sites.get(name)
      if (known === undefined) sites.set(name, { first: node.start, last: node.start })
      else {
        known.first = Math.min(known.first, node.start)
        known.last = Math.max(known.last, node.start)
      }
    }
  }
  return nodes.flatMap(({ node, parent }) => {
    if (!isFunction(node)) return []
    const { start = 0, end = 0 } = node
    const isCalled = namesOfFunction(node, parent).some((name) => {
      const found = name === null ? undefined : sites.get(name)
      return found !== undefined && (found.first < start || found.last >= end)
    })
    return isCalled ? [node] : []
  })
}
