// What the interpreter saw a script do, gathered over all its layers.
import { MAX_OBSERVED, MAX_OBSERVED_TEXT, MAX_TEXT_LENGTH } from './limits.ts'
import type { TaintName } from './values.ts'
import { PRIVATE_TAINT, TAINT } from './values.ts'

export type SinkName =
  | 'fetch'
  | 'xhr'
  | 'beacon'
  | 'image'
  | 'socket'
  | 'script'
  | 'form'
  | 'action'
  | 'message'
  | 'frame'
  | 'navigation'
  | 'ajax'
  | 'code'
  | 'storage'
  | 'markup'
  | 'clipboard'

/** What takes something out of the page. */
export const LEAVING_SINKS: ReadonlySet<SinkName> = new Set([
  'fetch',
  'xhr',
  'ajax',
  'beacon',
  'image',
  'socket',
  'script',
  'frame',
  'form',
  'action',
  'navigation',
])

/** Something that left the page, or could: where to, as far as known, and what of the visitor's was in it. */
export interface Flow {
  readonly sink: SinkName
  /** How the address begins; '' when nothing of it is known. */
  readonly address: string
  readonly taint: number
  /** Where the name of the host comes from, if that is put together of what is not known. */
  readonly hostTaint: number
  /** The part of that which is not of a path behind the host. */
  readonly nameTaint: number
  /** The kind of event on which it happens; '' = none that was seen. */
  readonly on: string
  /** What the decisions rest on that lead there. */
  readonly under: number
}

/** Where the script is at the moment. */
export interface Moment {
  readonly on: string
  readonly under: number
}

export interface Layer {
  readonly text: string
  readonly by: 'eval' | 'function' | 'timer' | 'write' | 'markup'
}

export interface Observations {
  /** Paths and names of the browser's objects that were touched, with how often. */
  readonly paths: Map<string, number>
  readonly texts: Set<string>
  /** Texts that stand nowhere in the source: the interpreter put them together. */
  readonly decoded: Set<string>
  readonly flows: Flow[]
  now: Moment
  readonly layers: Layer[]
  /** Kinds of events that were listened for. */
  readonly events: Set<string>
  /** Characters that texts and decoded texts may still have. */
  room: number
}

/** At no event, and without condition. */
export const AT_LOAD: Moment = { on: '', under: 0 }

export function createObservations(): Observations {
  return {
    paths: new Map(),
    texts: new Set(),
    decoded: new Set(),
    flows: [],
    now: AT_LOAD,
    layers: [],
    events: new Set(),
    room: MAX_OBSERVED_TEXT,
  }
}

const MAX_FLOWS = 400

export function seePath({ paths }: Observations, path: string): void {
  const count = paths.get(path)
  if (count === undefined && paths.size >= MAX_OBSERVED) return
  paths.set(path, (count ?? 0) + 1)
}

export function seeText(observed: Observations, text: string): void {
  if (text.length > 0) keep(observed, observed.texts, text)
}

export function seeDecoded(observed: Observations, text: string): void {
  if (text.length > 1) keep(observed, observed.decoded, text)
}

function keep(observed: Observations, texts: Set<string>, text: string): void {
  if (texts.size >= MAX_OBSERVED || text.length > observed.room || texts.has(text)) return
  observed.room -= text.length
  texts.add(text)
}

type SeenFlow = Pick<Flow, 'sink' | 'address' | 'taint'> & Partial<Pick<Flow, 'hostTaint' | 'nameTaint'>>

/** Notes a flow as something that happens now; the same one at another time adds what that one depends on. */
export function seeFlow(
  { flows, now }: Observations,
  { sink, address, taint, hostTaint = 0, nameTaint = 0 }: SeenFlow,
): void {
  const at = flows.findIndex((one) => one.sink === sink && one.address === address && one.taint === taint)
  const known = flows[at]
  if (known === undefined) {
    if (flows.length < MAX_FLOWS) flows.push({ sink, address, taint, hostTaint, nameTaint, ...now })
    return
  }
  const under = known.under | now.under
  const names = known.nameTaint | nameTaint
  if (under !== known.under || names !== known.nameTaint || (known.on === '' && now.on !== ''))
    flows[at] = { ...known, on: known.on === '' ? now.on : known.on, under, nameTaint: names }
}

export function seeLayer({ layers }: Observations, layer: Layer): void {
  const text = layer.text.slice(0, MAX_TEXT_LENGTH)
  if (text.length > 8 && layers.length < 40 && !layers.some((known) => known.text === text)) {
    layers.push({ ...layer, text })
  }
}

/** Adds what the browser's storage will have in it to whatever leaves of it. */
export function addStored({ flows }: Observations, stored: number): void {
  if ((stored & PRIVATE_TAINT) === 0) return
  flows.forEach((flow, i) => {
    const isOfStorage = (flow.taint & TAINT.storage) !== 0 && LEAVING_SINKS.has(flow.sink)
    if (isOfStorage) flows[i] = { ...flow, taint: flow.taint | (stored & PRIVATE_TAINT) }
  })
}

/** The names of the bits of a taint. */
export function taintNames(taint: number): readonly TaintName[] {
  // The keys of TAINT are TaintName by definition; Object.keys says string.
  return (Object.keys(TAINT) as TaintName[]).filter((name) => (taint & TAINT[name]) !== 0)
}
