// Names and their scopes: look-up, assignment, destructuring, hoisting.
import type { Machine } from './machine.ts'
import type { Node } from './syntax-tree.ts'
import { readMember, writeMember } from './members.ts'
import {
  hostObject,
  PRIVATE_TAINT,
  type Scope,
  taintOf,
  TAKEN_APART_TAINT,
  UNKNOWN,
  unknownValue,
  type Value,
  weightOf,
} from './values.ts'

/** Names of the window itself. */
const WINDOW_NAMES = new Set([
  'window',
  'self',
  'top',
  'parent',
  'globalThis',
  'frames',
  'unsafeWindow',
  'global',
])

/** The value of a name; a name that the script does not declare belongs to the browser. */
export function lookUp(machine: Machine, name: string, scope: Scope): Value {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const value = at.vars.get(name)
    if (value !== undefined || at.vars.has(name)) return value
  }
  if (name === 'undefined') return undefined
  if (name === 'NaN') return Number.NaN
  if (name === 'Infinity') return Number.POSITIVE_INFINITY
  if (WINDOW_NAMES.has(name)) return machine.globals.self
  return readMember(machine, machine.globals.self, name)
}

export function assignName(machine: Machine, name: string, value: Value, scope: Scope): void {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    if (at.vars.has(name)) {
      machine.flags.noteChange(at.vars, name, value)
      at.vars.set(name, keepTaint(machine, at.vars.get(name), value))
      return
    }
  }
  writeMember(machine, machine.globals.self, name, value)
}

/** A value assigned only if what was typed is this or that may still be what was typed: `if (key === ' ') key = '_'`. */
function keepTaint({ observed }: Machine, before: Value, value: Value): Value {
  const { under } = observed.now
  if (under === 0) return value
  const asked = taintOf(before) & under
  // `if (code < 32) code = 63`
  if (typeof value === 'number' && (asked & TAKEN_APART_TAINT) !== 0) return before
  const taint = asked & PRIVATE_TAINT
  return taint === 0 || typeof value !== 'string' ? value : unknownValue({ taint })
}

/** Assigns to a name, a member or a pattern. `declares`: assigns in this scope, ignoring outer ones. */
export function assignPattern(
  machine: Machine,
  target: Node,
  value: Value,
  scope: Scope,
  declares: boolean,
): void {
  machine.spend(1)
  switch (target.type) {
    case 'Identifier':
      if (declares) {
        // A first value is no change.
        if (scope.vars.get(target.name) !== undefined)
          machine.flags.noteChange(scope.vars, target.name, value)
        scope.vars.set(target.name, value)
      } else assignName(machine, target.name, value, scope)
      return
    case 'MemberExpression':
      if (target.object.type === 'Super') return
      writeMember(machine, machine.evaluate(target.object, scope), memberName(machine, target, scope), value)
      return
    case 'AssignmentPattern':
      assignPattern(
        machine,
        target.left,
        value === undefined && target.right !== undefined ? machine.evaluate(target.right, scope) : value,
        scope,
        declares,
      )
      return
    case 'ArrayPattern':
      target.elements.forEach((element, i) => {
        if (element !== null) assignPattern(machine, element, readMember(machine, value, i), scope, declares)
      })
      return
    case 'ObjectPattern':
      for (const property of target.properties) {
        if (property.type === 'RestElement') {
          assignPattern(machine, property.argument, unknownValue({ taint: taintOf(value) }), scope, declares)
        } else {
          const key = keyName(machine, property.key, property.computed, scope)
          assignPattern(machine, property.value, readMember(machine, value, key), scope, declares)
        }
      }
      return
    default:
  }
}

/** The name of a member as computed by the script. */
export function memberName(machine: Machine, node: Node, scope: Scope): Value {
  if (node.type !== 'MemberExpression') return UNKNOWN
  if (node.computed === true) {
    const key = machine.evaluate(node.property, scope)
    machine.spend(weightOf(key))
    return key
  }
  return 'name' in node.property && typeof node.property.name === 'string' ? node.property.name : UNKNOWN
}

export function keyName(machine: Machine, key: Node, isComputed: boolean | undefined, scope: Scope): Value {
  if (isComputed === true) return machine.evaluate(key, scope)
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' || key.type === 'PrivateIdentifier' ? key.name : UNKNOWN
}

/** Declares the names of a body in its scope: variables as undefined, functions as themselves. */
export function declareNames(machine: Machine, body: Node, scope: Scope): void {
  if (!('body' in body) || !Array.isArray(body.body)) return
  for (const statement of body.body) {
    machine.spend(1)
    const declared =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement
    if (declared?.type === 'FunctionDeclaration' && declared.id !== null) {
      scope.vars.set(declared.id.name, machine.makeFunction(declared, scope))
    } else if (declared?.type === 'VariableDeclaration') {
      for (const { id } of declared.declarations) {
        if (id.type === 'Identifier' && !scope.vars.has(id.name)) scope.vars.set(id.name, undefined)
      }
    } else if (statement.type === 'ImportDeclaration') {
      for (const { local } of statement.specifiers) scope.vars.set(local.name, hostObject(''))
    }
  }
}
