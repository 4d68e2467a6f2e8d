// Evaluates expressions by their type.
import { buildParent, instantiate, makeClass, makeInstance } from './instances.ts'
import { addGetter, addSetter, isFunctionValue, own } from './owners.ts'
import { assignPattern, keyName, lookUp, memberName } from './bindings.ts'
import { callBrowser } from './browser-calls.ts'
import { constructBrowser } from './browser-constructors.ts'
import { MAX_ITEMS, MAX_TEXT_LENGTH } from './limits.ts'
import type { Machine } from './machine.ts'
import { readMember } from './members.ts'
import { seeDecoded, seeText } from './observations.ts'
import { applyOperator, applyUnary } from './operators.ts'
import { noteMarkup } from './browser-sinks.ts'
import { namedValue, storageTaint } from './browser-sources.ts'
import { callPure, dateOf, mixValues } from './pure-calls.ts'
import { cookedText, type Node, type NodeOf } from './syntax-tree.ts'
import { addCondition, mergeBranches } from './alternatives.ts'
import { awaitValue } from './promises.ts'
import { runBranch, runEither } from './conditions.ts'
import {
  ANY_NAME,
  askedOf,
  hostObject,
  isUnknown,
  type Scope,
  taintOf,
  truth,
  UNKNOWN,
  unknownValue,
  type MethodValue,
  type ObjectValue,
  type UnknownValue,
  type Value,
  weightOf,
  wholeText,
} from './values.ts'

type Evaluate<K extends Node['type']> = (machine: Machine, node: NodeOf<K>, scope: Scope) => Value
type Table = { readonly [K in Node['type']]?: Evaluate<K> }

/**
 * Records strings that a script builds. Long ones are recorded if they come from a decoder, not if they are
 * intermediate steps.
 */
function recordValue(machine: Machine, value: Value, longest: number): Value {
  if (typeof value === 'string' && value.length > 1 && value.length <= longest) {
    machine.spend(value.length >> 5)
    seeDecoded(machine.observed, value)
  }
  return value
}

const MAX_STEP_TEXT = 300

function evaluateArguments(machine: Machine, args: readonly Node[], scope: Scope): Value[] {
  const values: Value[] = []
  for (const arg of args) {
    if (arg.type === 'SpreadElement') {
      const spread = machine.evaluate(arg.argument, scope)
      machine.spend(typeof spread === 'string' ? spread.length >> 6 : 0)
      if (typeof spread === 'string') values.push(...spread.slice(0, MAX_ITEMS))
      else if (typeof spread === 'object' && spread !== null && spread.kind === 'array') {
        machine.spend(spread.items.length >> 3)
        for (const item of spread.items) values.push(item)
      } else values.push(unknownValue({ taint: taintOf(spread) }))
    } else values.push(machine.evaluate(arg, scope))
  }
  return values
}

/** Remembers where a flow that follows is written. */
function notePosition({ observed }: Machine, { start }: Node): void {
  if (observed.hasPositions) observed.at = start ?? null
}

function evaluateCall(machine: Machine, node: NodeOf<'CallExpression'>, scope: Scope): Value {
  const { callee } = node
  if (callee.type === 'Super') {
    buildParent(machine, evaluateArguments(machine, node.arguments, scope), scope.self)
    return UNKNOWN
  }
  let self: Value = undefined
  let name = ''
  let target: Value
  if (callee.type === 'MemberExpression' && callee.object.type !== 'Super') {
    self = machine.evaluate(callee.object, scope)
    const key = memberName(machine, callee, scope)
    name = wholeText(key) ?? '' // computed, and unknown
    target = readMember(machine, self, key)
  } else {
    target = machine.evaluate(callee, scope)
    // A browser function keeps its own name under that of a variable.
    if (callee.type === 'Identifier' && !(isUnknown(target) && target.path !== '')) ({ name } = callee)
  }
  const args = evaluateArguments(machine, node.arguments, scope)
  notePosition(machine, node)
  return recordValue(machine, callValue(machine, target, { self, name }, args), MAX_TEXT_LENGTH)
}

