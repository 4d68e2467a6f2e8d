// What a script reads from the browser: values of browser objects, and their sources.
import { noteCardRead } from './card-issuer.ts'
import type { Machine } from './machine.ts'
import { MESSAGE_READ, seePath } from './observations.ts'
import { outcomeOf } from './promise-state.ts'
import {
  answerAbout,
  hostObject,
  isError,
  isUnknown,
  SENT_TAINT,
  TAINT,
  taintOf,
  unknownValue,
  type UnknownValue,
  type Value,
} from './values.ts'

/** Words of payment fields: names, IDs, labels and patterns in shop forms. */
export const CARD_WORDS =
  /card.?(?:num|no|holder|code|exp|cvv|name)|cc.?(?:num|no\b|exp|cid|cvv|cvc|owner|name|month|year)|cvv|cvc2?\b|\bcvn|\bcid\b|cardnumber|creditcard|credit.card|expir|exp.?(?:month|year|date)|payment\[|payment.?(?:form|method)|iban|securitycode|security.?code|card.?payment|autocomplete\W{0,4}cc-/iu
const PASSWORD_WORDS = /passw|\bpwd\b|\bpasswd|\blogin/iu

const KEY_EVENTS = /key(?:down|up|press)|textInput/iu
/** Members that describe the page and the visitor, with their taint besides that of a place. */
const PLACES: ReadonlyMap<string, number> = new Map([
  ['location', 0],
  ['href', 0],
  ['hostname', 0],
  ['host', 0],
  ['referrer', TAINT.referrer],
  ['userAgent', TAINT.agent],
  ['pathname', 0],
  ['origin', 0],
  ['URL', 0],
  ['search', 0],
  ['title', 0],
  ['language', TAINT.agent],
  ['platform', TAINT.agent],
  ['plugins', TAINT.agent],
  ['screen', TAINT.agent],
])
/** Members with all of the address, also what a script has written into it. */
const OF_ADDRESS = new Set(['location', 'href', 'search', 'hash', 'URL'])
const PAGE_STRINGS = new Set([
  'innerText',
  'textContent',
  'innerHTML',
  'outerHTML',
  'text',
  'documentElement',
])
const KEY_NAMES = new Set(['key', 'keyCode', 'which', 'charCode', 'code'])
const RESPONSES = new Set(['responseText', 'response', 'responseXML'])
const FIELD_VALUES = new Set([
  'value',
  'selectedIndex',
  'checked',
  'elements',
  'selectedOptions',
  'defaultValue',
])

/** The path of signals of the script's own. */
export const SIGNAL = 'signal'

/** Stands for the address of a form of the page. */
export const FORM_ACTION = 'form action'

/** The taint of a form field's value, by the words that describe it. */
export function fieldTaint(hint: string): number {
  return (
    TAINT.field | (CARD_WORDS.test(hint) ? TAINT.card : 0) | (PASSWORD_WORDS.test(hint) ? TAINT.password : 0)
  )
}

/** The origin of an address, '' if its beginning does not have all of it. */
function originStart(address: string): string {
  const match = /^https?:\/\/[^/?#]+(?=[/?#])/iu.exec(address)
  return match === null ? '' : match[0]
}

/** A member of a browser object. */
export function readBrowser(machine: Machine, object: UnknownValue, name: string): Value {
  const isWindow = object.path === 'window' || object.path === 'document.defaultView'
  const path = isWindow ? name : join(object.path, name)
  if (path !== '') seePath(machine.observed, path)
  const source = sourceOf(machine, object, path, name)
  if (source !== null) return source
  if (name === 'length') return answerAbout(object.taint & (TAINT.page | TAINT.field))
  if (object.path === 'event' && /^(?:target|currentTarget|srcElement|relatedTarget)$/u.test(name)) {
    return hostObject('element', object.hint)
  }
  if (isWindow && WINDOWS.has(name)) return object
  const taint = isError(object) && !OF_MESSAGE.has(name) ? 0 : object.taint
  const child =
    object.entries === null
      ? unknownValue({ path, taint, hint: object.hint })
      : hostObject(path, object.hint, taint)
  // Returns the same object each time, so that writes to it are found later.
  if (object.entries !== null && object.entries.size < 2000) object.entries.set(name, child)
  return child
}

/** Members of an error that have what it was made of. */
const OF_MESSAGE = new Set(['message', 'stack', 'description', 'cause', 'errors', 'toString'])
const WINDOWS = new Set(['window', 'self', 'top', 'parent', 'globalThis', 'frames'])

function join(path: string, name: string): string {
  if (path === '' || path.length > 60) return ''
  return `${path}.${name.slice(0, 40)}`
}

function sourceOf(machine: Machine, object: UnknownValue, path: string, name: string): Value | null {
  if (path === 'document.cookie') {
    const { inCookies } = machine
    return unknownValue({ taint: TAINT.cookie | inCookies | (inCookies === 0 ? 0 : TAINT.storage) })
  }
  if (path === 'cookieStore') return hostObject(path, '', TAINT.cookie)
  if (/^(?:local|session)Storage\./u.test(path)) {
    if (METHODS_OF_STORAGE.has(name)) return null
    machine.readKeys.add(name)
    return unknownValue({ taint: TAINT.storage | machine.stored })
  }
  if (FIELD_VALUES.has(name) && isElement(object)) {
    const taint = fieldTaint(object.hint)
    if (name === 'elements') return hostObject('element', object.hint, taint)
    const value = unknownValue({ taint })
    if (name === 'value') noteCardRead(machine, value, object.hint)
    return value
  }
  // It may be aborted later.
  if (name === 'reason' && object.path === SIGNAL) return outcomeOf(object, 'reason') ?? unknownValue({})
  if (name === 'action' && object.path !== '' && isElement(object)) return unknownValue({ path: FORM_ACTION })
  if (name === 'href' && object.path === 'URL')
    return unknownValue({ prefix: object.prefix, taint: taintOf(object) })
  if (name === 'origin' && object.path === 'URL')
    return unknownValue({ prefix: originStart(object.prefix), taint: taintOf(object) })
  if (name === 'contentWindow' && object.path === 'element:iframe') return windowOfFrame(object)
  if (name === 'protocol' && path.endsWith('location.protocol'))
    return unknownValue({ path, prefix: 'https:' })
  // `window.event`, of the handler that runs.
  if (path === 'event' && object.path === 'window') return hostObject('event', machine.observed.now.on)
  // What jQuery and React make of an event has it.
  if (object.path === 'event' && (name === 'originalEvent' || name === 'nativeEvent')) return object
  if (object.path === 'event' && KEY_NAMES.has(name) && KEY_EVENTS.test(object.hint)) {
    return unknownValue({ taint: TAINT.keys })
  }
  if (name === 'clipboardData' || path === 'navigator.clipboard.readText')
    return hostObject('clipboard', '', TAINT.clipboard)
  if (object.path === 'event' && name === 'data' && object.hint.startsWith('message')) {
    seePath(machine.observed, MESSAGE_READ)
    const isOfStranger = object.entries?.has(OF_STRANGER) === true
    return unknownValue({ taint: TAINT.network | (isOfStranger ? 0 : machine.toWorkers) })
  }
  if (RESPONSES.has(name)) return unknownValue({ taint: (object.taint & ~SENT_TAINT) | TAINT.network })
  if (PAGE_STRINGS.has(name) && isElement(object)) return hostObject(path, object.hint, TAINT.page)
  const inAddress = OF_ADDRESS.has(name) ? machine.inAddress : 0
  if (name === 'hash' && inAddress !== 0) return unknownValue({ taint: inAddress })
  const place = PLACES.get(name)
  if (
    place !== undefined &&
    (object.path === 'window' || /^(?:document|location|navigator)/u.test(object.path))
  ) {
    return hostObject(path, '', TAINT.place | place | inAddress)
  }
  return null
}

/** Marks a message that no worker of the script has posted. */
export const OF_STRANGER = ' of a stranger'

/** Where the window of a frame keeps the frame. */
export const FRAME = ' frame'

function windowOfFrame(frame: UnknownValue): UnknownValue {
  const window = hostObject('contentWindow')
  window.entries?.set(FRAME, frame)
  return window
}

/** Anything in the browser's storage, if a script reads all of it or by an unknown key. */
export function storageTaint(object: Value): number {
  const path = typeof object === 'object' && object?.kind === 'unknown' ? object.path : ''
  return /^(?:window\.)?(?:local|session)Storage$/u.test(path) ? TAINT.storage : 0
}

/** Names under which card data is sent. */
const CARD_NAME = /card.?(?:num|no\b|code|cvv|cvc|exp)|cc.?(?:num|no\b|cvv|cvc|exp)|\bcvv2?\b|\bcvc2?\b/iu

/** What a visitor typed, under the name that the script gives it: the field's own name may say nothing. */
export function namedValue(name: string, value: Value): Value {
  if (!isUnknown(value) || (value.taint & (TAINT.field | TAINT.card)) !== TAINT.field) return value
  return CARD_NAME.test(name) ? { ...value, taint: value.taint | TAINT.card } : value
}

const METHODS_OF_STORAGE = new Set(['getItem', 'setItem', 'removeItem', 'clear', 'key', 'length'])

/** Whether an object may belong to the page. Nothing can be excluded for an unknown object. */
export function isElement({ path }: UnknownValue): boolean {
  return path === '' || /element|^event|^\$|^document|jQuery/u.test(path)
}
