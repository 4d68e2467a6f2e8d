// Executes statements by their type.
import { assignPattern, declareNames } from './bindings.ts'
import { mergeAll } from './alternatives.ts'
import { depend, runEither, runMaybe } from './conditions.ts'
import type { Ending, Machine } from './machine.ts'
import { emptyPromise } from './promise-state.ts'
import type { FunctionNode, Node, NodeOf } from './syntax-tree.ts'
import { followAwaited } from './thrown.ts'
import { ScriptThrow } from './throws.ts'
import {
  askedOf,
  type FunctionValue,
  isUnknown,
  type Scope,
  TAINT,
  taintOf,
  truth,
  UNKNOWN,
  unknownValue,
  type Value,
  weightOf,
  wholeText,
} from './values.ts'

type Execute<K extends Node['type']> = (machine: Machine, node: NodeOf<K>, scope: Scope) => Ending
type Table = { readonly [K in Node['type']]?: Execute<K> }

function executeAll(machine: Machine, body: readonly Node[], scope: Scope): Ending {
  const { flags } = machine
  const before = flags.perhapsLeft
  for (const [at, statement] of body.entries()) {
    const ending = machine.execute(statement, scope)
    if (ending !== null) return ending
    const { perhapsLeft } = flags
    // What follows `if (isBot) return` may not run.
    if (perhapsLeft !== undefined && perhapsLeft !== before && at + 1 < body.length)
      return flags.join(perhapsLeft.asked, () => executeAll(machine, body.slice(at + 1), scope))[0]
  }
  return null
}

/**
 * A body whose functions can be called before their declaration. Its names go into the scope of the enclosing
 * function.
 */
function executeBlock(machine: Machine, node: NodeOf<'BlockStatement'>, scope: Scope): Ending {
  for (const statement of node.body) {
    if (
      statement.type === 'FunctionDeclaration' &&
      statement.id !== null &&
      !scope.vars.has(statement.id.name)
    ) {
      scope.vars.set(statement.id.name, machine.makeFunction(statement, scope))
    }
  }
  return executeAll(machine, node.body, scope)
}

const isReturn = (ending: Ending): boolean => typeof ending === 'object' && ending !== null

/** true: leave the loop. */
function endsLoop(ending: Ending): boolean {
  return ending === 'break' || isReturn(ending)
}

function outOfLoop(ending: Ending): Ending {
  return typeof ending === 'object' ? ending : null
}

/** Decoders make a character of two or more. */
const ROUNDS_OF_DECODER = 2

/** How often a body runs under an unknown test: twice over text of the page that a script may decode as the page loads. */
const roundsOf = ({ observed: { now } }: Machine, test: Value): number =>
  now.on === '' && (askedOf(test) & (TAINT.page | TAINT.field)) !== 0 ? ROUNDS_OF_DECODER : 1

/**
 * After as many, a loop without a condition of its own ends, so that what follows it is read: more than decoders have
 * characters.
 */
const MAX_POSSIBLE_ENDS = 10_000

/** `for (;;)`, `while (true)`, `while (!![])` */
const isEndless = (test: Node | null): boolean =>
  test === null ||
  test.type === 'Literal' ||
  test.type === 'ArrayExpression' ||
  (test.type === 'UnaryExpression' && isEndless(test.argument))

interface LoopParts {
  readonly test: Node | null
  readonly body: Node
  readonly update: Node | null
  readonly bodyFirst: boolean
}

/** Runs a body while the test is true. */
function loop(machine: Machine, scope: Scope, parts: LoopParts): Ending {
  const { possibleEnds } = machine.flags
  machine.flags.possibleEnds = 0
  const ending = runRounds(machine, scope, parts)
  machine.flags.possibleEnds = possibleEnds
  return ending
}

function runRounds(machine: Machine, scope: Scope, parts: LoopParts): Ending {
  for (let round = 0; ; round += 1) {
    const skipsTest = parts.test === null || (parts.bodyFirst && round === 0)
    const test = skipsTest || parts.test === null ? true : machine.evaluate(parts.test, scope)
    const holds = truth(test)
    if (holds === false) return null
    const ending = machine.flags.inRound(() =>
      holds === undefined
        ? executeMaybe(machine, parts.body, scope, askedOf(test))
        : machine.execute(parts.body, scope),
    )
    if (endsLoop(ending)) return outOfLoop(ending)
    if (machine.flags.possibleEnds > MAX_POSSIBLE_ENDS && isEndless(parts.test)) return null
    if (parts.update !== null) machine.evaluate(parts.update, scope)
    if (holds === undefined && round + 1 >= roundsOf(machine, test)) return null
  }
}

