// Effects on the page and the network of writing to browser objects.
import { argumentsOf, eventOf, noteListener, ON_ERROR } from './browser-events.ts'
import type { Machine } from './machine.ts'
import { type Flow, MIN_LAYER, seeFlow, seeLayer, seePath, seeText, type SinkName } from './observations.ts'
import { FORM_ACTION, fieldTaint } from './browser-sources.ts'
import { codeBehind } from './code-addresses.ts'
import { noteSheet } from './hidden-styles.ts'
import { isOwnWindow, nameOfEvent } from './message-targets.ts'
import { noteAddress } from './own-state.ts'
import { hostOf } from './origins.ts'
import { runLater } from './text-functions.ts'
import { isWalletAddress, isWalletPath } from './wallets.ts'
import {
  hostObject,
  isUnknown,
  PRIVATE_TAINT,
  TAINT,
  taintOf,
  textStart,
  UNKNOWN,
  unknownValue,
  type UnknownValue,
  type Value,
  wholeText,
  weightOf,
} from './values.ts'

const ELEMENT_SINKS: Readonly<Record<string, SinkName>> = {
  'element:img': 'image',
  'element:script': 'script',
  'element:iframe': 'frame',
  'element:form': 'form',
  'element:link': 'image',
  'element:image': 'image',
  'element:feimage': 'image',
  'element:a': 'navigation',
  'element:area': 'navigation',
  'element:base': 'navigation',
}

