// Events that a script makes itself, with data for its own listeners.
import type { Effect } from './browser-requests.ts'
import { OF_STRANGER } from './browser-sources.ts'
import type { Machine } from './machine.ts'
import { ANY_GETTER } from './owners.ts'
import { isOfStranger, isOwnWindow, nameOfEvent, namesOfDispatched } from './message-targets.ts'
import {
  ANY_NAME,
  hostObject,
  isPrivate,
  isUnknown,
  PRIVATE_TAINT,
  taintOf,
  UNKNOWN,
  unknownValue,
  type UnknownValue,
  type Value,
  weightOf,
} from './values.ts'

/** The path of all events that a script makes. */
export const OWN_EVENT = 'new CustomEvent'
const NAME = ' event name'
const STEPS_OF_NAME = 8
const STEPS_OF_LISTENER = 4
const MAX_HINT = 200

type Given = ReadonlyMap<string, Value>
/** The members of an event that has none. */
const NOTHING: Given = new Map()

/** What was given with events of one name: the last without private data, and all private data. */
interface GivenMembers {
  plain?: Given
  own?: Map<string, Value>
}

/** Functions that listen to an event, by its name, and what was given with events of that name. Each of them costs steps. */
export interface OwnEvents {
  readonly listeners: Map<string, Value[]>
  readonly given: Map<string, GivenMembers>
  /** How many channels the script has made. */
  channels: number
  /** Ports that its workers have: the names of the messages that they get, and of those that they post. */
  readonly portsOfWorkers: Map<string, string>
}

export const createOwnEvents = (): OwnEvents => ({
  listeners: new Map(),
  given: new Map(),
  channels: 0,
  portsOfWorkers: new Map(),
})

/** Each use of a name reads all of it. */
const stepsOfName = (name: string): number => STEPS_OF_NAME + (name.length >> 4)

/** `new CustomEvent(name, { detail })`, and all other events of the browser: with a name and what they have. */
export function fillEvent(
  { spend }: Machine,
  { entries }: UnknownValue,
  [name, options]: readonly Value[],
): void {
  if (entries === null) return
  if (isUnknown(options)) entries.set(ANY_NAME, unknownValue({ taint: taintOf(options) }))
  else if (typeof options === 'object' && options?.kind === 'object') {
    spend(options.entries.size)
    for (const [member, value] of options.entries) entries.set(member, value)
  }
  entries.set('type', name)
  if (typeof name === 'string') entries.set(NAME, name)
}

/** `document.createEvent(kind)`: it gets its name by one of the calls below. */
export const createEvent: Effect = () => hostObject(OWN_EVENT)

/** `initEvent(name)`, and with data: `initCustomEvent(name, …, …, detail)`. */
export const initEvent: Effect = (_, { self, name: call, args }) => {
  const [name, , , content] = args
  if (self.path !== OWN_EVENT) return undefined
  self.entries?.set('type', name)
  if (typeof name !== 'string') return undefined
  self.entries?.set(NAME, name)
  if (args.length > 3) self.entries?.set(call === 'initCustomEvent' ? 'detail' : 'data', content)
  return UNKNOWN
}

/** The event that listeners get. `own`: the name of what the script itself dispatches to them. `given`: what it has. */
export function eventOf(name: string, hint: string, own: string, given: Given): UnknownValue {
  const event = hostObject(
    'event',
    `${name.slice(0, MAX_HINT)} ${hint}`.slice(0, MAX_HINT),
    taintOf(given.get(ANY_NAME)),
  )
  if (isOfStranger(own)) event.entries?.set(OF_STRANGER, true)
  for (const [member, value] of given) event.entries?.set(member, value)
  return event
}

/** The name of errors for the handler in this member of the window. */
export const ON_ERROR = 'onerror'

/** What a listener gets: the handler of errors gets the message, and the error as its fifth argument. */
export const argumentsOf = (own: string, event: UnknownValue, given: Given): readonly Value[] =>
  own === ON_ERROR && given.has('message')
    ? [given.get('message'), UNKNOWN, UNKNOWN, UNKNOWN, given.get('error')]
    : [event]

/** Remembers a listener for events that the script dispatches later, and gives what listeners of this name get: also what the browser itself gives. */
export function noteListener({ ownEvents, spend }: Machine, name: string, listener: Value): readonly Given[] {
  const { listeners, given } = ownEvents
  spend(stepsOfName(name))
  const known = listeners.get(name)
  if (known === undefined) listeners.set(name, [listener])
  else known.push(listener)
  const { plain, own } = given.get(name) ?? {}
  return [NOTHING, plain, own].filter((one) => one !== undefined)
}