function eachItem(machine: Machine, node: NodeOf<'ForInStatement' | 'ForOfStatement'>, scope: Scope): Ending {
  const subject = machine.evaluate(node.right, scope)
  const items = itemsOf(subject, node.type === 'ForInStatement')
  machine.spend(items.length >> 3)
  for (const item of items) {
    const { left } = node
    const target = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left
    // Functions that are made in the body keep the item of their own round.
    const isOfRound = left.type === 'VariableDeclaration' && left.kind !== 'var'
    const round = isOfRound ? { vars: new Map<string, Value>(), parent: scope, self: scope.self } : scope
    if (target !== undefined) assignPattern(machine, target, item, round, left.type === 'VariableDeclaration')
    const ending = machine.flags.inRound(() =>
      isUnknown(subject) ? executeMaybe(machine, node.body, round) : machine.execute(node.body, round),
    )
    if (endsLoop(ending)) return outOfLoop(ending)
  }
  return null
}

function itemsOf(subject: Value, isKeys: boolean): readonly Value[] {
  if (typeof subject === 'string')
    return isKeys ? Array.from(subject, (_, i) => String(i)) : Array.from(subject)
  if (typeof subject !== 'object' || subject === null) return []
  if (subject.kind === 'array') return isKeys ? subject.items.map((_, i) => String(i)) : [...subject.items]
  if (subject.kind === 'object') return isKeys ? [...subject.entries.keys()] : [...subject.entries.values()]
  return [isKeys ? UNKNOWN : unknownValue({ taint: taintOf(subject), path: 'element' })]
}

function executeSwitch(machine: Machine, node: NodeOf<'SwitchStatement'>, scope: Scope): Ending {
  const value = machine.evaluate(node.discriminant, scope)
  const [subject, asked] = [wholeText(value), askedOf(value)]
  let isIn = subject === undefined
  const passes = (test: Node | null): boolean => {
    if (test === null) return false
    const text = wholeText(machine.evaluate(test, scope))
    return text === undefined || text === subject
  }
  const from = isIn ? 0 : node.cases.findIndex(({ test }) => passes(test))
  const start = from === -1 ? node.cases.findIndex(({ test }) => test === null) : from
  if (start === -1) return null
  isIn = subject !== undefined
  for (const { consequent } of node.cases.slice(start)) {
    const run = (): Ending => executeAll(machine, consequent, scope)
    const ending = isIn ? run() : runMaybe(machine, run, null, asked)
    if (typeof ending === 'object' && ending !== null) return ending
    // All cases of a switch over an unknown value are taken.
    if (isIn && ending !== null) return ending === 'break' ? null : ending
  }
  return null
}

function executeIf(machine: Machine, node: NodeOf<'IfStatement'>, scope: Scope): Ending {
  const test = machine.evaluate(node.test, scope)
  const holds = truth(test)
  const alternate = node.alternate ?? null
  if (holds !== undefined) {
    const [taken, skipped] = holds ? [node.consequent, alternate] : [alternate, node.consequent]
    if (skipped !== null) machine.skip(skipped, scope)
    if (taken === null) return null
    machine.take(taken)
    return machine.execute(taken, scope)
  }
  const asked = askedOf(test)
  const [ending, other] = runEither(
    machine,
    asked,
    null,
    () => machine.execute(node.consequent, scope),
    alternate === null ? undefined : () => machine.execute(alternate, scope),
  )
  // Code after an early return under an unknown condition is still run, and depends on that condition.
  if ((ending === null) !== (other === null)) {
    depend(machine, asked)
    machine.flags.notePossibleEnd({ asked, isReturn: isReturn(ending ?? other) })
  }
  if (endsLoop(ending) !== endsLoop(other)) machine.flags.possibleEnds += 1
  // What follows may return something else; both are then read for what they contain.
  noteReturns(machine, [ending, other], asked)
  return ending !== null && other !== null ? ending : null
}

function noteReturns(machine: Machine, endings: readonly Ending[], asked = 0): void {
  for (const one of endings) {
    if (typeof one !== 'object' || one === null) continue
    machine.spend(weightOf(one.returned))
    machine.noteReturn(one.returned, asked)
  }
}

const executeMaybe = (machine: Machine, node: Node, scope: Scope, asked = 0): Ending =>
  runMaybe(machine, () => machine.execute(node, scope), null, asked)

type Handler = NonNullable<NodeOf<'TryStatement'>['handler']>

function executeTry(machine: Machine, node: NodeOf<'TryStatement'>, scope: Scope): Ending {
  const { block, handler, finalizer } = node
  const run = (): Ending =>
    handler === null || handler === undefined
      ? machine.execute(block, scope)
      : executeCaught(machine, block, handler, scope)
  if (finalizer === null || finalizer === undefined) return run()
  const { result: ending, errors, awaited, isEnded } = machine.catchAll(run)
  const last = machine.execute(finalizer, scope)
  if (last !== null) return last
  for (const promise of awaited) machine.noteAwaited(promise)
  if (isEnded) throw new ScriptThrow(mergeAll(machine, errors))
  for (const error of errors) machine.noteThrow(error)
  return ending ?? null
}