/** `[].forEach.call(list, f)`: an array method called for a browser list. null: something else. */
function borrowMethod(target: MethodValue, args: readonly Value[]): Parameters<typeof callBrowser>[1] | null {
  const inner = target.self
  const [self, ...rest] = args
  if (target.name !== 'call' && target.name !== 'apply') return null
  if (typeof inner !== 'object' || inner === null || inner.kind !== 'method') return null
  if (typeof self !== 'object' || self === null || self.kind !== 'unknown') return null
  const name = inner.name.replace(/^\w+\.prototype\./u, '')
  if (!/^(?:forEach|map|filter|reduce|some|every|find|slice|join|concat|indexOf|push)$/u.test(name))
    return null
  return { target: UNKNOWN, self, name, args: rest }
}

const isReflectApply = ({ name, self }: MethodValue): boolean =>
  name === 'apply' && typeof self === 'object' && self?.kind === 'method' && self.name === 'Reflect'

function callValue(
  machine: Machine,
  target: Value,
  { self, name }: { readonly self: Value; readonly name: string },
  args: readonly Value[],
): Value {
  if (typeof target !== 'object' || target === null) {
    for (const arg of args) machine.later(arg, [UNKNOWN], UNKNOWN)
    return mixValues([self, ...args])
  }
  if (target.kind === 'function')
    return machine.call(target, args, self === undefined ? machine.globals.self : self)
  for (const arg of args) machine.spend(weightOf(arg))
  if (target.kind === 'method') {
    const [callee, receiver, list] = args
    if (isReflectApply(target) && typeof list === 'object' && list?.kind === 'array')
      return callValue(machine, callee, { self: receiver, name: '' }, list.items)
    const through = borrowMethod(target, args)
    return through === null ? callPure(machine, target, args) : callBrowser(machine, through)
  }
  if (target.kind !== 'unknown') return UNKNOWN
  const receiver: UnknownValue =
    typeof self === 'object' && self !== null && self.kind === 'unknown'
      ? self
      : unknownValue({ taint: taintOf(self) })
  return callBrowser(machine, { target, self: receiver, name, args })
}

function evaluateNew(machine: Machine, node: NodeOf<'NewExpression'>, scope: Scope): Value {
  const target = machine.evaluate(node.callee, scope)
  const args = evaluateArguments(machine, node.arguments, scope)
  notePosition(machine, node)
  if (typeof target !== 'object' || target === null) return UNKNOWN
  if (target.kind === 'function') {
    const made = makeInstance(machine, target)
    const given = machine.call(target, args, made)
    return typeof given === 'object' && given !== null ? given : made
  }
  if (target.kind === 'method') return target.name === 'Date' ? dateOf(args) : callPure(machine, target, args)
  if (target.kind !== 'unknown') return UNKNOWN
  return instantiate(machine, target, args) ?? constructBrowser(machine, target, args)
}

function evaluateAssignment(machine: Machine, node: NodeOf<'AssignmentExpression'>, scope: Scope): Value {
  const { left, operator } = node
  if (operator === '=') {
    const value = machine.evaluate(node.right, scope)
    notePosition(machine, node)
    assignPattern(machine, left, value, scope, false)
    return value
  }
  const before = machine.evaluate(left, scope)
  if (operator === '||=' || operator === '&&=' || operator === '??=') {
    const value = chooseLogical(machine, operator.slice(0, 2), before, () =>
      machine.evaluate(node.right, scope),
    )
    assignPattern(machine, left, value, scope, false)
    return value
  }
  const right = machine.evaluate(node.right, scope)
  // The sum is unknown, but what is added to the page is relevant.
  if (left.type === 'MemberExpression' && wholeText(memberName(machine, left, scope)) === 'innerHTML')
    noteMarkup(machine, right)
  const value = operate(machine, operator.slice(0, -1), before, right)
  assignPattern(machine, left, value, scope, false)
  return value
}

function operate(machine: Machine, operator: string, left: Value, right: Value): Value {
  machine.spend(weightOf(left) + weightOf(right))
  return applyOperator(operator, left, right)
}

