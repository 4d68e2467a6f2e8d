// Calls of browser functions: what they return, what leaves the page, which code they run.
import { abort, anySignal, throwIfAborted } from './browser-abort.ts'
import { command, noteCopied } from './browser-clipboard.ts'
import { createObjectURL } from './browser-workers.ts'
import { createEvent, dispatchEvent, initEvent, triggerEvent } from './browser-events.ts'
import { deref, valueOfObject } from './same-objects.ts'
import { addToDictionary, takeFromDictionary } from './windows-objects.ts'
import { isTakenApart } from './taken-apart.ts'
import {
  adopt,
  missingAttribute,
  noteScriptText,
  readAttribute,
  textNode,
  writeAttribute,
} from './browser-attributes.ts'
import {
  createElement,
  element,
  elementById,
  elementsByTag,
  elementText,
  hintOf,
  WRITTEN,
} from './browser-elements.ts'
import { code } from './browser-code.ts'
import { postMessage } from './browser-frames.ts'
import { flow, noteWallet, noteMarkup, noteMarkupStart, noteStyle } from './browser-sinks.ts'
import { JQUERY, listen, listenByName, preventDefault, submit } from './browser-listeners.ts'
import { type BrowserCall, type Effect, openRequest, request, send } from './browser-requests.ts'
import { fieldTaint } from './browser-sources.ts'
import { keepTyped, takesIssuer } from './card-issuer.ts'
import { runMaybe } from './conditions.ts'
import { changeState, reportError } from './own-state.ts'
import { defineElement } from './custom-elements.ts'
import { eachOf } from './each-item.ts'
import { keepGiven } from './given-taint.ts'
import type { Machine } from './machine.ts'
import { putIn, taintOfObject } from './map-entries.ts'
import { seeFlow, seeLayer, seePath } from './observations.ts'
import { noteCall } from './performed-calls.ts'
import { callPure, mixValues } from './pure-calls.ts'
import { runLater } from './text-functions.ts'
import { isWalletAddress } from './wallets.ts'
import { callOfPromise, callPromise } from './promise-calls.ts'
import { settlesPromise } from './promises.ts'
import {
  answerAbout,
  hostObject,
  isUnknown,
  type MethodValue,
  TAINT,
  TAKEN_APART_TAINT,
  taintOf,
  textStart,
  UNKNOWN,
  unknownValue,
  type Value,
  wholeText,
} from './values.ts'

/** The value of a call of something that the script did not define. */
export function callBrowser(machine: Machine, call: BrowserCall): Value {
  machine.spend(3)
  const { target, args } = call
  const ownName = lastName(target.path)
  const name = call.name === '' || ownName === 'Function' || ownName === 'eval' ? ownName : call.name
  if (target.path !== '') seePath(machine.observed, `${target.path}()`)
  noteCall(machine, name, args)
  // `navigator.sendBeacon.bind(navigator)`
  if (name === 'bind' && typeof args[0] !== 'string' && Object.hasOwn(EFFECTS, lastName(call.self.path)))
    return call.self
  if (name === 'call' || name === 'apply') {
    const borrowed = borrow(machine, call)
    if (borrowed !== undefined) return borrowed
  }
  if (settlesPromise(machine, target, args)) return UNKNOWN
  const promised =
    call.self.path === 'Promise'
      ? callPromise(machine, name, args)
      : callOfPromise(machine, call, name, callNow)
  if (promised !== undefined) return promised
  return takeEffect(machine, name, call) ?? callAnything(machine, call)
}

