// What a script does to the page and the network by writing to objects of the browser.
import type { Machine } from './machine.ts'
import { type Flow, seeFlow, seeLayer, seePath, seeText, type SinkName } from './observations.ts'
import { FORM_ACTION, fieldTaint } from './browser-sources.ts'
import { hostOf } from './origins.ts'
import { isWalletPath, WALLET_ADDRESS } from './wallets.ts'
import {
  hostObject,
  isUnknown,
  taintOf,
  textStart,
  unknown,
  type UnknownValue,
  type Value,
  wholeText,
} from './values.ts'

const ELEMENT_SINKS: Readonly<Record<string, SinkName>> = {
  'element:img': 'image',
  'element:script': 'script',
  'element:iframe': 'frame',
  'element:form': 'form',
  'element:link': 'image',
  'element:a': 'navigation',
  'element:area': 'navigation',
  'element:base': 'navigation',
}

/** Notes that something was written to a member of an object of the browser. */
export function noteWrite(machine: Machine, object: UnknownValue, name: string, value: Value): void {
  const { observed } = machine
  if (name === '') return
  if (object !== machine.globals.self) seePath(observed, `=${name.slice(0, 60)}`)
  const text = wholeText(value)
  if (text !== undefined && name !== '?' && typeof value === 'string') seeText(observed, text)
  if (/^on[a-z]{3,}$/u.test(name)) noteHandler(machine, object, name.slice(2), value)
  const sink = sinkOf(object, name)
  if (sink === 'action') noteAction(machine, object, value)
  else if (sink !== null) flow(machine, sink, value)
  noteTakeover(machine, object, name, value)
  if (name === 'value' && /^element:(?:textarea|input)$/u.test(object.path)) machine.copied = value
  if (/^(?:innerHTML|outerHTML|srcdoc|text|textContent)$/u.test(name)) {
    if (text !== undefined) {
      seeLayer(observed, { text, by: object.path === 'element:script' ? 'eval' : 'markup' })
    } else if (object.path === 'element:script') {
      seeFlow(observed, { sink: 'code', address: textStart(value).slice(0, 200), taint: taintOf(value) })
    } else noteMarkupStart(machine, value)
  }
  if (name === 'content' && object.path === 'element:meta') noteRefresh(machine, value)
  if (STYLES.has(name) || object.path === 'element:style') noteStyle(machine, value)
  if (object.path === 'document' && name === 'cookie')
    seeFlow(observed, { sink: 'storage', address: '', taint: taintOf(value) })
  if (/^(?:local|session)Storage$/u.test(object.path)) {
    machine.stored |= taintOf(value)
    seeFlow(observed, { sink: 'storage', address: '', taint: taintOf(value) })
  }
}

const STYLES = new Set([
  'backgroundImage',
  'background',
  'cssText',
  'style',
  'listStyleImage',
  'borderImage',
  'content',
])

/** Of a refresh: an address is cut off there, blanks without end are none. */
const MAX_REFRESH = 2_000