/** Members with private data that keep their names, for one name of events. */
const MAX_OWN = 100

/** Remembers what is given, for listeners that follow. */
export function keepForListeners({ ownEvents, spend }: Machine, name: string, given: Given): void {
  spend(stepsOfName(name) + given.size)
  const members = ownEvents.given.get(name) ?? {}
  ownEvents.given.set(name, members)
  if (![...given.values()].some(isPrivate)) {
    members.plain = given
    return
  }
  const own = (members.own ??= new Map<string, Value>())
  for (const [member, value] of given) {
    const before = own.get(member)
    if (before !== undefined && !isPrivate(value)) continue
    const isKnown = before !== undefined || own.size < MAX_OWN
    if (before === undefined && isKnown) own.set(member, value)
    else
      own.set(
        isKnown ? member : ANY_NAME,
        unknownValue({ taint: taintOf(before ?? own.get(ANY_NAME)) | taintOf(value) }),
      )
  }
}

/** Private data of the browser's own events, which the script causes itself. */
export function giveOwn(
  machine: Machine,
  name: string,
  members: readonly (readonly [string, Value])[],
): void {
  if (!members.some(([, value]) => isPrivate(value))) return
  const given = new Map(members)
  keepForListeners(machine, name, given)
  callListeners(machine, hostObject('window'), name, given, [])
}

/** Calls the listeners, as the browser does at once, with what the event has; those that follow get it, too. */
export const dispatchEvent: Effect = (machine, { self, args: [event] }) => {
  if (!isUnknown(event) || event.path !== OWN_EVENT) return undefined
  const name = event.entries?.get(NAME)
  if (typeof name !== 'string') return undefined
  const given = withTarget(membersOf(machine, event), self, name)
  for (const own of namesOfDispatched(machine, self, name)) {
    keepForListeners(machine, own, given)
    callListeners(machine, self, own, given, [])
  }
  return undefined
}

/** Events of fields: the script cannot tell which of the fields of the page its listeners are for. */
const OF_FIELDS = /^(?:key|input|change|paste|blur|focus|click|submit)/u

/** Listeners find what the script keeps in the object itself. */
function withTarget(given: Given, object: UnknownValue, name: string): Given {
  if (OF_FIELDS.test(name) || isOwnWindow(object) || !isPrivate(object)) return given
  return new Map([...given, ['target', object], ['srcElement', object]])
}

/** Members of one event that keep their names, and as many more with private data. */
const MAX_GIVEN = 20

/** What an event has. Private data in more members than keep their names may be in any member. */
function membersOf({ spend }: Machine, { entries }: UnknownValue): Given {
  const given = new Map<string, Value>()
  let rest = 0
  const members = entries ?? NOTHING
  spend(members.size >> 2)
  for (const [member, value] of members) {
    // Getters are called when they are read.
    if (member.startsWith(' ') && !member.startsWith(ANY_GETTER)) continue
    if (given.size >= MAX_GIVEN) spend(weightOf(value))
    if (given.size < MAX_GIVEN) given.set(member, value)
    else if (isPrivate(value)) {
      if (given.size < 2 * MAX_GIVEN) given.set(member, value)
      else rest |= taintOf(value) & PRIVATE_TAINT
    }
  }
  if (rest !== 0) given.set(ANY_NAME, unknownValue({ taint: rest }))
  spend(given.size)
  return given
}

/** `values`: what jQuery passes behind the event. */
export function callListeners(
  machine: Machine,
  self: UnknownValue,
  name: string,
  given: Given,
  values: readonly Value[],
): void {
  const listeners = machine.ownEvents.listeners.get(name)
  machine.spend(stepsOfName(name))
  if (listeners === undefined) return
  machine.spend(STEPS_OF_LISTENER * listeners.length)
  const event = eventOf(name, self.hint, name, given)
  const passed = [...argumentsOf(name, event, given), ...values]
  for (const listener of listeners) machine.later(listener, passed, self)
}

/** jQuery's `trigger(name, values)`: listeners get the values behind the event. */
export const triggerEvent: Effect = (machine, { self, args: [name, values] }) => {
  if (typeof name !== 'string' || values === undefined) return undefined
  const passed = typeof values === 'object' && values?.kind === 'array' ? values.items : [values]
  callListeners(machine, self, nameOfEvent(self, name), new Map(), passed)
  return self
}
