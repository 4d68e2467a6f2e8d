// Named numbers about flows: which data of the visitor goes to which kind of host, on which event, and under which
// conditions.
import type { Analysis } from './analysis.ts'
import { type Flow, LEAVING_SINKS, type SinkName } from './observations.ts'
import { hostOf, isHostHidden, originOf } from './origins.ts'
import { PRIVATE_TAINT, TAINT, type TaintName } from './values.ts'
import { isWalletAddress } from './wallets.ts'

const GROUPS: Readonly<Record<string, readonly SinkName[]>> = {
  request: ['fetch', 'xhr', 'ajax', 'beacon'],
  image: ['image'],
  socket: ['socket'],
  script: ['script'],
  frame: ['frame', 'form', 'action', 'navigation'],
  message: ['message'],
  storage: ['storage'],
}
const TAINTS: readonly TaintName[] = [
  'card',
  'password',
  'field',
  'keys',
  'cookie',
  'storage',
  'page',
  'clipboard',
  'place',
  'referrer',
  'agent',
]
const ORIGINS = ['own', 'other', 'unknown'] as const

/** Steps that may depend on the visitor and the time. */
const STEPS: Readonly<Record<string, readonly SinkName[]>> = {
  navigation: ['navigation'],
  script: ['script', 'code'],
  frame: ['frame', 'markup'],
  request: ['fetch', 'xhr', 'ajax', 'beacon', 'image', 'socket'],
}
const CONDITIONS: Readonly<Record<string, number>> = {
  agent: TAINT.agent,
  referrer: TAINT.referrer,
  clock: TAINT.clock,
  chance: TAINT.chance,
  'earlier visits': TAINT.cookie | TAINT.storage,
  place: TAINT.place,
  network: TAINT.network,
  field: TAINT.field | TAINT.card,
  clipboard: TAINT.clipboard,
}
const MOMENTS: Readonly<Record<string, RegExp>> = {
  typing: /^(?:input|change|key|blur|focusout|paste)/u,
  sending: /^(?:submit|formdata)$/u,
  pressing: /^(?:click|dblclick|mouse|touch|pointer|contextmenu)/u,
  leaving: /^(?:beforeunload|unload|pagehide|visibilitychange|mouseleave|mouseout|popstate)$/u,
  copying: /^(?:copy|cut|selectionchange)$/u,
}
/** Sources of a host name that is not written in the code. */
const HOSTS_BY = ['clock', 'chance', 'network', 'place', 'storage'] as const satisfies readonly TaintName[]
/** Functions that the interpreter saw a script replace by its own. */
const TAKEOVERS = ['wallet patched', 'wallet exchanged', 'request patched', 'form patched', 'action restored']

export const FLOW_NAMES: readonly string[] = [
  ...TAINTS.flatMap((taint) => ORIGINS.map((origin) => `${taint} to ${origin}`)),
  'private to other',
  'private to unknown',
  ...Object.keys(GROUPS).flatMap((group) => [
    `private by ${group}`,
    `other host by ${group}`,
    `host out of code by ${group}`,
    `host put together by ${group}`,
    `host hidden alone by ${group}`,
  ]),
  ...Object.keys(STEPS).flatMap((step) =>
    Object.keys(CONDITIONS).map((condition) => `${step} under ${condition}`),
  ),
  ...Object.keys(MOMENTS).flatMap((moment) => [`private while ${moment}`, `navigation while ${moment}`]),
  ...HOSTS_BY.map((taint) => `host by ${taint}`),
  ...TAKEOVERS,
  'wallet copied',
  'action to other',
  'action to unknown',
  'network to code',
  'network to markup',
  'unknown code',
  'unknown markup',
]

/** In the order of FLOW_NAMES: 0, or from a half to 1 by the number of occurrences. */
export function flowValues(
  { source, observed: { flows, paths, layers } }: Analysis,
  ownHosts: readonly string[],
): number[] {
  const values = new Map(FLOW_NAMES.map((name) => [name, 0]))
  const add = (name: string): void => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`there is no flow feature ${name}`)
    values.set(name, Math.min(1, (value === 0 ? 0.5 : value) + 0.1))
  }
  const places = createPlaces(source, layers)
  for (const flow of flows) {
    const origin = originOf(flow.address, ownHosts)
    const host = hostOf(flow.address)
    addLeaving(flow, origin, add)
    for (const [group, sinks] of Object.entries(GROUPS)) {
      if (!sinks.includes(flow.sink)) continue
      if ((flow.taint & PRIVATE_TAINT) !== 0 && origin !== 'own') add(`private by ${group}`)
      if (origin !== 'other' || host === null) continue
      add(`other host by ${group}`)
      const { isWritten, isInCode, isHidden } = places(host)
      if (!isWritten) add(`host out of code by ${group}`)
      if (!isInCode) add(`host put together by ${group}`)
      if (isHidden) add(`host hidden alone by ${group}`)
    }
    if (origin !== 'own') addConditions(flow, add)
    addCode(flow, add)
  }
  for (const name of TAKEOVERS) if (paths.has(`<${name}>`)) add(name)
  return [...values.values()]
}

interface SourcePlace {
  /** In the original script. */
  readonly isWritten: boolean
  /** Its domain, in the script or in code that it decodes. */
  readonly isInCode: boolean
  readonly isHidden: boolean
}

/** Finds where hosts occur; each is searched once. */
function createPlaces(source: string, layers: Analysis['observed']['layers']): (host: string) => SourcePlace {
  const known = new Map<string, SourcePlace>()
  let strings: readonly string[] | null = null
  return (host) => {
    const place = known.get(host)
    if (place !== undefined) return place
    strings ??= [source, ...layers.map(({ text }) => text)].map((text) => text.toLowerCase())
    const domain = host.split('.').slice(-2).join('.')
    const found = {
      isWritten: strings[0]?.includes(host) === true,
      isInCode: strings.some((text) => text.includes(domain)),
      isHidden: isHostHidden(host, strings),
    }
    known.set(host, found)
    return found
  }
}

function addLeaving({ sink, taint, address, on }: Flow, origin: string, add: (name: string) => void): void {
  if (sink === 'clipboard' && isWalletAddress(address)) add('wallet copied')
  if (!LEAVING_SINKS.has(sink)) return
  for (const name of TAINTS) if ((taint & TAINT[name]) !== 0) add(`${name} to ${origin}`)
  if (origin === 'own') return
  if ((taint & PRIVATE_TAINT) !== 0) add(`private to ${origin}`)
  if (sink === 'action') add(`action to ${origin}`)
  for (const [moment, events] of Object.entries(MOMENTS)) {
    if (!events.test(on)) continue
    if ((taint & PRIVATE_TAINT) !== 0) add(`private while ${moment}`)
    if (sink === 'navigation') add(`navigation while ${moment}`)
  }
}

function addConditions({ sink, under, hostTaint }: Flow, add: (name: string) => void): void {
  for (const name of HOSTS_BY) if ((hostTaint & TAINT[name]) !== 0) add(`host by ${name}`)
  for (const [step, sinks] of Object.entries(STEPS)) {
    if (!sinks.includes(sink)) continue
    for (const [condition, taint] of Object.entries(CONDITIONS))
      if ((under & taint) !== 0) add(`${step} under ${condition}`)
  }
}

function addCode({ sink, taint }: Flow, add: (name: string) => void): void {
  if (sink !== 'code' && sink !== 'markup') return
  add((taint & TAINT.network) === 0 ? `unknown ${sink}` : `network to ${sink}`)
}