/** `0;url=…` leads on. */
export function noteRefresh(machine: Machine, value: Value): void {
  const [, address] =
    /^\s*\d*\s*[;,]\s*url\s*=\s*["']?([^"']*)/iu.exec(textStart(value).slice(0, MAX_REFRESH)) ?? []
  if (address !== undefined) flow(machine, 'navigation', address, value)
}

/** A style asks for its pictures as soon as it applies. */
export function noteStyle(machine: Machine, value: Value): void {
  const [, address] = /url\(\s*["']?([^"')\s]*)/u.exec(textStart(value)) ?? []
  if (address !== undefined && !address.startsWith('data:')) flow(machine, 'image', address, value)
}

const TAG_SINKS: Readonly<Record<string, SinkName>> = {
  img: 'image',
  script: 'script',
  iframe: 'frame',
  form: 'form',
}

/** Markup that is put into the page. */
export function noteMarkup(machine: Machine, value: Value): void {
  if (typeof value === 'string') {
    if (value.includes('<')) seeLayer(machine.observed, { text: value, by: 'markup' })
  } else noteMarkupStart(machine, value)
}

/** Markup of which the beginning is known, as far as an address in which something else follows. */
export function noteMarkupStart(machine: Machine, value: Value): void {
  const [, tag = '', address = ''] =
    /<(img|script|iframe|form)\b[^<>]*?(?:src|action)\s*=\s*\\?["']?([^"'\s<>]+)$/iu.exec(textStart(value)) ??
    []
  const sink = TAG_SINKS[tag.toLowerCase()]
  if (sink !== undefined)
    flow(
      machine,
      sink,
      unknown({ prefix: address, taint: taintOf(value), lead: isUnknown(value) ? value.lead : null }),
    )
}

function sinkOf(object: UnknownValue, name: string): SinkName | null {
  if (name === 'src' || name === 'srcset' || name === 'poster') return ELEMENT_SINKS[object.path] ?? 'image'
  if (name === 'data') return object.path === 'element:object' ? 'frame' : null
  if (name === 'action') return isOfPage(object) ? 'action' : 'form'
  if (name === 'formAction') return 'action'
  if (name === 'href')
    return /location/u.test(object.path) ? 'navigation' : (ELEMENT_SINKS[object.path] ?? 'navigation')
  return name === 'location' ? 'navigation' : null
}

/** Whether an element was there before the script. */
const isOfPage = ({ path }: UnknownValue): boolean => /^(?:\$?element|document\.forms|event)(?!:)/u.test(path)

/** A form of the page is given another address: with its fields. */
function noteAction(machine: Machine, object: UnknownValue, value: Value): void {
  // Who gives a form back the address that it had does not want to be seen.
  if (isUnknown(value) && value.path === FORM_ACTION) seePath(machine.observed, '<action restored>')
  else flow(machine, 'action', value, unknown({ taint: fieldTaint(object.hint) }))
}

/** A wallet is written into the page: while somebody copies, pastes or types, in the place of another one. */
export function noteWallet({ observed }: Machine, isField: boolean): void {
  seePath(observed, '<wallet exchanged>')
  const { on } = observed.now
  if (/^(?:copy|cut|paste)$/u.test(on) || (on === 'input' && isField)) seePath(observed, '<wallet replaced>')
}

/** Functions of the page that the script puts its own in the place of, and wallets that it writes into the page. */
function noteTakeover(machine: Machine, object: UnknownValue, name: string, value: Value): void {
  if (typeof value === 'string') {
    const isShown = /^(?:value|textContent|innerText|innerHTML|href|nodeValue|data)$/u.test(name)
    if (isShown && !object.path.startsWith('element:') && WALLET_ADDRESS.test(value))
      noteWallet(machine, name === 'value')
    return
  }
  if (typeof value !== 'object' || value?.kind !== 'function') return
  if (isWalletPath(object.path)) seePath(machine.observed, '<wallet patched>')
  const isRequest =
    object === machine.globals.self
      ? name === 'fetch'
      : /^(?:window\.)?XMLHttpRequest\.prototype$/u.test(object.path) && /^(?:send|open)$/u.test(name)
  if (isRequest) seePath(machine.observed, '<request patched>')
  if (object.path.endsWith('HTMLFormElement.prototype')) seePath(machine.observed, '<form patched>')
}

/** Of an address of which the host is not even named, where it comes from, and where the name alone does. */
function hostTaintsOf(address: Value, start: string): Pick<Flow, 'hostTaint' | 'nameTaint'> {
  const isOpen = /^(?:(?:https?|wss?):)?\/\/[^/?#]*$/iu.test(start) && hostOf(start) === null
  if (!isOpen || wholeText(address) !== undefined) return { hostTaint: 0, nameTaint: 0 }
  const hostTaint = taintOf(address)
  // What follows the host, a time against stores before all, has nothing to do with its name.
  return { hostTaint, nameTaint: isUnknown(address) ? (address.lead ?? hostTaint) : hostTaint }
}

/** Notes where something goes to and what is in it. */
export function flow(machine: Machine, sink: SinkName, address: Value, content: Value = undefined): void {
  machine.spend(16)
  const start = textStart(address).slice(0, 300)
  seeText(machine.observed, start)
  const taint = taintOf(address) | taintOf(content)
  seeFlow(machine.observed, { sink, address: start, taint, ...hostTaintsOf(address, start) })
}

/** Notes a listener and runs it later, with an event of that kind. */
export function noteHandler(machine: Machine, object: UnknownValue, event: string, handler: Value): void {
  machine.observed.events.add(event.toLowerCase().slice(0, 30))
  const isText = typeof handler === 'string'
  if (isText) seeLayer(machine.observed, { text: handler, by: 'timer' })
  const target = object.path === '' || object.path === 'window' ? hostObject('element', object.hint) : object
  machine.later(
    handler,
    [hostObject('event', `${event} ${object.hint}`.slice(0, 200))],
    target,
    event.toLowerCase().slice(0, 30),
  )
}