/** Records a write to a member of a browser object. */
export function noteWrite(machine: Machine, object: UnknownValue, name: string, value: Value): void {
  const { observed } = machine
  if (name === '') return
  machine.spend(weightOf(value))
  if (object !== machine.globals.self) seePath(observed, `=${name.slice(0, 60)}`)
  const text = wholeText(value)
  if (text !== undefined && name !== '?' && typeof value === 'string') seeText(observed, text)
  if (/^on[a-z]{3,}$/u.test(name))
    noteHandler(machine, object, name === ON_ERROR && isOwnWindow(object) ? name : name.slice(2), value)
  const sink = sinkOf(object, name)
  if (sink === 'action') noteAction(machine, object, value)
  else if (sink !== null) flow(machine, sink, value)
  noteTakeover(machine, object, name, value)
  if (name === 'value' && /^element:(?:textarea|input)$/u.test(object.path)) machine.copied = value
  if (/^(?:innerHTML|outerHTML|srcdoc|text|textContent)$/u.test(name)) {
    if (text !== undefined) {
      const isScript = object.path === 'element:script'
      if (isScript) machine.spend(text.length >> 6)
      if (isScript && text.length < MIN_LAYER) runLater(machine, text, 'eval')
      else seeLayer(observed, { text, by: isScript ? 'eval' : 'markup' }, isScript)
    } else if (object.path === 'element:script' || (object.path === 'element:' && name === 'text')) {
      seeFlow(observed, { sink: 'code', address: textStart(value).slice(0, 200), taint: taintOf(value) })
    } else noteMarkupStart(machine, value)
  }
  if (name === 'content' && object.path === 'element:meta') noteRefresh(machine, value)
  if (STYLES.has(name) || object.path === 'element:style') noteStyle(machine, value)
  if (name === 'hash' && object.path.endsWith('location')) noteAddress(machine, value)
  if (object.path === 'document' && name === 'cookie') {
    machine.inCookies |= taintOf(value) & PRIVATE_TAINT
    seeFlow(observed, { sink: 'storage', address: '', taint: taintOf(value) })
  }
  if (/^(?:local|session)Storage$/u.test(object.path)) {
    machine.stored |= taintOf(value)
    if (machine.readKeys.has(name)) machine.storedLater |= taintOf(value)
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

/** Maximum length of a refresh value: longer addresses are cut off, and excessive whitespace is ignored. */
const MAX_REFRESH = 2_000

/** `0;url=…` navigates. */
export function noteRefresh(machine: Machine, value: Value): void {
  const [, address] =
    /^\s*\d*\s*[;,]\s*url\s*=\s*["']?([^"']*)/iu.exec(textStart(value).slice(0, MAX_REFRESH)) ?? []
  if (address !== undefined) flow(machine, 'navigation', address, value)
}

/** A style loads its images as soon as it applies. */
export function noteStyle(machine: Machine, value: Value): void {
  machine.spend(typeof value === 'string' ? value.length >> 1 : 0)
  if (typeof value === 'string' && value.includes('{')) noteSheet(machine.hidingRules, value, machine.spend)
  const [, address] = /url\(\s*["']?([^"')\s]*)/u.exec(textStart(value)) ?? []
  if (address !== undefined && !address.startsWith('data:')) flow(machine, 'image', address, value)
}

const TAG_SINKS: Readonly<Record<string, SinkName>> = {
  img: 'image',
  script: 'script',
  iframe: 'frame',
  form: 'form',
}

/** Markup that is inserted into the page. */
export function noteMarkup(machine: Machine, value: Value): void {
  if (typeof value === 'string') {
    if (value.includes('<')) seeLayer(machine.observed, { text: value, by: 'markup' })
  } else noteMarkupStart(machine, value)
}

/** Markup whose beginning is known, up to an address that is followed by something unknown. */
export function noteMarkupStart(machine: Machine, value: Value): void {
  const [, tag = '', address = ''] =
    /<(img|script|iframe|form)\b[^<>]*?(?:src|action)\s*=\s*\\?["']?([^"'\s<>]+)$/iu.exec(textStart(value)) ??
    []
  const sink = TAG_SINKS[tag.toLowerCase()]
  if (sink !== undefined)
    flow(
      machine,
      sink,
      unknownValue({ prefix: address, taint: taintOf(value), lead: isUnknown(value) ? value.lead : null }),
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

/** Whether an element existed before the script ran. */
const isOfPage = ({ path }: UnknownValue): boolean => /^(?:\$?element|document\.forms|event)(?!:)/u.test(path)

/** A form of the page gets another address: its fields will be sent there. */
function noteAction(machine: Machine, object: UnknownValue, value: Value): void {
  // A script that restores the original address of a form wants to stay unnoticed.
  if (isUnknown(value) && value.path === FORM_ACTION) seePath(machine.observed, '<action restored>')
  else flow(machine, 'action', value, unknownValue({ taint: fieldTaint(object.hint) }))
}

/** A wallet address is written into the page while the visitor copies, pastes or types: it replaces another one. */
export function noteWallet({ observed }: Machine, isField: boolean): void {
  seePath(observed, '<wallet exchanged>')
  const { on } = observed.now
  if (/^(?:copy|cut|paste)$/u.test(on) || (on === 'input' && isField)) seePath(observed, '<wallet replaced>')
}

/** Functions of the page that the script replaces by its own, and wallet addresses that it writes into the page. */
function noteTakeover(machine: Machine, object: UnknownValue, name: string, value: Value): void {
  if (typeof value === 'string') {
    // A sum is put together before it is read.
    machine.spend(value.length >> 8)
    const isShown = /^(?:value|textContent|innerText|innerHTML|href|nodeValue|data)$/u.test(name)
    if (isShown && !object.path.startsWith('element:') && isWalletAddress(value))
      noteWallet(machine, name === 'value')
    return
  }
  if (typeof value !== 'object' || value?.kind !== 'function') return
  if (isWalletPath(object.path)) seePath(machine.observed, '<wallet patched>')
  const isRequest =
    object === machine.globals.self
      ? name === 'fetch'
      : /^(?:window\.)?XMLHttpRequest\.prototype$/u.test(object.path) && /^(?:send|open)$/u.test(name)
  if (isRequest) {
    seePath(machine.observed, '<request patched>')
    runPatched(machine, name, value)
  }
  if (object.path.endsWith('HTMLFormElement.prototype')) seePath(machine.observed, '<form patched>')
  if (!isRequest && !/^on[a-z]{3,}$/u.test(name)) takeOver(machine, object, value)
}

/** Objects that scripts make for themselves, or that others are to use. */
const OWN_OBJECTS =
  /^(?:|made|class|xhr|socket|event|regex|date|options|response|clipboard|fields|window|self|globalThis|import)$|^(?:new |element:|\$element|(?:exports|module|define|require)\b)/u

/**
 * Runs a function that becomes a member of an object of the page: the page calls it instead of its own. On an object
 * that the script puts on the window it is only offered.
 */
function takeOver(machine: Machine, object: Value, value: Value, args?: readonly Value[]): void {
  if (!isUnknown(object) || OWN_OBJECTS.test(object.path)) return
  const [name = ''] = object.path.split('.', 1)
  if (machine.globals.vars.has(name)) return
  if (typeof value === 'object' && value?.kind === 'function')
    machine.later(value, args ?? value.node.params.map(() => UNKNOWN), object)
}

/** Accessors that a script puts in place of those of the page. */
export function takeOverMember(machine: Machine, object: Value, name: Value, descriptor: Value): void {
  if (typeof descriptor !== 'object' || descriptor === null || descriptor.kind !== 'object') return
  const { entries } = descriptor
  const taint = isUnknown(object) && name === 'value' ? fieldTaint(object.hint) : 0
  takeOver(machine, object, entries.get('set'), [unknownValue({ taint })])
  takeOver(machine, object, entries.get('get'), [])
}

/** Runs what replaces a request with the content that the page sends. */
function runPatched(machine: Machine, name: string, patch: Value): void {
  const content = unknownValue({ taint: TAINT.request })
  const options = hostObject('options')
  options.entries?.set('body', content)
  if (name === 'send') machine.later(patch, [content], hostObject('xhr'))
  else if (name === 'fetch') machine.later(patch, [UNKNOWN, options], UNKNOWN)
}

/** For an address whose host is not named: where the address comes from, and where the host name comes from. */
function hostTaintsOf(address: Value, start: string): Pick<Flow, 'hostTaint' | 'nameTaint'> {
  const isOpen = /^(?:(?:https?|wss?):)?\/\/[^/?#]*$/iu.test(start) && hostOf(start) === null
  if (!isOpen || wholeText(address) !== undefined) return { hostTaint: 0, nameTaint: 0 }
  const hostTaint = taintOf(address)
  // Text after the host, such as a time against caches, does not affect the host name.
  return { hostTaint, nameTaint: isUnknown(address) ? (address.lead ?? hostTaint) : hostTaint }
}

/** Runs the code that an address contains. @returns false if it contains none that is known. */
export function runsAddressed(machine: Machine, address: Value): boolean {
  const code = codeBehind(machine, address)
  if (code !== undefined) seeLayer(machine.observed, { text: code, by: 'eval' })
  return code !== undefined
}

/** Records a flow: its destination and its content. */
export function flow(machine: Machine, sink: SinkName, address: Value, content: Value = undefined): void {
  machine.spend(16)
  if (sink === 'script' && runsAddressed(machine, address)) return
  const start = textStart(address).slice(0, 300)
  if (sink === 'navigation' && start.startsWith('#')) noteAddress(machine, address)
  seeText(machine.observed, start)
  const addressTaint = taintOf(address)
  const taint = addressTaint | taintOf(content)
  seeFlow(machine.observed, { sink, address: start, taint, addressTaint, ...hostTaintsOf(address, start) })
}

/** Records a listener and runs it later, with an event of its kind. ON_ERROR: the handler of errors of the window. */
export function noteHandler(
  machine: Machine,
  object: UnknownValue,
  event: string,
  handler: Value,
  receiver: Value = object,
): void {
  const kind = event === ON_ERROR ? 'error' : event.slice(0, 30).toLowerCase()
  machine.observed.events.add(kind)
  const isText = typeof handler === 'string'
  const own = nameOfEvent(object, event)
  if (isText) runLater(machine, handler, 'timer', kind)
  const isElement = receiver === object && (object.path === '' || object.path === 'window')
  const target = isElement ? hostObject('element', object.hint) : receiver
  for (const given of isText ? [] : noteListener(machine, own, handler))
    machine.later(
      handler,
      argumentsOf(own, eventOf(kind === 'error' ? kind : event, object.hint, own, given), given),
      target,
      {
        event: kind,
      },
    )
}