/** A block whose exceptions are handled. */
function executeCaught(machine: Machine, block: Node, handler: Handler, scope: Scope): Ending {
  const caught = machine.catchAll(() => machine.execute(block, scope))
  const { result, errors, isEnded } = caught
  if (caught.awaited.length > 0) {
    // What the handler throws is handled where an exception of the block would be.
    const next = emptyPromise()
    followAwaited(caught, asFunction(machine, handler, scope), next)
    machine.noteAwaited(next)
  }
  if (errors.length === 0) {
    // In a browser it may still throw: old decoders rely on that.
    machine.skip(handler.body, scope, true)
    return result ?? null
  }
  machine.take(handler.body)
  const inner = scopeOfError(handler, scope)
  if (handler.param !== null) assignPattern(machine, handler.param, mergeAll(machine, errors), inner, true)
  if (isEnded) return machine.execute(handler.body, inner)
  const ending = executeMaybe(machine, handler.body, inner)
  noteReturns(machine, [ending])
  return result ?? null
}

/** Where an error has its name: it hides another value of that name only in what handles it. */
function scopeOfError({ param }: Handler, scope: Scope): Scope {
  const isHiding = param?.type === 'Identifier' && scope.vars.get(param.name) !== undefined
  return isHiding ? { vars: new Map(), parent: scope, self: scope.self } : scope
}

/** What handles errors, for promises that are rejected later. */
const asFunction = (machine: Machine, handler: Handler, scope: Scope): FunctionValue => ({
  kind: 'function',
  node: nodeOf(machine, handler),
  scope,
  entries: new Map(),
  text: '',
})

/** One node for each handler: how often a function is scheduled is counted by its node. */
function nodeOf({ lateHandlers }: Machine, handler: Handler): FunctionNode {
  const known = lateHandlers.get(handler)
  if (known !== undefined) return known
  const { param, body } = handler
  const node: FunctionNode = {
    type: 'ArrowFunctionExpression',
    params: param === null ? [] : [param],
    body,
    async: false,
    expression: false,
    generator: false,
  }
  lateHandlers.set(handler, node)
  return node
}

export const STATEMENTS = {
  BlockStatement: executeBlock,
  StaticBlock: (machine, node, scope) => executeAll(machine, node.body, scope),
  Program: (machine, node, scope) => executeAll(machine, node.body, scope),
  ExpressionStatement: (machine, node, scope) => {
    machine.evaluate(node.expression, scope)
    return null
  },
  VariableDeclaration: (machine, node, scope) => {
    for (const { id, init } of node.declarations) {
      if (init !== null && init !== undefined)
        assignPattern(machine, id, machine.evaluate(init, scope), scope, true)
      else if (node.kind !== 'var' && id.type === 'Identifier') scope.vars.set(id.name, undefined)
    }
    return null
  },
  FunctionDeclaration: (machine, node, scope) => {
    if (node.id !== null && !scope.vars.has(node.id.name)) {
      scope.vars.set(node.id.name, machine.makeFunction(node, scope))
    }
    return null
  },
  ClassDeclaration: (machine, node, scope) => {
    const made = machine.evaluate(node, scope)
    if (node.id !== null) scope.vars.set(node.id.name, made)
    return null
  },
  ReturnStatement: (machine, node, scope) => ({
    returned:
      node.argument === null || node.argument === undefined
        ? undefined
        : machine.evaluate(node.argument, scope),
  }),
  IfStatement: executeIf,
  ForStatement: (machine, node, scope) => {
    if (node.init?.type === 'VariableDeclaration') machine.execute(node.init, scope)
    else if (node.init) machine.evaluate(node.init, scope)
    return loop(machine, scope, {
      test: node.test ?? null,
      body: node.body,
      update: node.update ?? null,
      bodyFirst: false,
    })
  },
  WhileStatement: (machine, node, scope) =>
    loop(machine, scope, { test: node.test, body: node.body, update: null, bodyFirst: false }),
  DoWhileStatement: (machine, node, scope) =>
    loop(machine, scope, { test: node.test, body: node.body, update: null, bodyFirst: true }),
  ForInStatement: eachItem,
  ForOfStatement: eachItem,
  BreakStatement: () => 'break',
  ContinueStatement: () => 'continue',
  ThrowStatement: (machine, node, scope) => {
    throw new ScriptThrow(machine.evaluate(node.argument, scope))
  },
  TryStatement: executeTry,
  SwitchStatement: (machine, node, scope) => machine.flags.inRound(() => executeSwitch(machine, node, scope)),
  LabeledStatement: (machine, node, scope) => machine.execute(node.body, scope),
  WithStatement: (machine, node, scope) => {
    machine.evaluate(node.object, scope)
    return machine.execute(node.body, scope)
  },
  ExportNamedDeclaration: (machine, node, scope) =>
    node.declaration === null || node.declaration === undefined
      ? null
      : machine.execute(node.declaration, scope),
  ExportDefaultDeclaration: (machine, node, scope) => {
    const { declaration } = node
    if (declaration.type === 'FunctionDeclaration') {
      declareNames(machine, { type: 'BlockStatement', body: [declaration] }, scope)
      if (declaration.id === null) machine.makeFunction(declaration, scope)
    } else machine.evaluate(declaration, scope)
    return null
  },
} satisfies Table
