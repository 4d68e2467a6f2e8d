// Elements of a script's own classes: the browser calls their methods, when the page has one of them.
import type { Effect } from './browser-requests.ts'
import { instantiate } from './instances.ts'
import { readMember } from './members.ts'
import { isUnknown, UNKNOWN } from './values.ts'

const CALLED = ['connectedCallback', 'attributeChangedCallback', 'adoptedCallback', 'disconnectedCallback']

/** `customElements.define(name, class)` */
export const defineElement: Effect = (machine, { self, args: [, form] }) => {
  if (self.path !== 'customElements' || !isUnknown(form)) return undefined
  const made = instantiate(machine, form, [])
  if (!isUnknown(made)) return undefined
  for (const name of CALLED)
    if (made.entries?.has(name) === true)
      machine.later(readMember(machine, made, name), [UNKNOWN, UNKNOWN, UNKNOWN], made)
  return UNKNOWN
}
