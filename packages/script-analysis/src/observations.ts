// The observed behavior of a script over all its layers.
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

/** Sinks that send data out of the page. */
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

/** Data that left the page, or could: the destination as far as known, and the visitor's data in it. */
export interface Flow {
  readonly sink: SinkName
  /** The beginning of the address; '' if it is unknown. */
  readonly address: string
  readonly taint: number
  /** Source of the host name, if it is computed from unknown values. */
  readonly hostTaint: number
  /** The part of that taint which does not belong to a path after the host. */
  readonly nameTaint: number
  /** The kind of event on which it happens; '' = no event was seen. */
  readonly on: string
  /** The taint of the conditions that lead there. */
  readonly under: number
  /** Only in functions that the script offers and never calls itself: it waits for the page to call them. */
  readonly isOffered: boolean
  /** Only in functions that nothing was seen to call, by whatever name. */
  readonly isUncalled: boolean
  /** The part of the taint that stands in the address, as a query. */
  readonly addressTaint: number
  /** Offset of the call or assignment in the script; null in code that it decodes or builds. */
  readonly at: number | null
}

/** The current state of execution. */
export interface Moment {
  readonly on: string
  readonly under: number
  readonly isOffered: boolean
  readonly isUncalled: boolean
}

export interface Layer {
  readonly text: string
  readonly by: 'eval' | 'function' | 'timer' | 'write' | 'markup'
  /** When it was passed. */
  readonly now: Moment
}

export interface Observations {
  /** Paths and names of browser objects that were used, with counts. */
  readonly paths: Map<string, number>
  readonly texts: Set<string>
  /** Strings that do not occur in the source: the interpreter built them. */
  readonly decoded: Set<string>
  readonly flows: Flow[]
  now: Moment
  readonly layers: Layer[]
  /** Names of the calls of others that the script makes when it is loaded, or by its own handlers. */
  readonly performed: Set<string>
  /** Kinds of events with listeners. */
  readonly events: Set<string>
  /** Characters that are left for strings and decoded strings. */
  budget: number
  /** Pieces of code that were only read after repairs. */
  recovered: number
  /** Offset of the call or assignment that runs, in the script itself; null in other code. */
  at: number | null
  /** Whether the code that runs is the script itself. */
  hasPositions: boolean
  /** Whether anything was left out because it was too much or too deep. */
  isCut: boolean
}

/** Without event or condition. */
export const AT_LOAD: Moment = { on: '', under: 0, isOffered: false, isUncalled: false }

export function createObservations(): Observations {
  return {
    paths: new Map(),
    texts: new Set(),
    decoded: new Set(),
    flows: [],
    now: AT_LOAD,
    layers: [],
    performed: new Set(),
    events: new Set(),
    budget: MAX_OBSERVED_TEXT,
    recovered: 0,
    at: null,
    hasPositions: true,
    isCut: false,
  }
}

/** The path that is seen if a handler of a form keeps it from being sent. */
export const DEFAULT_PREVENTED = '<default prevented>'
/** The path that is seen if a script takes only the first digits of a card. */
export const CARD_ISSUER = '<card issuer>'
/** The path that is seen if it reads more than one field of a card. */
export const OTHER_CARD_FIELDS = '<other card fields>'
/** The path that is seen if it reads what another window posts to it. */
export const MESSAGE_READ = '<message read>'
/** The path that is seen if it posts to a frame that it keeps out of sight. */
export const FRAME_HIDDEN = '<frame out of sight>'
/** The path that is seen if a script sends a form itself. */
export const FORM_SENT = '<form sent>'

const MAX_FLOWS = 400

export function seePath({ paths }: Observations, path: string): void {
  const count = paths.get(path)
  if (count !== undefined) paths.set(path, count + 1)
  else if (paths.size < MAX_OBSERVED) paths.set(path, 1)
}

export function seeText(observed: Observations, text: string): void {
  if (text.length > 0) keep(observed, observed.texts, text)
}

