// The objects that `this` is in the methods of a script, their getters, and bound functions.
import type { Machine } from './machine.ts'
import type { FunctionNode, NodeOf } from './syntax-tree.ts'
import {
  ANY_NAME,
  type FunctionValue,
  GETTER,
  isPrimitive,
  isUnknown,
  type ObjectValue,
  type Scope,
  taintOf,
  UNKNOWN,
  type UnknownValue,
  type Value,
  wholeText,
} from './values.ts'

/** What is evaluated again for each instance of a class. */
export interface ClassForm {
  readonly body: NodeOf<'ClassBody'>
  readonly scope: Scope
  readonly parent: Value
}

/** The classes of a script, and the objects to which its methods belong. */
export interface Instances {
  readonly forms: Map<Value, ClassForm>
  readonly owners: Map<FunctionNode, Value>
  /** The class whose constructor runs; calls of `super` are about its parent. */
  building: ClassForm | null
  /** Whether any object has a setter of the script. */
  hasSetters: boolean
}

export const createInstances = (): Instances => ({
  forms: new Map(),
  owners: new Map(),
  building: null,
  hasSetters: false,
})

export const getterKey = (name: string): string => GETTER + name
const setterKey = (name: string): string => ` set ${name}`
export const isFunctionValue = (value: Value): value is FunctionValue =>
  typeof value === 'object' && value !== null && value.kind === 'function'

/** Remembers the object of a method, for when nothing calls it. */
export function own(machine: Machine, object: Value, value: Value): void {
  if (isFunctionValue(value)) machine.instances.owners.set(value.node, object)
}

/** The prototype of a function of the script. */
export function prototypeOf({ entries }: FunctionValue): Value {
  const known = entries.get('prototype')
  if (known !== undefined) return known
  const made: ObjectValue = { kind: 'object', entries: new Map() }
  entries.set('prototype', made)
  return made
}

/** Adds a getter to an object. */
export function addGetter(object: ObjectValue, name: string, getter: Value): void {
  object.entries.set(getterKey(name), getter)
}

/** Adds a setter to an object; of ANY_NAME, it is that of a proxy, which also gets the name. */
export function addSetter(
  machine: Machine,
  object: ObjectValue | UnknownValue,
  name: string,
  setter: Value,
): void {
  if (!isFunctionValue(setter)) return
  machine.instances.hasSetters = true
  object.entries?.set(setterKey(name), setter)
}

/** Calls the setter of a member; false: it has none. */
export function runSetter(
  machine: Machine,
  object: ObjectValue | UnknownValue,
  name: string,
  value: Value,
): boolean {
  if (!machine.instances.hasSetters) return false
  const setter = object.entries?.get(setterKey(name))
  const ofProxy = object.entries?.get(setterKey(ANY_NAME))
  if (isFunctionValue(setter)) machine.call(setter, [value], object)
  else if (isFunctionValue(ofProxy)) machine.call(ofProxy, [UNKNOWN, name, value], object)
  else return false
  return true
}

/** A member of an object of the script, by its descriptor. */
export function defineMember(machine: Machine, object: Value, key: Value, descriptor: Value): void {
  if (typeof object !== 'object' || object?.kind !== 'object') return
  if (typeof descriptor !== 'object' || descriptor?.kind !== 'object') return
  const name = wholeText(key) ?? ANY_NAME
  const getter = descriptor.entries.get('get')
  addSetter(machine, object, name, descriptor.entries.get('set'))
  if (isFunctionValue(getter)) addGetter(object, name, getter)
  else if (descriptor.entries.has('value')) object.entries.set(name, descriptor.entries.get('value'))
}

/** The beginning of the keys of all getters. */
export const ANY_GETTER = getterKey('')

/** The taint of all that the getters of an object return. */
export function taintOfGetters(machine: Machine, value: Value): number {
  if (isPrimitive(value) || value.kind !== 'object') return 0
  machine.spend(value.entries.size >> 3)
  const getters: FunctionValue[] = []
  for (const [name, getter] of value.entries) {
    if (!name.startsWith(ANY_GETTER) || !isFunctionValue(getter)) continue
    getters.push(getter)
  }
  return getters.reduce((taint, getter) => taint | taintOf(machine.call(getter, [], value)), 0)
}

/** The result of an object's getter; undefined: it has none of this name. */
export function runGetter(machine: Machine, object: ObjectValue | UnknownValue, name: string): Value {
  const getter = object.entries?.get(getterKey(name))
  return isFunctionValue(getter) ? machine.call(getter, [], object) : undefined
}

/** The object of a method that nothing has called. */
export const ownerOf = (machine: Machine, { node }: FunctionValue): Value =>
  machine.instances.owners.get(node) ?? UNKNOWN

/** A function with its `this` and first arguments. */
export function bindFunction(callee: FunctionValue, [self, ...args]: readonly Value[]): FunctionValue {
  // Bound to nothing known, it is called as it would be otherwise.
  if (isUnknown(self) && self.path === '' && self.entries === null && args.length === 0) return callee
  return callee.bound === undefined ? { ...callee, bound: { self, args } } : callee
}
