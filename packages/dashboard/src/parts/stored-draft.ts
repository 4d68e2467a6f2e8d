// The draft of a form for what is stored. What is stored later replaces only what the reader has not edited.
import { useState } from 'react'

interface State<Draft> {
  readonly draft: Draft
  /** The draft without edits: what is stored, or what the last save sent since. */
  readonly base: Draft
  readonly stored: Draft
}

export function useStoredDraft<Draft extends object>(stored: Draft) {
  const [state, setState] = useState<State<Draft>>({ draft: stored, base: stored, stored })
  if (!isSame(state.stored, stored))
    setState({ draft: rebasedDraft(state.draft, state.base, stored), base: stored, stored })
  return {
    draft: state.draft,
    base: state.base,
    change: (members: Partial<Draft>): void =>
      setState((last) => ({ ...last, draft: { ...last.draft, ...members } })),
    /** Called with what a successful save has sent: it may be stored in another form. */
    setSaved: (base: Draft): void => setState((last) => ({ ...last, base })),
  }
}

/** Members that differ from the base stay; all others become what is stored. */
export function rebasedDraft<Draft>(draft: Draft, base: Draft, stored: Draft): Draft {
  if (isSame(draft, base)) return stored
  if (!isObject(draft) || !isObject(base) || !isObject(stored)) return draft
  const members = Object.entries(draft).map(([name, value]) => [
    name,
    rebasedDraft(value, base[name], stored[name]),
  ])
  return Object.fromEntries(members) as Draft // the members of draft
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