/** A sum of a thousand pieces is nested a thousand times, to the left: it needs no depth. */
function evaluateBinary(machine: Machine, node: NodeOf<'BinaryExpression'>, scope: Scope): Value {
  const sums = [node]
  let first = node.left
  for (; first.type === 'BinaryExpression'; first = first.left) {
    machine.spend(1)
    sums.push(first)
  }
  let value = machine.evaluate(first, scope)
  for (const { operator, right } of sums.toReversed()) {
    value = recordValue(
      machine,
      operate(machine, operator, value, machine.evaluate(right, scope)),
      MAX_STEP_TEXT,
    )
  }
  return value
}

function chooseLogical(machine: Machine, operator: string, left: Value, right: () => Value): Value {
  if (operator === '??') {
    if (left === null || left === undefined) return right()
    return typeof left === 'object' && left.kind === 'unknown' ? mergeBranches(machine, left, right()) : left
  }
  const holds = truth(left)
  const asked = askedOf(left)
  if (holds === undefined) {
    const other = runBranch(machine, asked, right, UNKNOWN)
    return operator === '&&' ? addCondition(other, asked) : mergeBranches(machine, left, other)
  }
  return holds === (operator === '&&') ? right() : left
}

function evaluateObject(machine: Machine, node: NodeOf<'ObjectExpression'>, scope: Scope): Value {
  const entries = new Map<string, Value>()
  const made: ObjectValue = { kind: 'object', entries }
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = machine.evaluate(property.argument, scope)
      if (typeof spread === 'object' && spread !== null && spread.kind === 'object') {
        machine.spend(spread.entries.size >> 2)
        for (const [key, value] of spread.entries) entries.set(key, value)
      } else if ((taintOf(spread) | storageTaint(spread)) !== 0)
        entries.set(ANY_NAME, unknownValue({ taint: taintOf(spread) | storageTaint(spread) }))
    } else if (property.type === 'Property') {
      const key = wholeText(keyName(machine, property.key, property.computed, scope))
      const value = machine.evaluate(property.value, scope)
      own(machine, made, value)
      if (key !== undefined && property.kind === 'init') entries.set(key, namedValue(key, value))
      else if (key !== undefined && property.kind === 'get') addGetter(made, key, value)
      else if (key !== undefined) addSetter(machine, made, key, value)
    }
  }
  return made
}

function evaluateClass(
  machine: Machine,
  node: NodeOf<'ClassDeclaration' | 'ClassExpression'>,
  scope: Scope,
): Value {
  const { superClass: parent } = node
  return makeClass(
    machine,
    node.body,
    parent === null || parent === undefined ? undefined : machine.evaluate(parent, scope),
    scope,
  )
}

/** A template after a function of the script, which gets its strings and its values. */
function evaluateTagged(
  machine: Machine,
  { tag, quasi }: NodeOf<'TaggedTemplateExpression'>,
  scope: Scope,
): Value {
  const target = tag.type === 'Identifier' ? lookUp(machine, tag.name, scope) : undefined
  if (!isFunctionValue(target) || quasi.type !== 'TemplateLiteral') return machine.evaluate(quasi, scope)
  const strings: Value = { kind: 'array', items: quasi.quasis.map(cookedText) }
  return machine.call(target, [strings, ...evaluateArguments(machine, quasi.expressions, scope)], undefined)
}

function evaluateTemplate(machine: Machine, node: NodeOf<'TemplateLiteral'>, scope: Scope): Value {
  let value: Value = ''
  for (const [i, quasi] of node.quasis.entries()) {
    value = applyOperator('+', value, cookedText(quasi))
    const expression = node.expressions[i]
    if (expression !== undefined) {
      const part = machine.evaluate(expression, scope)
      value = operate(machine, '+', value, part)
    }
  }
  return recordValue(machine, value, MAX_STEP_TEXT)
}

function evaluateConditional(machine: Machine, node: NodeOf<'ConditionalExpression'>, scope: Scope): Value {
  const test = machine.evaluate(node.test, scope)
  const holds = truth(test)
  if (holds !== undefined) return machine.evaluate(holds ? node.consequent : node.alternate, scope)
  const asked = askedOf(test)
  const [first, second] = runEither(
    machine,
    asked,
    UNKNOWN,
    () => machine.evaluate(node.consequent, scope),
    () => machine.evaluate(node.alternate, scope),
  )
  return mergeBranches(machine, first, second, asked)
}

