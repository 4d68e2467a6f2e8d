// The interpreter: runs the parts of a script that need no browser, in bounded steps, and records what it would do to
// the page. Both branches of an unknown condition are taken, and each function that was never called is entered once.
// It has no access to anything: scripts can only reach the values of values.ts.
import { createOwnEvents, type OwnEvents } from './browser-events.ts'
import { createHidingRules, type HidingRules } from './hidden-styles.ts'
import { createCallMemory } from './call-memory.ts'
import { type CardReads, createCardReads } from './card-issuer.ts'
import { createCallResults } from './call-results.ts'
import { createFlags, type Flags } from './flags.ts'
import { createInstances, type Instances, ownerOf } from './owners.ts'
import { EXPRESSIONS } from './expressions.ts'
import { createKnownDecoders } from './known-decoders.ts'
import {
  MAX_CALL_DEPTH,
  MAX_EVALUATION_DEPTH,
  MAX_SCHEDULED,
  MAX_SKIPPED,
  MAX_STEPS,
  MAX_STEPS_OF_REST,
  MAX_STEPS_OF_SKIPPED,
  MAX_STEPS_OF_UNCALLED,
} from './limits.ts'
import { noteError } from './own-state.ts'
import { AT_LOAD, DEFAULT_PREVENTED, type Moment, type Observations, seePath } from './observations.ts'
import { assignPattern, declareNames } from './bindings.ts'
import { STATEMENTS } from './statements.ts'
import type { Node } from './syntax-tree.ts'
import { promiseBy, settleLater } from './promises.ts'
import type { Thrown } from './thrown.ts'
import { OutOfSteps } from './throws.ts'
import {
  type FunctionValue,
  hostObject,
  PRIVATE_TAINT,
  type Scope,
  taintOf,
  UNKNOWN,
  unknownValue,
  type UnknownValue,
  type Value,
  weightOf,
} from './values.ts'

/** How a statement ended: null: the next one follows. */
export type Ending = null | 'break' | 'continue' | { readonly returned: Value }

export interface Machine extends Thrown {
  readonly observed: Observations
  readonly globals: Scope
  readonly instances: Instances
  /** Taint of everything written to the browser's storage. */
  stored: number
  /** Private data written to cookies, which every later read of the cookies may contain. */
  inCookies: number
  /** The same for the address of the page. */
  inAddress: number
  /** The keys that were read from storage. */
  readonly readKeys: Set<string>
  /** Taint of values written under one of these keys after it was read: the next page load reads them. */
  storedLater: number
  readonly cards: CardReads
  /** The value last written into a field that the script created for copying. */
  copied: Value
  /** What the script adds to the prototypes of strings, numbers, arrays and functions, as `string.name`. */
  readonly added: Map<string, Value>
  readonly ownEvents: OwnEvents
  readonly flags: Flags
  readonly hidingRules: HidingRules
  /** Taint of what is posted to workers whose code the script has. */
  toWorkers: number
  /** Functions of code that is too short to be a layer, by its text. */
  readonly shortCode: Map<string, Value>
  /** What handles errors, as functions for promises that are rejected later. */
  readonly lateHandlers: WeakMap<Node, FunctionValue['node']>
  /** Elements of the page that contains the script, by ID. */
  readonly elements: Map<string, UnknownValue>
  /** @throws OutOfSteps */
  readonly spend: (steps: number) => void
  readonly evaluate: (node: Node, scope: Scope) => Value
  readonly execute: (node: Node, scope: Scope) => Ending
  readonly call: (callee: FunctionValue, args: readonly Value[], self: Value) => Value
  readonly makeFunction: (node: FunctionValue['node'], scope: Scope) => FunctionValue
  /** Calls it at the end. */
  readonly later: (callee: Value, args: readonly Value[], self: Value, about?: LaterContext) => void
  /** Notes a value that the running function may return, under an unknown condition that depends on `asked`. */
  readonly noteReturn: (value: Value, asked: number) => void
  /** Notes a value that the running function yields; `isList`: each of its items. */
  readonly noteYield: (value: Value, isList: boolean) => void
  /** Records that a branch was entered. */
  readonly take: (branch: Node) => void
  /**
   * Records that a branch was not entered; it is entered at the end if it never was. `isHandler`: what handles errors, which comes
   * last, because it may undo what the others rely on.
   */
  readonly skip: (branch: Node, scope: Scope, isHandler?: boolean) => void
  /** The text of the program that runs. */
  readonly text: () => string
  /** Runs a program. */
  readonly runProgram: (program: Node, about: ProgramContext) => void
}

