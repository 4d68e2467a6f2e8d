// Events that a script makes itself, with data for its own listeners.
import type { Effect } from './browser-requests.ts'
import { OF_STRANGER } from './browser-sources.ts'
import type { Machine } from './machine.ts'
import { isOfStranger, nameOfEvent, namesOfDispatched } from './message-targets.ts'
import {
  ANY_NAME,
  hostObject,
  isUnknown,
  PRIVATE_TAINT,
  taintOf,
  UNKNOWN,
  unknownValue,
  type UnknownValue,
  type Value,
  weightOf,
} from './values.ts'

const CUSTOM = 'new CustomEvent'
const NAME = ' event name'
const MAX_LISTENED = 200
const MAX_LISTENERS = 10
/** Events with longer names are unknown: each use of a name reads all of it. */
const MAX_NAME = 200
const STEPS_OF_LISTENER = 4

type Given = ReadonlyMap<string, Value>
/** The members of an event that has none. */
const NOTHING: Given = new Map()

/** Functions that listen to an event, by its name, and what was given with events of that name. */
export interface OwnEvents {
  readonly listeners: Map<string, Value[]>
  readonly given: Map<string, Given>
  /** How many channels the script has made. */
  channels: number
}

export const createOwnEvents = (): OwnEvents => ({ listeners: new Map(), given: new Map(), channels: 0 })

const isEventName = (name: Value): name is string => typeof name === 'string' && name.length <= MAX_NAME

/** `new CustomEvent(name, { detail })`, and other events with a name and what they have. */
export function makeEvent([name, options]: readonly Value[]): UnknownValue {
  const made = hostObject(CUSTOM)
  made.entries?.set('type', name)
  if (isEventName(name)) made.entries?.set(NAME, name)
  if (typeof options === 'object' && options?.kind === 'object')
    for (const member of GIVEN)
      if (options.entries.has(member)) made.entries?.set(member, options.entries.get(member))
  return made
}

/** Members with data of the script's own. */
const GIVEN = ['detail', 'data', 'newValue'] as const

/** `document.createEvent(kind)`: it gets its name by one of the calls below. */
export const createEvent: Effect = () => hostObject(CUSTOM)

/** `initEvent(name)`, and with data: `initCustomEvent(name, …, …, detail)`. */
export const initEvent: Effect = (_, { self, name: call, args }) => {
  const [name, , , content] = args
  if (self.path !== CUSTOM) return undefined
  self.entries?.set('type', name)
  if (!isEventName(name)) return undefined
  self.entries?.set(NAME, name)
  if (args.length > 3) self.entries?.set(call === 'initCustomEvent' ? 'detail' : 'data', content)
  return UNKNOWN
}

/** The event that listeners of this name get. `own`: the name of what the script itself dispatches to them. `now`: what is dispatched. */
export function eventOf(
  { ownEvents }: Machine,
  name: string,
  hint: string,
  own = name,
  now: Given = NOTHING,
): UnknownValue {
  const given = isEventName(own) ? ownEvents.given.get(own) : undefined
  const rest = taintOf(given?.get(ANY_NAME)) | taintOf(now.get(ANY_NAME))
  const event = hostObject('event', `${name.slice(0, MAX_NAME)} ${hint}`.slice(0, 200), rest)
  if (isOfStranger(own)) event.entries?.set(OF_STRANGER, true)
  // What the browser itself gives is not hidden by a value that says nothing.
  for (const [member, value] of given ?? [])
    if (member === 'detail' || isPrivate(value)) event.entries?.set(member, value)
  for (const [member, value] of now) event.entries?.set(member, value)
  return event
}

const isPrivate = (value: Value): boolean => (taintOf(value) & PRIVATE_TAINT) !== 0

/** Remembers a listener, for events that the script dispatches later. */
export function noteListener({ ownEvents: { listeners } }: Machine, name: string, listener: Value): void {
  if (!isEventName(name)) return
  const known = listeners.get(name)
  if (known === undefined) {
    if (listeners.size < MAX_LISTENED) listeners.set(name, [listener])
  } else if (known.length < MAX_LISTENERS) known.push(listener)
}

/** Remembers what is given, for listeners that follow; another event that has nothing does not hide it. */
export function keepForListeners({ ownEvents }: Machine, name: string, given: Given): void {
  const known = ownEvents.given.get(name)
  if (known === undefined && ownEvents.given.size >= MAX_LISTENED) return
  const hasPrivate = (members: Given): boolean => [...members.values()].some(isPrivate)
  if (known === undefined || !hasPrivate(known) || hasPrivate(given)) ownEvents.given.set(name, given)
}

/** Calls the listeners, as the browser does at once, with what the event has; those that follow get it, too. */
export const dispatchEvent: Effect = (machine, { self, args: [event] }) => {
  if (!isUnknown(event) || event.path !== CUSTOM) return undefined
  const name = event.entries?.get(NAME)
  if (!isEventName(name)) return undefined
  const given = membersOf(machine, event)
  for (const own of namesOfDispatched(self, name, machine.ownEvents.listeners.keys())) {
    keepForListeners(machine, own, given)
    callListeners(machine, self, own, given, [])
  }
  return undefined
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
    if (member.startsWith(' ')) continue
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
  if (listeners === undefined) return
  machine.spend(STEPS_OF_LISTENER * listeners.length)
  const event = eventOf(machine, name, self.hint, name, given)
  for (const listener of listeners) machine.later(listener, [event, ...values], self)
}

/** jQuery's `trigger(name, values)`: listeners get the values behind the event. */
export const triggerEvent: Effect = (machine, { self, args: [name, values] }) => {
  if (!isEventName(name) || values === undefined) return undefined
  const passed = typeof values === 'object' && values?.kind === 'array' ? values.items : [values]
  callListeners(machine, self, nameOfEvent(self, name), new Map(), passed)
  return self
}