export function seeDecoded(observed: Observations, text: string): void {
  if (text.length > 1) keep(observed, observed.decoded, text)
}

function keep(observed: Observations, strings: Set<string>, text: string): void {
  if (strings.size >= MAX_OBSERVED || text.length > observed.budget || strings.has(text)) return
  observed.budget -= text.length
  strings.add(text)
}

type SeenFlow = Pick<Flow, 'sink' | 'address' | 'taint'> &
  Partial<Pick<Flow, 'hostTaint' | 'nameTaint' | 'addressTaint'>>

const indexOfFlow = (
  flows: readonly Flow[],
  { sink, address, taint }: Pick<Flow, 'sink' | 'address' | 'taint'>,
): number => flows.findIndex((one) => one.sink === sink && one.address === address && one.taint === taint)

/** Records a flow under the current conditions; if it is already known, its conditions are added. */
export function seeFlow(
  { flows, now, at: position, hasPositions }: Observations,
  { sink, address, taint, hostTaint = 0, nameTaint = 0, addressTaint = 0 }: SeenFlow,
): void {
  const at = indexOfFlow(flows, { sink, address, taint })
  const known = flows[at]
  if (known === undefined) {
    if (flows.length < MAX_FLOWS)
      flows.push({
        sink,
        address,
        taint,
        hostTaint,
        nameTaint,
        addressTaint,
        ...now,
        at: hasPositions ? position : null,
      })
    return
  }
  const more = {
    on: known.on === '' ? now.on : known.on,
    under: known.under | now.under,
    isOffered: known.isOffered && now.isOffered,
    isUncalled: known.isUncalled && now.isUncalled,
    nameTaint: known.nameTaint | nameTaint,
    addressTaint: known.addressTaint | addressTaint,
  }
  flows[at] = { ...known, ...more }
}

/** Characters of a layer: shorter texts are labels and numbers, or calls of what the script has anyway. */
export const MIN_LAYER = 9

/** `isGrowing`: more of what was passed last may follow, as one text. */
export function seeLayer({ layers, now }: Observations, layer: Omit<Layer, 'now'>, isGrowing = false): void {
  const text = layer.text.slice(0, MAX_TEXT_LENGTH)
  const last = layers.at(-1)
  if (isGrowing && last?.by === layer.by && text.startsWith(last.text)) layers.pop()
  if (text.length >= MIN_LAYER && layers.length < 40 && !layers.some((known) => known.text === text)) {
    layers.push({ ...layer, text, now })
  }
}

/** Adds what was seen elsewhere and not here. What is known here stays as it is, and what was cut there was not cut here. */
export function addObservations(observed: Observations, more: Observations): void {
  for (const path of more.paths.keys()) if (!observed.paths.has(path)) seePath(observed, path)
  for (const text of more.texts) seeText(observed, text)
  for (const text of more.decoded) seeDecoded(observed, text)
  for (const name of more.performed) observed.performed.add(name)
  for (const kind of more.events) observed.events.add(kind)
  for (const { now, ...layer } of more.layers) seeLayer({ ...observed, now }, layer)
  for (const flow of more.flows)
    if (indexOfFlow(observed.flows, flow) === -1 && observed.flows.length < MAX_FLOWS)
      observed.flows.push(flow)
}

/** Adds what the browser's storage will contain to flows that read from it. */
export function addStored({ flows }: Observations, stored: number): void {
  if ((stored & PRIVATE_TAINT) === 0) return
  flows.forEach((flow, i) => {
    const isOfStorage = (flow.taint & TAINT.storage) !== 0 && LEAVING_SINKS.has(flow.sink)
    if (isOfStorage) flows[i] = { ...flow, taint: flow.taint | (stored & PRIVATE_TAINT) }
  })
}

/** The names of the bits of a taint. */
export function taintNames(taint: number): readonly TaintName[] {
  // The keys of TAINT are TaintName by definition; Object.keys returns strings.
  return (Object.keys(TAINT) as TaintName[]).filter((name) => (taint & TAINT[name]) !== 0)
}