/** What a browser function of this name does and returns; undefined: there is none, or it is not known. */
function takeEffect(machine: Machine, name: string, call: BrowserCall): Value {
  const value = Object.hasOwn(EFFECTS, name) ? EFFECTS[name]?.(machine, call) : undefined
  return value === undefined ? undefined : keepGiven(machine, call, name, value)
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** `HTMLFormElement.prototype.submit.call(form)`: a browser function called for another object. */
function borrow(machine: Machine, { self, name, args }: BrowserCall): Value {
  const own = lastName(self.path)
  const [object, second] = args
  if (!Object.hasOwn(EFFECTS, own)) return undefined
  const isList = typeof second === 'object' && second !== null && second.kind === 'array'
  const rest = name === 'call' ? args.slice(1) : isList ? second.items : [second]
  // `fetch.call(null, …)`: a function of the window needs no object.
  const receiver = self.path === own ? UNKNOWN : object
  return isUnknown(receiver)
    ? takeEffect(machine, own, { target: self, self: receiver, name: own, args: rest })
    : undefined
}

/** Functions whose result is an answer about a string and contains nothing of it. */
const ANSWERS = new Set([
  'test',
  'indexOf',
  'lastIndexOf',
  'includes',
  'search',
  'startsWith',
  'endsWith',
  'matches',
  'contains',
  'hasAttribute',
])
const PICKS = new Set(['match', 'exec', 'split', 'search', 'substring', 'slice', 'substr'])

/** An unknown function: it may call its arguments and return any of them. */
function callAnything(machine: Machine, call: BrowserCall): Value {
  const { target, self, name, args } = call
  for (const arg of args) {
    machine.later(
      arg,
      [unknownValue({ taint: self.taint & TAINT.network })],
      hostObject(self.path.startsWith('$') ? 'element' : '', self.hint),
    )
    if (typeof arg === 'object' && arg !== null && arg.kind === 'object') {
      for (const value of arg.entries.values()) machine.later(value, [UNKNOWN], UNKNOWN)
    }
  }
  const given = mixValues(args)
  // What was put into a map or a list comes out of it.
  const all = given.taint | taintOfObject(call)
  const conditions = all | given.asked | self.asked
  if (ANSWERS.has(name)) return answerAbout(conditions)
  putIn(call, all)
  const apart = isTakenApart(call) ? TAKEN_APART_TAINT : 0
  // A single cookie that is picked out is the site's own data; all cookies together are the visitor's session.
  const taint =
    PICKS.has(name) && (all & TAINT.cookie) !== 0 ? (all & ~TAINT.cookie) | TAINT.storage : all | apart
  const path = target.path === '' || target.path.length > 60 ? '' : `${target.path}()`
  const isIssuer = (taint & TAINT.card) !== 0 && takesIssuer(machine, call)
  const result = {
    ...hostObject(path, self.hint, isIssuer ? taint & ~TAINT.card : taint),
    asked: conditions,
  }
  keepTyped(machine, call, result)
  return result
}

const jquery: Effect = (machine, { args }) => {
  const [first] = args
  if (typeof first === 'object' && first !== null && first.kind === 'function') {
    machine.later(first, [JQUERY], UNKNOWN)
    return undefined
  }
  if (typeof first === 'string' && first.trimStart().startsWith('<')) {
    seeLayer(machine.observed, { text: first, by: 'markup' })
    const [, tag = ''] = /^\s*<(\w+)/u.exec(first) ?? []
    return hostObject(`element:${tag.toLowerCase()}`)
  }
  // What it gets in a list or an object can be taken out again.
  if (!isUnknown(first)) return hostObject('$element', hintOf(args), taintOf(first))
  return hostObject('$element', first.hint)
}

const timer: Effect = (machine, { args }) => {
  const [first] = args
  if (typeof first === 'string') runLater(machine, first, 'timer')
  else if (isUnknown(first)) callNow(machine, first, args.slice(2), UNKNOWN)
  else machine.later(first, args.slice(2), UNKNOWN)
  return UNKNOWN
}

const write: Effect = (machine, { self, args }) => {
  if (!self.path.startsWith('document') && self.path !== '') return undefined
  const [first] = args
  const text = wholeText(first)
  if (text !== undefined) seeLayer(machine.observed, { text, by: 'write' })
  else {
    noteMarkupStart(machine, first)
    seeFlow(machine.observed, {
      sink: 'markup',
      address: textStart(first).slice(0, 300),
      taint: taintOf(mixValues(args)),
    })
  }
  return UNKNOWN
}

const markup: Effect = (machine, { self, name, args }) => {
  adopt(self, args)
  noteScriptText(machine, self, args)
  const [first] = args
  if (name === 'html' && typeof first === 'string') self.entries?.set(WRITTEN, first)
  for (const arg of args) noteMarkup(machine, arg)
  return self
}

const fieldValues: Effect = (_, { self, args }) => {
  const [first] = args
  if (args.length > 0 && (typeof first !== 'object' || first === null || first.kind !== 'unknown'))
    return undefined
  const hint = `${self.hint} ${typeof first === 'object' && first !== null && first.kind === 'unknown' ? first.hint : ''}`
  return hostObject('fields', hint.trim(), fieldTaint(hint))
}

const storageRead: Effect = (machine, { args }) => {
  machine.readKeys.add(textStart(args[0]))
  return unknownValue({ taint: TAINT.storage | machine.stored })
}

const storageWrite: Effect = (machine, { args }) => {
  machine.stored |= taintOf(mixValues(args))
  if (machine.readKeys.has(textStart(args[0]))) machine.storedLater |= taintOf(mixValues(args.slice(1)))
  flow(machine, 'storage', args[0], mixValues(args.slice(1)))
  return UNKNOWN
}

const setAttribute: Effect = (machine, { self, args }) => {
  writeAttribute(machine, self, args[0], args[1])
  return undefined
}

/** jQuery's attr: writes if it gets a name and a value, or an object of them; otherwise reads. */
const attributes: Effect = (machine, { self, args }) => {
  const [first, second] = args
  if (typeof first === 'object' && first !== null && first.kind === 'object') {
    for (const [name, value] of first.entries) writeAttribute(machine, self, name, value)
    return self
  }
  if (args.length < 2) return readAttribute(self, first)
  writeAttribute(machine, self, first, second)
  return self
}

/** Functions that return the element for chaining. */
const returnSelf: Effect = (_, { self }) => (/^\$|^element:/u.test(self.path) ? self : undefined)

/** Functions that return the inserted child. */
const child: Effect = (machine, { self, args }) => {
  adopt(self, args)
  noteScriptText(machine, self, args)
  const [first] = args
  return isUnknown(first) && first.entries !== null ? first : undefined
}

/** Functions of the browser that run a text as code: `.then(eval)`. */
const RUNS_CODE = /^(?:eval|execScript|Function)$/u

/** Calls functions that run before the surrounding call returns. */
export function callNow(machine: Machine, callee: Value, args: readonly Value[], self: Value): Value {
  if (isUnknown(callee) && RUNS_CODE.test(callee.path))
    return callBrowser(machine, { target: callee, self: UNKNOWN, name: '', args })
  if (typeof callee !== 'object' || callee === null || callee.kind !== 'function') return undefined
  return runMaybe(machine, () => machine.call(callee, args, self), undefined)
}

const loadScript: Effect = (machine, { args }) => {
  flow(machine, 'script', args[0])
  return undefined
}

const FROM_CODES: MethodValue = { kind: 'method', name: 'String.fromCharCode', self: undefined }

const EFFECTS: Readonly<Record<string, Effect>> = {
  createElement,
  createElementNS: (machine, call) => createElement(machine, { ...call, args: call.args.slice(1) }),
  setAttributeNS: (machine, call) => setAttribute(machine, { ...call, args: call.args.slice(1) }),
  // Another script of the page may have put String there.
  fromCharCode: (machine, { args }) => callPure(machine, FROM_CODES, args),
  createTextNode: (_, { args }) => textNode(args[0]),
  getElementById: elementById,
  getElementsByName: element,
  getElementsByTagName: elementsByTag,
  getElementsByClassName: element,
  querySelector: element,
  querySelectorAll: element,
  closest: element,
  find: (machine, call) => (call.self.path.startsWith('$') ? element(machine, call) : undefined),
  $: jquery,
  jQuery: jquery,
  $j: jquery,
  $$: element,
  $F: (_, { args }) => unknownValue({ taint: fieldTaint(hintOf(args)) }),
  addEventListener: listen,
  removeEventListener: () => UNKNOWN,
  attachEvent: listen,
  on: listen,
  bind: listen,
  live: listen,
  delegate: listen,
  observe: listen,
  click: listenByName,
  submit,
  requestSubmit: submit,
  preventDefault,
  change: listenByName,
  blur: listenByName,
  keyup: listenByName,
  keydown: listenByName,
  keypress: listenByName,
  mousedown: listenByName,
  ready: listenByName,
  setTimeout: timer,
  setInterval: timer,
  requestAnimationFrame: timer,
  fetch: request('fetch'),
  ajax: request('ajax'),
  axios: request('ajax'),
  post: request('ajax'),
  // By its name, a script reads a cookie of its own; all of them together are the visitor's session.
  get: (machine, call) =>
    call.self.path === 'cookieStore'
      ? hostObject('cookieStore.get()', '', TAINT.storage | machine.inCookies)
      : request('ajax')(machine, call),
  getJSON: request('ajax'),
  getScript: loadScript,
  import: loadScript,
  importScripts: loadScript,
  sendBeacon: (machine, { args }) => {
    flow(machine, 'beacon', args[0], args[1])
    return UNKNOWN
  },
  open: openRequest,
  send,
  emit: (machine, { self, args }) => {
    if (self.path.startsWith('io')) flow(machine, 'socket', self.hint, mixValues(args))
    return undefined
  },
  postMessage,
  abort,
  any: anySignal,
  throwIfAborted,
  createObjectURL,
  createEvent,
  initEvent,
  initCustomEvent: initEvent,
  initMessageEvent: initEvent,
  dispatchEvent,
  trigger: triggerEvent,
  eval: code('eval'),
  execScript: code('eval'),
  globalEval: code('eval'),
  Function: code('function'),
  write,
  writeln: write,
  insertAdjacentHTML: markup,
  add: addToDictionary,
  Add: addToDictionary,
  item: takeFromDictionary,
  Item: takeFromDictionary,
  append: markup,
  prepend: markup,
  html: markup,
  text: elementText,
  before: markup,
  after: markup,
  val: fieldValues,
  serialize: fieldValues,
  serializeArray: fieldValues,
  valueOf: valueOfObject,
  deref,
  getItem: storageRead,
  setItem: storageWrite,
  define: defineElement,
  pushState: changeState,
  replaceState: changeState,
  reportError,
  setAttribute,
  getAttribute: (_, { self, args }) => readAttribute(self, args[0]) ?? missingAttribute(self),
  attr: attributes,
  prop: attributes,
  appendChild: child,
  insertBefore: child,
  replaceChild: child,
  appendTo: returnSelf,
  prependTo: returnSelf,
  insertAfter: returnSelf,
  css: returnSelf,
  addClass: returnSelf,
  hide: returnSelf,
  show: returnSelf,
  replace: (machine, { self, args }) => {
    if (isWalletAddress(args[1])) {
      noteWallet(machine, true)
      // A pattern with this many characters matches wallets; the name of a template placeholder does not.
      const isOfWallets = isUnknown(args[0]) && args[0].path === 'regex' && /\{\d\d/u.test(args[0].hint)
      if (isOfWallets) seePath(machine.observed, '<wallet replaced>')
    }
    if (!/location/u.test(self.path)) return undefined
    flow(machine, 'navigation', args[0])
    return UNKNOWN
  },
  assign: (machine, { self, args }) => {
    if (!/location/u.test(self.path)) return undefined
    flow(machine, 'navigation', args[0])
    return UNKNOWN
  },
  each: (machine, { self, args }) => {
    const { callee, item, source } = eachOf(machine, self, args)
    const isOfJquery = source === self || /^(?:\$|jQuery)/u.test(self.path)
    callNow(machine, callee, isOfJquery ? [0, item] : [item, 0], item)
    return source
  },
  forEach: (machine, { self, args }) => {
    const { callee, item } = eachOf(machine, self, args)
    callNow(machine, callee, [item, 0, self], self)
    return UNKNOWN
  },
  map: (machine, { self, args }) => {
    const { callee, item, source } = eachOf(machine, self, args)
    const given = callNow(machine, callee, [item, 0, self], self)
    if (source !== self) return unknownValue({ taint: taintOf(given) })
    const taint = self.taint | taintOf(given) | (/element/u.test(self.path) ? fieldTaint(self.hint) : 0)
    return hostObject('', self.hint, taint)
  },
  reduce: (machine, { self, args }) => callNow(machine, args[0], [args[1], self, 0, self], UNKNOWN),
  from: (_, { args }) => (typeof args[0] === 'object' && args[0] !== null ? args[0] : undefined),
  stringify: (_, { args }) => unknownValue({ taint: taintOf(mixValues(args)) }),
  readText: () => unknownValue({ taint: TAINT.clipboard }),
  writeText: (machine, { args }) => {
    noteCopied(machine, args[0])
    return undefined
  },
  setData: (machine, { self, args }) => {
    if (self.path === 'clipboard') noteCopied(machine, args[1])
    return undefined
  },
  execCommand: command,
  insertRule: (machine, { args }) => {
    noteStyle(machine, args[0])
    return undefined
  },
  load: (machine, call) => {
    const [address] = call.args
    if (/^(?:https?:)?\/\//u.test(textStart(address)))
      flow(machine, 'ajax', address, mixValues(call.args.slice(1)))
    return listenByName(machine, call)
  },
}