export interface ProgramContext {
  /** What the program was parsed from. */
  readonly text: string
  /** Its functions that its own calls name. */
  readonly called: readonly Node[]
  /** The value of `this` in it, if not the window. */
  readonly self?: UnknownValue | undefined
}

interface LaterContext {
  /** With an event of this kind; otherwise under the current conditions. */
  readonly event?: string | undefined
  /** The promise that it settles. */
  readonly settles?: UnknownValue | undefined
}

interface ScheduledCall {
  readonly callee: FunctionValue
  readonly args: readonly Value[]
  readonly self: Value
  readonly moment: Moment
  readonly settles: UnknownValue | undefined
}

/** A branch that was not entered. */
interface Skipped {
  readonly scope: Scope
  /** Whether it stands in a function that nothing was seen to call. */
  readonly isUncalled: boolean
}

/** Events that come again: what a handler keeps of the first one, it may send or run at the next. */
const AGAIN = /^(?:key|input|message)/u
/** Events by which a script collects what is typed. */
const TYPED = /^(?:key|input|change|paste|blur|focusout)/u

type Handler<R> = (machine: Machine, node: Node, scope: Scope) => R

/** What a page keeps, before any script runs. */
const createPageState = (): Pick<
  Machine,
  | 'stored'
  | 'inCookies'
  | 'inAddress'
  | 'readKeys'
  | 'storedLater'
  | 'cards'
  | 'copied'
  | 'added'
  | 'ownEvents'
  | 'flags'
  | 'hidingRules'
  | 'toWorkers'
  | 'shortCode'
  | 'lateHandlers'
  | 'elements'
> => ({
  stored: 0,
  inCookies: 0,
  inAddress: 0,
  readKeys: new Set(),
  storedLater: 0,
  cards: createCardReads(),
  copied: undefined,
  added: new Map(),
  ownEvents: createOwnEvents(),
  flags: createFlags(),
  hidingRules: createHidingRules(),
  toWorkers: 0,
  shortCode: new Map(),
  lateHandlers: new WeakMap(),
  elements: new Map(),
})

/** Runs the body of a function: its value, or what it returns at its end. */
function runBody(machine: Machine, { body }: FunctionValue['node'], scope: Scope): Value {
  if (body === null || body === undefined) return undefined
  if (body.type !== 'BlockStatement') return machine.evaluate(body, scope)
  declareNames(machine, body, scope)
  const ending = machine.flags.inBody(() => machine.execute(body, scope))
  return typeof ending === 'object' && ending !== null ? ending.returned : undefined
}

/** Runs something from its beginning: handlers of errors get what it throws. */
function runTask(machine: Machine, run: () => void): void {
  for (const error of machine.catchAll(run).errors) noteError(machine, error)
}

const STEPS_OF_SCHEDULED = 8

/** Tells whether a call of a function gets private data that none of those behind the limit had. */
function createNewData(spend: Machine['spend']): (node: Node, args: readonly Value[]) => boolean {
  const passed = new Map<Node, number>()
  return (node, args) => {
    for (const arg of args) spend(weightOf(arg))
    const given = args.reduce<number>((taint, arg) => taint | taintOf(arg), 0) & PRIVATE_TAINT
    const known = passed.get(node)
    const all = known === undefined ? given : known | given
    passed.set(node, all)
    return known === undefined ? given !== 0 : all !== known
  }
}

function callScheduled(machine: Machine, { callee, args, self, moment, settles }: ScheduledCall): void {
  const run = (): Value => machine.call(callee, args, self)
  if (settles !== undefined) return settleLater(machine, settles, run)
  if (run() === false && moment.on === 'submit') seePath(machine.observed, DEFAULT_PREVENTED)
}

/** Of the steps that are left, what a statement of the program may take: those after it need some, too. */
const SHARE = 0.8
/** The same after a statement that did not end: of ten such, too much would be taken. */
const SHARE_AFTER_CUT = 0.3

