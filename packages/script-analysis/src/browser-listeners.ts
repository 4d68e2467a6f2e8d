// Calls that add listeners, and what handlers of forms do.
import { readAttribute } from './browser-attributes.ts'
import type { Effect } from './browser-requests.ts'
import { flow, noteHandler } from './browser-sinks.ts'
import { isFunctionValue } from './given-taint.ts'
import { readMember } from './members.ts'
import { DEFAULT_PREVENTED, FORM_SENT, seePath } from './observations.ts'
import { hostObject, MADE, UNKNOWN, unknownValue, type Value } from './values.ts'

/** jQuery itself, which it gives to functions that wait for the page. */
export const JQUERY = unknownValue({ path: 'jQuery' })

/** For each name of an event: a call can name thousands. */
const STEPS_OF_EVENT = 12

export const listen: Effect = (machine, { self, args }) => {
  const [event] = args
  const name = typeof event === 'string' ? event : ''
  const selector = typeof args[1] === 'string' ? args[1] : ''
  const target = selector === '' ? self : hostObject('element', selector)
  const given = args.findLast(isFunctionValue)
  const object = given === undefined ? args[1] : undefined
  const handler = given ?? (isListener(object) ? readMember(machine, object, 'handleEvent') : undefined)
  machine.spend(name.length >> 3)
  for (const part of new Set(name.split(/\s+/u))) {
    machine.spend(STEPS_OF_EVENT)
    noteHandler(machine, target, part.replace(/^on/u, '').replace(/\..*$/u, ''), handler, object ?? target)
  }
  return self.path.startsWith('$') ? self : UNKNOWN
}

/** An object of the script, whose handleEvent is called. */
const isListener = (value: Value): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value.kind === 'object' || (value.kind === 'unknown' && value.path === MADE))

/** `.click(f)`, `.keyup(f)`: adds a listener if there is a function. */
export const listenByName: Effect = (machine, call) => {
  const { self, name, args } = call
  const [first] = args
  if (typeof first !== 'object' || first === null || first.kind !== 'function') return undefined
  if (name === 'ready') machine.later(first, [JQUERY], UNKNOWN, { event: 'ready' })
  else noteHandler(machine, self, name, first)
  return self
}

export const submit: Effect = (machine, call) => {
  const { self } = call
  if (self.path === 'element:form')
    flow(machine, 'form', self.entries?.get('action') ?? readAttribute(self, 'action'), self)
  const listening = listenByName(machine, call)
  if (listening === undefined) seePath(machine.observed, FORM_SENT)
  return listening
}

/** Dead code does not count, nor what prevents something else than sending a form. */
export const preventDefault: Effect = ({ observed }) => {
  if (observed.now.on === 'submit') seePath(observed, DEFAULT_PREVENTED)
  return undefined
}
