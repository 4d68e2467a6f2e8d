// Objects of the browser that a script makes with `new`.
import { makeAborter } from './browser-abort.ts'
import { makeBroadcast, makeChannel } from './browser-channels.ts'
import { callNow } from './browser-calls.ts'
import { buildOfClass, emptyOfClass } from './browser-classes.ts'
import { noteItem } from './browser-clipboard.ts'
import { code } from './browser-code.ts'
import { elementWith, hintOf } from './browser-elements.ts'
import { request } from './browser-requests.ts'
import { flow, noteStyle } from './browser-sinks.ts'
import { fieldTaint } from './browser-sources.ts'
import { makeWorker } from './browser-workers.ts'
import { BLOB_PARTS } from './code-addresses.ts'
import type { Machine } from './machine.ts'
import { seePath } from './observations.ts'
import { addSetter } from './owners.ts'
import { noteStrings } from './performed-calls.ts'
import { makePromise } from './promises.ts'
import { mixValues } from './pure-calls.ts'
import { REFERENT } from './same-objects.ts'
import { activeObject } from './windows-objects.ts'
import { isWallet } from './wallets.ts'
import { ANY_NAME, hostObject, taintOf, textStart, UNKNOWN, type UnknownValue, type Value } from './values.ts'

const CONSTRUCTED: Readonly<Record<string, string>> = {
  Image: 'element:img',
  XMLHttpRequest: 'xhr',
  XDomainRequest: 'xhr',
  Option: 'element:option',
}

/** A proxy gives what its handler returns, or what its object has. */
function proxyOf(machine: Machine, args: readonly Value[]): Value {
  const [object, handler] = args
  for (const arg of args) machine.later(arg, [UNKNOWN, UNKNOWN], UNKNOWN)
  const isHandler = typeof handler === 'object' && handler !== null && handler.kind === 'object'
  const given = isHandler
    ? callNow(machine, handler.entries.get('get'), [object, UNKNOWN], handler)
    : undefined
  const proxy = hostObject('new Proxy', '', taintOf(mixValues(args)) | taintOf(given))
  if (isHandler) addSetter(machine, proxy, ANY_NAME, handler.entries.get('set'))
  return proxy
}

/** A browser object created with `new`. */
export function constructBrowser(machine: Machine, target: UnknownValue, args: readonly Value[]): Value {
  const { path } = target
  seePath(machine.observed, `new ${path}`)
  noteStrings(machine, args)
  if (path === 'Function')
    return code('function')(machine, { target, self: UNKNOWN, name: 'Function', args }) ?? UNKNOWN
  if (path === 'Promise') return makePromise(machine, args, callNow)
  const ofClass = emptyOfClass(target)
  if (ofClass !== undefined) {
    buildOfClass(machine, ofClass, args)
    return ofClass
  }
  if (path === 'ActiveXObject') return activeObject(args)
  if (/^Ajax\.\w+$/u.test(path))
    return request('ajax')(machine, { target, self: target, name: 'ajax', args }) ?? UNKNOWN
  // Prototype and MooTools create elements with their attributes; the browser's own Element cannot be created.
  if (path === 'Element') return elementWith(machine, args)
  if (path === 'Audio') flow(machine, 'image', args[0])
  if (path === 'FontFace') noteStyle(machine, args[1])
  if (path === 'Proxy' && isWallet(args[0])) seePath(machine.observed, '<wallet patched>')
  if (path === 'FormData') return hostObject('fields', '', args.length === 0 ? 0 : fieldTaint(hintOf(args)))
  // Both represent the address that they were created from.
  if (path === 'URL' || path === 'Request')
    return { ...hostObject(path, '', taintOf(mixValues(args))), prefix: textStart(args[0]).slice(0, 400) }
  if (path === 'Proxy') return proxyOf(machine, args)
  if (path === 'Worker' || path === 'SharedWorker') return makeWorker(machine, args)
  if (path === 'AbortController') return makeAborter()
  if (path === 'MessageChannel') return makeChannel(machine)
  if (path === 'BroadcastChannel') return makeBroadcast(args)
  if (path === 'ClipboardItem') noteItem(machine, args[0])
  for (const arg of args) machine.later(arg, [UNKNOWN, UNKNOWN], UNKNOWN)
  const made = hostObject(CONSTRUCTED[path] ?? `new ${path}`.slice(0, 60), '', taintOf(mixValues(args)))
  if (path === 'Blob') made.entries?.set(BLOB_PARTS, args[0])
  if (path === 'WeakRef') made.entries?.set(REFERENT, args[0])
  return made
}