/** An interpreter with a fresh set of globals. */
export function createMachine(observed: Observations, maxSteps = MAX_STEPS): Machine {
  let steps = maxSteps
  let reserve = 0
  /** The text of the program that runs, and the conditions under which it does. */
  let current = ''
  let base: Moment = AT_LOAD
  let [callDepth, depth] = [0, 0]
  /** Whether something that is run as the page loads, or by its events, was left out. */
  let isCutAtLoad = false
  const made: FunctionValue[] = []
  const [decoders, memory] = [createKnownDecoders(), createCallMemory()]
  const { resultOf, ...results } = createCallResults(spend)
  const [entered, named] = [new Set<Node>(), new Set<Node>()]
  const waiting: ScheduledCall[] = []
  /** Handlers of what the visitor types, which run first: timers send what these collect. */
  const typing: ScheduledCall[] = []
  const [scheduled, hasNewData] = [new Map<Node, number>(), createNewData(spend)]
  const enteredBranches = new Set<Node>()
  const skipped = new Map<Node, Skipped>()
  const handlers = new Map<Node, Skipped>()
  const globals: Scope = { vars: new Map(), parent: null, self: hostObject('window') }

  /** What was left out may call anything. What only offered code calls is offered, too. */
  function noteCut(): void {
    observed.isCut = true
    if (!observed.now.isOffered) isCutAtLoad = true
  }

  function spend(count: number): void {
    steps -= count
    if (steps < reserve) throw new OutOfSteps()
  }

  // The tables have one entry for each node type, which accepts nodes of that type; the compiler cannot follow that
  // through a look-up.
  const expressionOf = (node: Node) => EXPRESSIONS[node.type as keyof typeof EXPRESSIONS] as Handler<Value>
  // As above.
  const statementOf = (node: Node) => STATEMENTS[node.type as keyof typeof STATEMENTS] as Handler<Ending>

  function evaluate(node: Node, scope: Scope): Value {
    spend(1)
    const handler: Handler<Value> | undefined = expressionOf(node)
    if (handler === undefined) return UNKNOWN
    if (depth >= MAX_EVALUATION_DEPTH) {
      skip(node, scope)
      return UNKNOWN
    }
    depth += 1
    try {
      return handler(machine, node, scope)
    } finally {
      depth -= 1
    }
  }

  function execute(node: Node, scope: Scope): Ending {
    spend(1)
    const handler: Handler<Ending> | undefined = statementOf(node)
    if (handler === undefined) return null
    if (depth >= MAX_EVALUATION_DEPTH) {
      skip(node, scope)
      return null
    }
    depth += 1
    try {
      return handler(machine, node, scope)
    } finally {
      depth -= 1
    }
  }

  function call(callee: FunctionValue, given: readonly Value[], receiver: Value): Value {
    spend(4)
    const { bound } = callee
    const args = bound === undefined ? given : [...bound.args, ...given]
    const self = bound === undefined ? receiver : bound.self
    const { node } = callee
    const known = decoders.compute(node, args)
    if (known !== undefined) {
      entered.add(node)
      spend(8 + (known.length >> 1))
      return known
    }
    const remembered = memory.recall(node, args)
    if (remembered !== undefined) return remembered
    const before = steps
    const result = enter(callee, args, self)
    decoders.learn(node, args, result, before - steps)
    memory.note(node, args, result, before - steps)
    return result
  }

  function enter(callee: FunctionValue, args: readonly Value[], self: Value): Value {
    const { node } = callee
    // Not entered now; it is entered at the end, like functions that were never called.
    if (callDepth >= MAX_CALL_DEPTH) {
      noteCut()
      return unknownValue({ taint: args.reduce<number>((t, a) => t | taintOf(a), 0) })
    }
    entered.add(node)
    const isArrow = node.type === 'ArrowFunctionExpression'
    const scope: Scope = { vars: new Map(), parent: callee.scope, self: isArrow ? callee.scope.self : self }
    if (!isArrow) scope.vars.set('arguments', { kind: 'array', items: [...args], callee })
    if (node.type === 'FunctionExpression' && node.id !== null) scope.vars.set(node.id.name, callee)
    node.params.forEach((param, i) => {
      if (param.type === 'RestElement') {
        assignPattern(machine, param.argument, { kind: 'array', items: args.slice(i) }, scope, true)
      } else assignPattern(machine, param, i < args.length ? args[i] : undefined, scope, true)
    })
    callDepth += 1
    const { now } = observed
    try {
      const run = (): Value => resultOf(node, () => runBody(machine, node, scope))
      return node.async === true && node.generator !== true ? promiseBy(machine, run) : run()
    } finally {
      callDepth -= 1
      // Conditions of early returns inside it end here.
      observed.now = now
    }
  }

  function makeFunction(node: FunctionValue['node'], scope: Scope): FunctionValue {
    const value: FunctionValue = { kind: 'function', node, scope, entries: new Map(), text: current }
    if (made.length < 20_000) made.push(value)
    return value
  }

  function later(
    callee: Value,
    args: readonly Value[],
    self: Value,
    { event, settles }: LaterContext = {},
  ): void {
    if (typeof callee !== 'object' || callee === null || callee.kind !== 'function') return
    const { now } = observed
    const moment = event === undefined ? now : { ...now, on: event }
    const queue = event !== undefined && TYPED.test(event) ? typing : waiting
    const before = scheduled.get(callee.node)
    const times = before === undefined ? 1 : before + 1
    scheduled.set(callee.node, times)
    spend(STEPS_OF_SCHEDULED)
    if (times > MAX_SCHEDULED && !hasNewData(callee.node, args)) return
    const scheduledCall = { callee, args, self, moment, settles }
    queue.push(scheduledCall)
    if (times === 1 && event !== undefined && AGAIN.test(event)) queue.push(scheduledCall)
  }

  function take(branch: Node): void {
    enteredBranches.add(branch)
    skipped.delete(branch)
    handlers.delete(branch)
  }

  function skip(branch: Node, scope: Scope, isHandler = false): void {
    const branches = isHandler ? handlers : skipped
    if (!enteredBranches.has(branch) && branches.size < MAX_SKIPPED)
      branches.set(branch, { scope, isUncalled: observed.now.isUncalled })
  }

  /** Runs one task with its own budget of steps; exceptions and unfinished work do not affect others. */
  function attempt(share: number, run: () => void, moment: Moment = base): boolean {
    observed.now = moment
    reserve = Math.max(0, steps - share)
    callDepth = 0
    depth = 0
    try {
      runTask(machine, run)
    } catch (error) {
      if (!(error instanceof OutOfSteps || error instanceof RangeError)) throw error
      observed.now = moment
      noteCut()
    }
    const isOver = steps <= 0
    if (isOver) noteCut()
    reserve = 0
    return !isOver
  }

  /**
   * Runs waiting callbacks, functions that were never called, branches that were never entered, and their callbacks.
   */
  function runRest(): void {
    const until = steps - MAX_STEPS_OF_REST
    runWaiting(until)
    for (const branches of [skipped, handlers]) {
      for (const [branch, { scope, isUncalled }] of branches) {
        if (steps <= until - MAX_STEPS_OF_SKIPPED) {
          observed.now = base
          noteCut()
          break
        }
        take(branch)
        const run = (): void => {
          if (branch.type in STATEMENTS) execute(branch, scope)
          else evaluate(branch, scope)
        }
        attempt(MAX_STEPS_OF_UNCALLED, run, { ...base, isUncalled })
      }
      runWaiting(until - MAX_STEPS_OF_SKIPPED)
    }
    skipped.clear()
    handlers.clear()
    waiting.length = 0
    typing.length = 0
    made.length = 0
  }

  function runWaiting(until: number): void {
    /** Functions that a call names, for when nothing else calls them. */
    const last: FunctionValue[] = []
    for (
      let i = 0, j = 0, k = 0, l = 0;
      i < waiting.length || j < made.length || k < typing.length || l < last.length;
    ) {
      if (steps <= until) {
        observed.now = base
        noteCut()
        break
      }
      const typed = typing[k]
      const next = typed ?? waiting[i]
      const uncalled = made[j] ?? last[l]
      if (next !== undefined) {
        if (typed === undefined) i += 1
        else k += 1
        if (!attempt(MAX_STEPS_OF_REST / 2, () => callScheduled(machine, next), next.moment)) return
      } else if (uncalled !== undefined) {
        const isLast = j >= made.length
        if (isLast) l += 1
        else j += 1
        if (entered.has(uncalled.node)) continue
        const isNamed = named.has(uncalled.node)
        if (isNamed && !isLast) {
          last.push(uncalled)
          continue
        }
        const args = uncalled.node.params.map(() => UNKNOWN)
        const run = (): Value => call(uncalled, args, ownerOf(machine, uncalled))
        const moment = { ...base, isOffered: !isNamed && !isCutAtLoad, isUncalled: !isCutAtLoad }
        if (!attempt(MAX_STEPS_OF_UNCALLED, run, moment)) return
      }
    }
    waiting.length = 0
    typing.length = 0
  }

  function runProgram(program: Node, { text, called, self }: ProgramContext): void {
    if (program.type !== 'Program') return
    current = text
    for (const node of called) named.add(node)
    base = observed.now
    const scope: Scope = self === undefined ? globals : { vars: new Map(), parent: globals, self }
    attempt(steps, () => declareNames(machine, program, scope))
    for (const statement of program.body) {
      const share = isCutAtLoad ? SHARE_AFTER_CUT : SHARE
      if (!attempt(Math.floor(steps * share), () => execute(statement, scope))) return
    }
    runRest()
  }

  const machine: Machine = {
    observed,
    globals,
    instances: createInstances(),
    ...createPageState(),
    spend,
    evaluate,
    execute,
    call,
    makeFunction,
    later,
    ...results,
    take,
    skip,
    text: () => current,
    runProgram,
  }
  return machine
}
