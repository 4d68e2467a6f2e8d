// Classes and their instances, and constructor functions with a prototype.
import { buildOfClass, emptyError, emptyOfClass } from './browser-classes.ts'
import { keyName } from './bindings.ts'
import type { Machine } from './machine.ts'
import { writeMember } from './members.ts'
import { addSetter, type ClassForm, getterKey, isFunctionValue, own } from './owners.ts'
import type { NodeOf } from './syntax-tree.ts'
import {
  type FunctionValue,
  CONSTRUCTOR,
  hostObject,
  isPrimitive,
  isUnknown,
  MADE,
  type Scope,
  TEXT_OF_PARENT,
  type UnknownValue,
  type Value,
  wholeText,
} from './values.ts'

const MAX_ANCESTORS = 8
/** A class, with its static members. `parent`: what it extends, or undefined. */
export function makeClass(
  machine: Machine,
  body: NodeOf<'ClassBody'>,
  parent: Value,
  scope: Scope,
): UnknownValue {
  const made = hostObject('class')
  machine.instances.forms.set(made, { body, scope, parent })
  addElements(machine, made, { body, scope, parent }, true)
  // Methods of a class that nothing instantiates still have an object.
  addElements(machine, hostObject(MADE), { body, scope, parent }, false)
  return made
}

function addElements(
  machine: Machine,
  object: UnknownValue,
  { body, scope }: ClassForm,
  isStatic: boolean,
): void {
  const inner: Scope = { vars: new Map(), parent: scope, self: object }
  for (const element of body.body) {
    if (element.type === 'StaticBlock') {
      if (isStatic) machine.execute(element, inner)
      continue
    }
    if (!('value' in element) || element.static !== isStatic) continue
    if (element.value === null || element.value === undefined || element.key === null) continue
    const value = machine.evaluate(element.value, inner)
    const kind = element.type === 'MethodDefinition' ? element.kind : 'method'
    addMember(machine, object, keyName(machine, element.key, element.computed, inner), value, kind)
  }
}

function addMember(machine: Machine, object: UnknownValue, key: Value, value: Value, kind: string): void {
  own(machine, object, value)
  const name = wholeText(key)
  if (kind === 'get' && name !== undefined) object.entries?.set(getterKey(name), value)
  else if (kind === 'set' && name !== undefined) addSetter(machine, object, name, value)
  else writeMember(machine, object, key, value)
}

/** `new` of a class of the script; null: it is not one. */
export function instantiate(machine: Machine, target: UnknownValue, args: readonly Value[]): Value | null {
  const form = machine.instances.forms.get(target)
  if (form === undefined) return null
  const line = [form]
  let base = form
  for (; line.length < MAX_ANCESTORS;) {
    const next = machine.instances.forms.get(base.parent)
    if (next === undefined || line.includes(next)) break
    line.push(next)
    base = next
  }
  const made = emptyOfClass(base.parent) ?? emptyError(base.parent) ?? madeBy(base.parent)
  for (const ancestor of line.toReversed()) addElements(machine, made, ancestor, false)
  construct(machine, form, args, made)
  return made
}

/** An instance of a class that extends nothing, or what is no class. */
function madeBy(parent: Value): UnknownValue {
  const made = hostObject(MADE)
  if (parent !== undefined && parent !== null && !isFunctionValue(parent))
    made.entries?.set(TEXT_OF_PARENT, true)
  return made
}

/** Runs the constructor of a class, or of the nearest ancestor that has one. */
function construct(machine: Machine, start: ClassForm, args: readonly Value[], made: Value): void {
  const { instances } = machine
  const before = instances.building
  try {
    let form = start
    for (let passed = 0; passed < MAX_ANCESTORS; passed += 1) {
      machine.spend(1 + form.body.body.length)
      instances.building = form
      const constructor = form.body.body.find(
        (element) => element.type === 'MethodDefinition' && element.kind === 'constructor',
      )
      if (constructor !== undefined && 'value' in constructor && constructor.value !== null) {
        const scope: Scope = { vars: new Map(), parent: form.scope, self: made }
        const callee = machine.evaluate(constructor.value, scope)
        if (isFunctionValue(callee)) machine.call(callee, args, made)
        return
      }
      const parent = instances.forms.get(form.parent)
      if (parent === undefined) return buildBase(machine, form.parent, args, made)
      form = parent
    }
  } finally {
    instances.building = before
  }
}

/** `super(…)` */
export function buildParent(machine: Machine, args: readonly Value[], made: Value): void {
  const parent = machine.instances.building?.parent
  const form = parent === undefined ? undefined : machine.instances.forms.get(parent)
  if (form !== undefined) construct(machine, form, args, made)
  else buildBase(machine, parent, args, made)
}

/** A parent that is no class of the script. */
function buildBase(machine: Machine, parent: Value, args: readonly Value[], made: Value): void {
  if (isFunctionValue(parent)) machine.call(parent, args, made)
  else if (isUnknown(made)) buildOfClass(machine, made, args)
}

/** An instance of a constructor function, with what its prototype has. */
export function makeInstance(machine: Machine, target: FunctionValue): UnknownValue {
  const made = hostObject(MADE)
  const prototype = target.entries.get('prototype')
  if (prototype !== undefined) addPrototype(machine, made, prototype)
  // Behind the members of the prototype, which may be an instance itself.
  made.entries?.set(CONSTRUCTOR, target)
  return made
}

function addPrototype(machine: Machine, made: UnknownValue, prototype: Value): void {
  if (isPrimitive(prototype) || !('entries' in prototype) || prototype.entries === null) {
    made.entries?.set(TEXT_OF_PARENT, true)
    return
  }
  machine.spend(prototype.entries.size >> 2)
  for (const [name, value] of prototype.entries) {
    made.entries?.set(name, value)
    own(machine, made, value)
  }
}