function evaluateUpdate(machine: Machine, node: NodeOf<'UpdateExpression'>, scope: Scope): Value {
  const before = applyUnary('+', machine.evaluate(node.argument, scope))
  const after = applyOperator(node.operator === '++' ? '+' : '-', before, 1)
  assignPattern(machine, node.argument, after, scope, false)
  return node.prefix ? after : before
}

function evaluateUnary(machine: Machine, node: NodeOf<'UnaryExpression'>, scope: Scope): Value {
  const value = machine.evaluate(node.argument, scope)
  machine.spend(weightOf(value))
  return node.operator === 'delete' ? true : applyUnary(node.operator, value)
}

function evaluateLiteral(machine: Machine, node: NodeOf<'Literal'>): Value {
  if ('regex' in node && node.regex !== undefined && node.regex !== null) {
    seeText(machine.observed, node.regex.pattern)
    return hostObject('regex', `${node.regex.pattern}/${node.regex.flags}`)
  }
  const { value } = node
  return typeof value === 'bigint' || typeof value === 'object' ? (value === null ? null : UNKNOWN) : value
}

export const EXPRESSIONS = {
  Literal: evaluateLiteral,
  Identifier: (machine, node, scope) => lookUp(machine, node.name, scope),
  ThisExpression: (_, __, scope) => scope.self,
  MemberExpression: (machine, node, scope) => {
    if (node.object.type === 'Super') return UNKNOWN
    const object = machine.evaluate(node.object, scope)
    return recordValue(machine, readMember(machine, object, memberName(machine, node, scope)), MAX_STEP_TEXT)
  },
  CallExpression: evaluateCall,
  NewExpression: evaluateNew,
  BinaryExpression: evaluateBinary,
  LogicalExpression: (machine, node, scope) => {
    let isTaken = false
    const value = chooseLogical(machine, node.operator, machine.evaluate(node.left, scope), () => {
      isTaken = true
      machine.take(node.right)
      return machine.evaluate(node.right, scope)
    })
    if (!isTaken && node.operator === '&&') machine.skip(node.right, scope)
    return value
  },
  UnaryExpression: evaluateUnary,
  UpdateExpression: evaluateUpdate,
  AssignmentExpression: evaluateAssignment,
  ConditionalExpression: evaluateConditional,
  SequenceExpression: (machine, node, scope) => {
    let last: Value = undefined
    for (const expression of node.expressions) last = machine.evaluate(expression, scope)
    return last
  },
  ArrayExpression: (machine, node, scope) => ({
    kind: 'array',
    items: evaluateArguments(
      machine,
      node.elements.map((element) => element ?? NOTHING),
      scope,
    ),
  }),
  ObjectExpression: evaluateObject,
  FunctionExpression: (machine, node, scope) => machine.makeFunction(node, scope),
  FunctionDeclaration: (machine, node, scope) => machine.makeFunction(node, scope),
  ArrowFunctionExpression: (machine, node, scope) => machine.makeFunction(node, scope),
  ClassExpression: evaluateClass,
  ClassDeclaration: evaluateClass,
  TemplateLiteral: evaluateTemplate,
  TaggedTemplateExpression: evaluateTagged,
  ChainExpression: (machine, node, scope) => machine.evaluate(node.expression, scope),
  ParenthesizedExpression: (machine, node, scope) => machine.evaluate(node.expression, scope),
  AwaitExpression: (machine, node, scope) => awaitValue(machine, machine.evaluate(node.argument, scope)),
  YieldExpression: (machine, node, scope) => {
    const value =
      node.argument === null || node.argument === undefined ? UNKNOWN : machine.evaluate(node.argument, scope)
    machine.noteYield(value, node.delegate)
    return value
  },
  ImportExpression: (machine, node, scope) =>
    callBrowser(machine, {
      target: unknownValue({ path: 'import' }),
      self: UNKNOWN,
      name: 'import',
      args: [machine.evaluate(node.source, scope)],
    }),
} satisfies Table

/** The value of a hole in an array. */
const NOTHING: NodeOf<'Identifier'> = { type: 'Identifier', name: 'undefined' }
