// What a script does to the page and the network by writing to objects of the browser.
import type { Machine } from './machine.ts'
import { seeFlow, seeLayer, seePath, seeText, type SinkName } from './observations.ts'
import { hostObject, taintOf, textStart, type UnknownValue, type Value, wholeText } from './values.ts'

const ELEMENT_SINKS: Readonly<Record<string, SinkName>> = {
  'element:img': 'image',
  'element:script': 'script',
  'element:iframe': 'frame',
  'element:form': 'form',
  'element:link': 'image',
  'element:a': 'navigation',
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
  if (sink !== null) flow(machine, sink, value)
  if (/^(?:innerHTML|outerHTML|srcdoc|text|textContent)$/u.test(name)) {
    if (text !== undefined) {
      seeLayer(observed, { text, by: object.path === 'element:script' ? 'eval' : 'markup' })
    } else if (object.path === 'element:script') {
      seeFlow(observed, { sink: 'code', address: textStart(value).slice(0, 200), taint: taintOf(value) })
    } else noteMarkupStart(machine, value)
  }
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
  'listStyleImage',
  'borderImage',
  'content',
])

/** A style asks for its pictures as soon as it applies. */
function noteStyle(machine: Machine, value: Value): void {
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
  if (sink !== undefined) flow(machine, sink, address, value)
}

function sinkOf(object: UnknownValue, name: string): SinkName | null {
  if (name === 'src') return ELEMENT_SINKS[object.path] ?? 'image'
  if (name === 'action') return 'form'
  if (name === 'href')
    return /location/u.test(object.path) ? 'navigation' : (ELEMENT_SINKS[object.path] ?? 'navigation')
  return name === 'location' ? 'navigation' : null
}

/** Notes where something goes to and what is in it. */
export function flow(machine: Machine, sink: SinkName, address: Value, content: Value = undefined): void {
  machine.spend(16)
  const start = textStart(address).slice(0, 300)
  seeText(machine.observed, start)
  seeFlow(machine.observed, { sink, address: start, taint: taintOf(address) | taintOf(content) })
}

/** Notes a listener and runs it later, with an event of that kind. */
export function noteHandler(machine: Machine, object: UnknownValue, event: string, handler: Value): void {
  machine.observed.events.add(event.toLowerCase().slice(0, 30))
  const isText = typeof handler === 'string'
  if (isText) seeLayer(machine.observed, { text: handler, by: 'timer' })
  const target = object.path === '' || object.path === 'window' ? hostObject('element', object.hint) : object
  machine.later(handler, [hostObject('event', `${event} ${object.hint}`.slice(0, 200))], target)
}
